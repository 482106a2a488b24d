// Work that may have to end early, as with Ctrl-C. A loop that may run long calls one of the functions below
// now and then, in any thread and at any depth; nothing is passed down to it.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include "treewright/portable.hpp"  // for TREEWRIGHT_NOINLINE

namespace treewright {

// Thrown by the functions below once the work is to end, in every thread; only `Interrupt::run` catches it.
struct Interrupted {};

class Interrupt {
 public:
  static constexpr std::chrono::milliseconds kAskEvery{50};

  // `ask` throws if the work is to end. Only the thread that made the interrupt calls it, at most that often.
  explicit Interrupt(std::function<void()> ask) : ask_(std::move(ask)) {}
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // What this thread works under; nullptr: nothing can interrupt it.
  static Interrupt*& current() {
    thread_local Interrupt* of_thread = nullptr;
    return of_thread;
  }

  // Do the work. An error of `ask` is thrown again here, whatever the threads threw because of it.
  template <class Work>
  auto run(const Work& work) {
    struct Scope {
      Interrupt* before;
      ~Scope() { current() = before; }
    };
    const Scope scope{std::exchange(current(), this)};
    try {
      return work();
    } catch (...) {
      if (error_) std::rethrow_exception(error_);
      throw;
    }
  }

  // Call `ask` if it is time to and this thread may; throw if the work is to end.
  void look() {
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

 private:
  using Clock = std::chrono::steady_clock;

  std::function<void()> ask_;
  std::thread::id caller_ = std::this_thread::get_id();
  Clock::time_point last_asked_ = Clock::now();
  std::exception_ptr error_;  // thrown by `ask`
  std::atomic<bool> is_over_{false};
};

// A check costs some 30 ns: little once in a few thousand entries, too much for a shorter list.
inline constexpr std::size_t kStepsToLook = 4096;

// Check whether this thread is to stop, and throw Interrupted if so.
TREEWRIGHT_NOINLINE inline void heed_interrupts() {
  if (auto* const interrupt = Interrupt::current(); interrupt != nullptr) interrupt->look();
}

// The same before work of `n_steps`.
inline void heed_interrupts_before(std::size_t n_steps) {
  if (n_steps >= kStepsToLook) heed_interrupts();
}

// The same once enough steps have come together since the last check; until then they are only added up.
TREEWRIGHT_NOINLINE inline void heed_interrupts_after(std::size_t n_steps) {
  thread_local std::size_t n_since = 0;
  if ((n_since += n_steps) < 16 * kStepsToLook) return;
  n_since = 0;
  heed_interrupts();
}

// The same in every `every`-th turn of a loop.
inline void heed_interrupts_at(std::size_t turn, std::size_t every = kStepsToLook) {
  if (turn % every == 0 && turn > 0) [[unlikely]]
    heed_interrupts();
}

// std::stable_sort, for sorts that take long enough to be interrupted.
template <class Value, class Less>
void long_stable_sort(std::span<Value> values, const Less& less) {
  std::size_t n = 0;
  std::ranges::stable_sort(values, [&](const Value& a, const Value& b) {
    heed_interrupts_at(++n);
    return less(a, b);
  });
}

}  // namespace treewright
