// A small pool of threads that lives for one call. Threads block, never spin.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "treewright/interrupt.hpp"  // for Interrupt

namespace treewright {

class Pool {
 public:
  // `n_threads` counts the calling thread, which works too. Where the system grants fewer threads (a limit
  // on processes or on memory), the pool has those it got; `n_threads()` says how many.
  explicit Pool(int n_threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int n_threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Call work(task, thread) for every task of 0 .. n_tasks - 1, in any order, and wait. The first error
  // stops the handing out of tasks and is thrown again here. All threads work under the caller's interrupt,
  // and look for it before each task; the caller does so while it waits, too.
  void run(std::size_t n_tasks, const std::function<void(std::size_t task, int thread)>& work);

 private:
  bool start_workers(int n_threads);
  void stop_workers();
  void serve(int thread);
  void take_tasks(std::unique_lock<std::mutex>& lock, int thread);
  template <class Work>
  void attempt(std::unique_lock<std::mutex>& lock, const Work& work);

  std::mutex mutex_;
  std::condition_variable start_, done_;
  const std::function<void(std::size_t, int)>* work_ = nullptr;
  Interrupt* interrupt_ = nullptr;  // the caller's, of the tasks under way
  std::size_t n_tasks_ = 0, next_ = 0;
  int busy_ = 0;
  std::uint64_t round_ = 0;
  bool closing_ = false;
  std::exception_ptr error_;
  std::vector<std::thread> workers_;
};

}  // namespace treewright
