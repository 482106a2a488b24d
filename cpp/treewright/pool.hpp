// A small pool of threads that lives for one call. Threads block, never spin.
#pragma once

#include <condition_variable>
#include <mutex>

#include "treewright/interrupt.hpp"

namespace treewright {

class Pool {
 public:
  // `n_threads` counts the calling thread, which works too. If the system grants fewer threads (a limit on
  // processes or on memory), half as many are tried: using every thread that a limit allows would leave no
  // memory to work with. `n_threads()` tells how many there are.
  explicit Pool(int n_threads) {
    while (n_threads > 1 && !start_workers(n_threads)) n_threads /= 2;
  }
  ~Pool() { stop_workers(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int n_threads() const { return static_cast<int>(workers_.size()) + 1; }
  // The number of rounds in which all threads worked, and waited for each other at the end.
  std::int64_t n_rounds() const { return static_cast<std::int64_t>(round_); }

  // Call work(task, thread) for every task of 0 .. n_tasks - 1, in any order, and wait. After the first error
  // no more tasks are started, and it is thrown again here. All threads work under the caller's interrupt and
  // check it before each task; the caller also does while it waits.
  void run(std::size_t n_tasks, const std::function<void(std::size_t task, int thread)>& work) {
    if (workers_.empty() || n_tasks < 2) {
      for (std::size_t task = 0; task < n_tasks; ++task) {
        heed_interrupts();
        work(task, 0);
      }
      return;
    }
    std::unique_lock lock(mutex_);
    work_ = &work;
    interrupt_ = Interrupt::current();
    n_tasks_ = n_tasks;
    next_ = 0;
    busy_ = workers_.size();
    ++round_;
    start_.notify_all();
    take_tasks(lock, 0);
    // Only the caller can ask whether to go on, so it keeps waking up while the workers finish.
    while (!done_.wait_for(lock, Interrupt::kAskEvery, [this] { return busy_ == 0; }))
      attempt(lock, heed_interrupts);
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

  // As `run`, but threads are woken only if so many steps, rows times columns, pay for it.
  bool pays_for(std::size_t n_steps) const { return n_threads() > 1 && n_steps >= 20'000; }
  template <class Work>
  void run_if_it_pays(std::size_t n_steps, std::size_t n_tasks, const Work& work) {
    if (pays_for(n_steps)) return run(n_tasks, work);
    for (std::size_t task = 0; task < n_tasks; ++task) work(task, 0);
  }

 private:
  bool start_workers(int n_threads) {
    try {
      for (int thread = 1; thread < n_threads; ++thread)
        workers_.emplace_back([this, thread] { serve(thread); });
      return true;
    } catch (const std::exception&) {  // the system grants no more threads, or no memory for them
      stop_workers();
      return false;
    }
  }

  void stop_workers() {
    std::unique_lock lock(mutex_);
    closing_ = true;
    lock.unlock();
    start_.notify_all();
    for (auto& worker : workers_) worker.join();
    workers_.clear();
    closing_ = false;
  }

  // What a worker does until the pool closes.
  void serve(int thread) {
    std::unique_lock lock(mutex_);
    for (std::uint64_t seen = 0;;) {
      start_.wait(lock, [&] { return closing_ || round_ != seen; });
      if (closing_) return;
      seen = round_;
      Interrupt::current() = interrupt_;
      take_tasks(lock, thread);
      if (--busy_ == 0) done_.notify_one();
    }
  }

  void take_tasks(std::unique_lock<std::mutex>& lock, int thread) {
    while (next_ < n_tasks_ && !error_) {
      attempt(lock, [&, task = next_++] {
        heed_interrupts();
        (*work_)(task, thread);
      });
    }
  }

  // Work without the lock; the first error of all threads is kept.
  template <class Work>
  void attempt(std::unique_lock<std::mutex>& lock, const Work& work) {
    std::exception_ptr error;
    lock.unlock();
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (!error_) error_ = error;
  }

  std::mutex mutex_;
  std::condition_variable start_, done_;
  const std::function<void(std::size_t, int)>* work_ = nullptr;
  Interrupt* interrupt_ = nullptr;  // the caller's, of the tasks under way
  std::size_t n_tasks_ = 0, next_ = 0, busy_ = 0;
  std::uint64_t round_ = 0;
  bool closing_ = false;
  std::exception_ptr error_;
  std::vector<std::thread> workers_;
};

}  // namespace treewright
