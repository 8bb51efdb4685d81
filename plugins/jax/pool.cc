#include "plugins/jax/pool.h"

#include <algorithm>
#include <atomic>
#include <new>

#include "plugins/jax/compiled_call.h"

namespace windrow::jax {
namespace {

// The tasks of one parallel(). Owned jointly by the caller and every scheduled helper: a helper
// that begins after the caller has returned finds no task left and ends.
class Team {
 public:
  Team(int tasks, void (*task)(void*, int), void* context) noexcept
      : task_(task), context_(context), tasks_(tasks), unfinished_(tasks) {}

  void work() noexcept {
    for (;;) {
      const int index = next_.fetch_add(1, std::memory_order_relaxed);
      if (index >= tasks_) return;
      task_(context_, index);
      if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
    }
  }
  void wait() noexcept {
    for (int left = unfinished_.load(std::memory_order_acquire); left != 0;
         left = unfinished_.load(std::memory_order_acquire))
      unfinished_.wait(left, std::memory_order_acquire);
  }
  void add_owner() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 private:
  ~Team() = default;

  void (*task_)(void*, int);
  void* context_;
  int tasks_;
  std::atomic<int> next_ = 0;
  std::atomic<int> unfinished_;
  std::atomic<int> owners_ = 1;
};

void help(void* team) {
  const SubnormalNumbers kept;
  static_cast<Team*>(team)->work();
  static_cast<Team*>(team)->release();
}

void destroy(const XLA_FFI_Api* api, XLA_FFI_Error* error) noexcept {
  XLA_FFI_Error_Destroy_Args args = {XLA_FFI_Error_Destroy_Args_STRUCT_SIZE, nullptr, error};
  api->XLA_FFI_Error_Destroy(&args);
}

}  // namespace

int Pool::count() const noexcept {
  if (count_ != 0) return count_;
  std::int64_t threads = 1;
  XLA_FFI_ThreadPool_NumThreads_Args args = {XLA_FFI_ThreadPool_NumThreads_Args_STRUCT_SIZE,
                                             nullptr, context_, &threads};
  if (XLA_FFI_Error* error = api_->XLA_FFI_ThreadPool_NumThreads(&args)) {
    destroy(api_, error);  // XLA has no pool for this call
    threads = 1;
  }
  count_ = static_cast<int>(std::clamp<std::int64_t>(threads, 1, 4096));
  return count_;
}

bool Pool::schedule(XLA_FFI_Task* task, void* data) const noexcept {
  XLA_FFI_ThreadPool_Schedule_Args args = {XLA_FFI_ThreadPool_Schedule_Args_STRUCT_SIZE, nullptr,
                                           context_, task, data};
  XLA_FFI_Error* error = api_->XLA_FFI_ThreadPool_Schedule(&args);
  if (error == nullptr) return true;
  destroy(api_, error);
  return false;
}

void Pool::parallel(int tasks, void (*task)(void* context, int index), void* context) noexcept {
  Team* team = new (std::nothrow) Team(tasks, task, context);
  if (team == nullptr) {
    for (int index = 0; index < tasks; ++index) task(context, index);
    return;
  }
  for (int helper = 1; helper < std::min(tasks, count()); ++helper) {
    team->add_owner();
    if (schedule(&help, team)) continue;
    team->release();
    break;
  }
  team->work();
  team->wait();
  team->release();
}

}  // namespace windrow::jax
