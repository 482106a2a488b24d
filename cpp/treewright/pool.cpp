#include "treewright/pool.hpp"

#include <new>
#include <system_error>
#include <utility>

namespace treewright {

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
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    interrupt_ = Interrupt::current();
    n_tasks_ = n_tasks;
    next_ = 0;
    busy_ = static_cast<int>(workers_.size());
    ++round_;
  }
  start_.notify_all();
  take_tasks(0);
  wait();
  work_ = nullptr;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

// Until the workers are done. Only the caller can ask whether to go on, so it does not sleep for long.
void Pool::wait() {
  std::unique_lock lock(mutex_);
  while (!done_.wait_for(lock, Interrupt::kAskEvery, [this] { return busy_ == 0; })) {
    lock.unlock();
    try {
      heed_interrupts();
    } catch (...) {
      note_error();
    }
    lock.lock();
  }
}

void Pool::serve(int thread) {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return closing_ || round_ != seen; });
      if (closing_) return;
      seen = round_;
    }
    {
      const Interrupt::Scope scope(interrupt_);
      take_tasks(thread);
    }
    {
      const std::lock_guard lock(mutex_);
      --busy_;
    }
    done_.notify_one();
  }
}

void Pool::take_tasks(int thread) {
  for (;;) {
    std::size_t task = 0;
    {
      const std::lock_guard lock(mutex_);
      if (next_ >= n_tasks_ || error_) return;
      task = next_++;
    }
    try {
      heed_interrupts();
      (*work_)(task, thread);
    } catch (...) {
      note_error();
    }
  }
}

void Pool::note_error() {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = std::current_exception();
}

}  // namespace treewright
