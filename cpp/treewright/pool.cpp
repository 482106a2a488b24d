#include "treewright/pool.hpp"

#include <new>
#include <system_error>
#include <utility>

namespace treewright {

// Work without the lock; the first error of all threads is kept.
template <class Work>
void Pool::attempt(std::unique_lock<std::mutex>& lock, const Work& work) {
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

Pool::Pool(int n_threads) {
  // Where not all can start, half as many are tried: threads up to the last one that a limit allows would
  // leave no memory to work with.
  while (n_threads > 1 && !start_workers(n_threads)) n_threads /= 2;
}

Pool::~Pool() { stop_workers(); }

bool Pool::start_workers(int n_threads) {
  try {
    for (int thread = 1; thread < n_threads; ++thread) {
      workers_.emplace_back([this, thread] { serve(thread); });
    }
    return true;
  } catch (const std::system_error&) {  // the system grants no more threads
  } catch (const std::bad_alloc&) {
  }
  stop_workers();
  return false;
}

void Pool::stop_workers() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  start_.notify_all();
  for (auto& worker : workers_) worker.join();
  workers_.clear();
  closing_ = false;
}

void Pool::run(std::size_t n_tasks, const std::function<void(std::size_t, int)>& work) {
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
  busy_ = static_cast<int>(workers_.size());
  ++round_;
  start_.notify_all();
  take_tasks(lock, 0);
  // Only the caller can ask whether to go on, so it does not sleep for long while the workers end.
  while (!done_.wait_for(lock, Interrupt::kAskEvery, [this] { return busy_ == 0; }))
    attempt(lock, heed_interrupts);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Pool::serve(int thread) {
  std::unique_lock lock(mutex_);
  for (std::uint64_t seen = 0;;) {
    start_.wait(lock, [&] { return closing_ || round_ != seen; });
    if (closing_) return;
    seen = round_;
    const Interrupt::Scope scope(interrupt_);
    take_tasks(lock, thread);
    if (--busy_ == 0) done_.notify_one();
  }
}

void Pool::take_tasks(std::unique_lock<std::mutex>& lock, int thread) {
  while (next_ < n_tasks_ && !error_) {
    attempt(lock, [&, task = next_++] {
      heed_interrupts();
      (*work_)(task, thread);
    });
  }
}

}  // namespace treewright
