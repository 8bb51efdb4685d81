#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "src/threads/pool.h"

namespace windrow::internal {
namespace {

// Threads that help one caller at a time. A caller opens a job with so many places, works on it
// itself, closes it and waits for those workers that took a place; sleeping workers are never
// waited for.
class Workers {
 public:
  explicit Workers(int count) {
    threads_.reserve(static_cast<std::size_t>(count));
    try {
      for (int i = 0; i < count; ++i) threads_.emplace_back([this] { serve(); });
    } catch (...) {
      stop();
      throw;
    }
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() { stop(); }

  // False, and no task has run, if another call has the workers (also when that is an outer call of
  // this thread).
  bool run(int tasks, void (*task)(void*, int), void* context) noexcept {
    if (busy_.exchange(true, std::memory_order_acquire)) return false;
    task_ = task;
    context_ = context;
    tasks_ = tasks;
    next_.store(0, std::memory_order_relaxed);
    open(std::min(tasks - 1, static_cast<int>(threads_.size())));
    take_tasks();
    close();
    busy_.store(false, std::memory_order_release);
    return true;
  }

 private:
  void open(int places) {
    {
      const std::lock_guard lock(mutex_);
      places_ = places;
    }
    if (places == 1) {
      wake_.notify_one();
    } else {
      wake_.notify_all();
    }
  }

  void close() {
    std::unique_lock lock(mutex_);
    places_ = 0;
    idle_.wait(lock, [this] { return working_ == 0; });
  }

  void take_tasks() noexcept {
    for (;;) {
      const int index = next_.fetch_add(1, std::memory_order_relaxed);
      if (index >= tasks_) return;
      task_(context_, index);
    }
  }

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return stopped_ || places_ > 0; });
      if (stopped_) return;
      --places_;
      ++working_;
      lock.unlock();
      take_tasks();
      lock.lock();
      if (--working_ == 0) idle_.notify_one();
    }
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  std::atomic<bool> busy_ = false;

  // The job: written by the caller that holds busy_, before it opens places.
  void (*task_)(void*, int) = nullptr;
  void* context_ = nullptr;
  int tasks_ = 0;
  std::atomic<int> next_ = 0;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  int places_ = 0;   // how many more workers may join the job
  int working_ = 0;  // how many have joined and not finished
  bool stopped_ = false;

  std::vector<std::thread> threads_;
};

class StdPool final : public Threads {
 public:
  explicit StdPool(int count)
      : count_(count), workers_(count > 1 ? std::make_unique<Workers>(count - 1) : nullptr) {}
  // The child of a fork has the memory of the workers but not the threads: joining them, or
  // destroying what they waited on, would wait for ever.
  ~StdPool() override {
    if (is_forked()) static_cast<void>(workers_.release());
  }

  int count() const noexcept override { return count_; }

  void parallel(int tasks, void (*task)(void*, int), void* context) noexcept override {
    const bool helped =
        tasks > 1 && workers_ != nullptr && !is_forked() && workers_->run(tasks, task, context);
    if (!helped) run_serially(tasks, task, context);
  }

 private:
  bool is_forked() const noexcept { return getpid() != process_; }

  const int count_;
  const pid_t process_ = getpid();
  std::unique_ptr<Workers> workers_;
};

}  // namespace

std::unique_ptr<Threads> make_pool(int count) { return std::make_unique<StdPool>(count); }

}  // namespace windrow::internal
