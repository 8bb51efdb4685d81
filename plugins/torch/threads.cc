#include "plugins/torch/threads.h"

#include <torch/csrc/stable/c/shim.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace windrow::torch_plugin {
namespace {

struct Job {
  void (*task)(void*, int);
  void* context;
  int tasks;
  std::atomic<int> next{0};
};

// A thread that starts late leaves the tasks to the others.
void run_what_is_left(int64_t, int64_t, void* context) {
  auto* job = static_cast<Job*>(context);
  for (int i = job->next++; i < job->tasks; i = job->next++) job->task(job->context, i);
}

int count_threads() noexcept {
  uint32_t count = 1;
  if (torch_get_num_threads(&count) != AOTI_TORCH_SUCCESS || count == 0) return 1;
  return static_cast<int>(count);
}

void parallel(void*, int tasks, void (*task)(void*, int), void* context) {
  Job job{task, context, tasks};
  // One range for each thread. Nothing here throws. If torch fails, none of its threads has started
  // a task.
  torch_parallel_for(0, std::min(count_threads(), tasks), 1, run_what_is_left, &job);
  run_what_is_left(0, 0, &job);
}

}  // namespace

windrow_threads host_threads() noexcept {
  return {.count = count_threads(), .parallel = parallel, .user = nullptr};
}

}  // namespace windrow::torch_plugin
