#include "treewright/interrupt.hpp"

#include <utility>

namespace treewright {
namespace {

struct ThisThread {
  Interrupt* interrupt = nullptr;
  std::size_t n_steps = 0;  // since it last looked
};
thread_local ThisThread this_thread;

}  // namespace

Interrupt* Interrupt::current() { return this_thread.interrupt; }

Interrupt::Scope::Scope(Interrupt* interrupt) : before_(std::exchange(this_thread.interrupt, interrupt)) {}

Interrupt::Scope::~Scope() { this_thread.interrupt = before_; }

void Interrupt::look() {
  if (is_over_.load(std::memory_order_relaxed)) throw Interrupted{};
  if (std::this_thread::get_id() != caller_ || Clock::now() - last_asked_ < kAskEvery) return;
  try {
    ask_();
  } catch (...) {
    error_ = std::current_exception();
    is_over_.store(true, std::memory_order_relaxed);
    throw Interrupted{};
  }
  last_asked_ = Clock::now();
}

void heed_interrupts() {
  if (auto* const interrupt = this_thread.interrupt; interrupt != nullptr) interrupt->look();
}

void heed_interrupts_after(std::size_t n_steps) {
  constexpr std::size_t kTogether = 16 * kStepsToLook;
  auto& thread = this_thread;
  if ((thread.n_steps += n_steps) < kTogether) return;
  thread.n_steps = 0;
  heed_interrupts();
}

}  // namespace treewright
