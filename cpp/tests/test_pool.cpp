#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>

#include "check.hpp"
#include "treewright/interrupt.hpp"
#include "treewright/pool.hpp"

using treewright::heed_interrupts;
using treewright::Interrupt;
using treewright::Pool;

namespace {

// Whether endless work is stopped by an exception thrown by the interrupt's owner.
template <class Work>
bool is_ended(const Work& work) {
  Interrupt interrupt([] { throw std::runtime_error("enough"); });
  try {
    interrupt.run(work);
  } catch (const std::runtime_error& error) {
    return error.what() == std::string("enough");
  }
  return false;
}

}  // namespace

TEST(every_task_is_done_once) {
  Pool pool(4);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::atomic<int>> done(37);
    pool.run(done.size(), [&](std::size_t task, int) { ++done[task]; });
    for (const auto& count : done) CHECK(count == 1);
  }
}

TEST(an_error_in_a_task_reaches_the_caller_and_the_pool_lives_on) {
  Pool pool(3);
  for (int round = 0; round < 50; ++round) {
    bool caught = false;
    try {
      pool.run(100, [](std::size_t task, int) {
        if (task == 42) throw std::runtime_error("42");
      });
    } catch (const std::runtime_error&) {
      caught = true;
    }
    CHECK(caught);
    std::atomic<int> sum{0};
    pool.run(10, [&](std::size_t task, int) { sum += static_cast<int>(task); });
    CHECK(sum == 45);
  }
}

TEST(an_interrupt_ends_the_tasks_of_all_threads_and_the_pool_lives_on) {
  for (const int n_threads : {1, 3}) {
    Pool pool(n_threads);
    CHECK(is_ended([&] {
      pool.run(7, [](std::size_t, int) {
        for (;;) heed_interrupts();
      });
    }));
    std::atomic<int> sum{0};
    pool.run(10, [&](std::size_t task, int) { sum += static_cast<int>(task); });
    CHECK(sum == 45);
  }
}

TEST(an_interrupt_is_heard_between_tasks) {
  for (const int n_threads : {1, 3}) {
    Pool pool(n_threads);
    CHECK(is_ended([&] { pool.run(SIZE_MAX, [](std::size_t, int) {}); }));
  }
}

TEST(a_caller_with_nothing_left_to_do_hears_an_interrupt_for_the_others) {
  Pool pool(2);
  std::atomic<bool> has_begun{false};
  CHECK(is_ended([&] {
    pool.run(2, [&](std::size_t, int thread) {
      if (thread == 0) {
        while (!has_begun) std::this_thread::yield();
        return;
      }
      has_begun = true;
      for (;;) heed_interrupts();
    });
  }));
}

TEST(only_the_caller_is_asked_and_only_now_and_then) {
  Pool pool(3);
  std::atomic<bool> is_caller{true};
  int n_asked = 0;
  const auto begin = std::chrono::steady_clock::now();
  Interrupt interrupt([&, caller = std::this_thread::get_id()] {
    if (std::this_thread::get_id() != caller) is_caller = false;
    ++n_asked;
  });
  interrupt.run([&] {
    pool.run(30, [&](std::size_t, int) {
      for (int i = 0; i < 100'000; ++i) heed_interrupts();
    });
  });
  CHECK(is_caller);
  CHECK(n_asked <= (std::chrono::steady_clock::now() - begin) / Interrupt::kAskEvery);
}

TEST(who_asks_may_work_under_an_interrupt_of_its_own) {
  const auto* inner_was = static_cast<Interrupt*>(nullptr);
  CHECK(is_ended([&] {
    Interrupt inner([] {});
    inner_was = inner.run([] { return Interrupt::current(); });
    CHECK(inner_was == &inner);
    for (;;) heed_interrupts();  // under the outer interrupt again
  }));
  CHECK(Interrupt::current() == nullptr);
}

TEST(an_error_of_a_task_is_not_taken_for_an_interrupt) {
  Interrupt interrupt([] {});
  bool caught = false;
  try {
    interrupt.run([] { throw std::invalid_argument("no"); });
  } catch (const std::invalid_argument&) {
    caught = true;
  }
  CHECK(caught);
}
