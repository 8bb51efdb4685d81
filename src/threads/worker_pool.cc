#include "src/threads/worker_pool.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace windrow::internal {
namespace {

std::atomic<unsigned> forks = 0;

// Registered when the library is loaded: a fork before the first pool has none to break.
[[maybe_unused]] const int kRegistered =
    pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });

}  // namespace

unsigned fork_count() noexcept { return forks.load(std::memory_order_relaxed); }

namespace {

// How long a thread polls for work, or a caller for the end of it, before it sleeps. Waking a
// thread takes about 25 microseconds; calls that follow one another within this time do not wait
// for it.
constexpr std::chrono::microseconds kLook{200};

// Yields until `done` or kLook is over.
template <class Done>
void look(const Done& done) {
  const auto end = std::chrono::steady_clock::now() + kLook;
  while (!done() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

// Waits until `done`, with the mutex held. It calls POSIX because some C++ libraries on which a
// wheel runs do not have the newer std::condition_variable::wait.
template <class Done>
void wait(std::condition_variable& changed, std::mutex& mutex, const Done& done) {
  while (!done()) pthread_cond_wait(changed.native_handle(), mutex.native_handle());
}

// Threads that help one caller at a time. A caller opens a job with a number of places, works on it
// itself, closes it and waits for the workers that took a place, never for sleeping ones.
class Workers {
 public:
  // Starts `count` threads, or as many as the system allows.
  explicit Workers(int count) {
    threads_.reserve(static_cast<std::size_t>(count));
    try {
      for (int i = 0; i < count; ++i) threads_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {  // the limit of the user's threads, or of memory
    } catch (...) {
      stop();
      throw;
    }
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() { stop(); }

  int count() const { return static_cast<int>(threads_.size()); }

  // Returns false, without running a task, if another call has the workers; that may be an outer
  // call of this thread.
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
    int sleeping = 0;
    {
      const std::lock_guard lock(mutex_);
      places_.store(places, std::memory_order_relaxed);
      sleeping = sleeping_;
    }
    if (sleeping == 0) return;
    if (places == 1) {
      wake_.notify_one();
    } else {
      wake_.notify_all();
    }
  }

  void close() {
    {
      const std::lock_guard lock(mutex_);
      places_.store(0, std::memory_order_relaxed);
    }
    const auto idle = [this] { return working_.load(std::memory_order_acquire) == 0; };
    look(idle);
    if (idle()) return;
    const std::lock_guard lock(mutex_);
    caller_sleeps_ = true;
    wait(idle_, mutex_, [this] { return working_ == 0; });
    caller_sleeps_ = false;
  }

  void take_tasks() noexcept {
    for (;;) {
      const int index = next_.fetch_add(1, std::memory_order_relaxed);
      if (index >= tasks_) return;
      task_(context_, index);
    }
  }

  void serve() {
    const auto called = [this] { return stopped_ || places_.load(std::memory_order_relaxed) > 0; };
    for (;;) {
      look(called);
      std::unique_lock lock(mutex_);
      ++sleeping_;
      wait(wake_, mutex_, called);
      --sleeping_;
      if (stopped_) return;
      places_.fetch_sub(1, std::memory_order_relaxed);
      working_.fetch_add(1, std::memory_order_relaxed);
      lock.unlock();
      take_tasks();
      // This does not take the mutex, for which the caller would have to wait. Each side writes its
      // own state before it reads the other's, all in sequentially consistent order.
      if (--working_ > 0 || !caller_sleeps_) continue;
      lock.lock();
      idle_.notify_one();
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
  // Changed under the mutex, and looked at without it.
  std::atomic<int> places_ = 0;   // how many more workers may join the job
  std::atomic<int> working_ = 0;  // how many have joined and not finished
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> caller_sleeps_ = false;
  int sleeping_ = 0;  // under the mutex alone

  std::vector<std::thread> threads_;
};

void run_serially(int tasks, void (*task)(void* context, int index), void* context) noexcept {
  for (int index = 0; index < tasks; ++index) task(context, index);
}

class WorkerPool final : public Threads {
 public:
  explicit WorkerPool(int count)
      : workers_(count > 1 ? std::make_unique<Workers>(count - 1) : nullptr),
        count_(workers_ == nullptr ? 1 : 1 + workers_->count()) {}
  // The child of a fork has the memory of the workers but not the threads: joining them, or
  // destroying what they waited on, would never return.
  ~WorkerPool() override {
    if (is_forked()) static_cast<void>(workers_.release());
  }

  int count() const noexcept override { return count_; }

  void parallel(int tasks, void (*task)(void*, int), void* context) noexcept override {
    const bool helped =
        tasks > 1 && workers_ != nullptr && !is_forked() && workers_->run(tasks, task, context);
    if (!helped) run_serially(tasks, task, context);
  }

 private:
  bool is_forked() const noexcept { return fork_count() != forks_; }

  const unsigned forks_ = fork_count();
  std::unique_ptr<Workers> workers_;
  const int count_;
};

}  // namespace

std::unique_ptr<Threads> make_worker_pool(int count) { return std::make_unique<WorkerPool>(count); }

}  // namespace windrow::internal
