#include "plugins/torch/threads.h"

#include <torch/csrc/stable/c/shim.h>

#include <atomic>
#include <cstdint>

namespace windrow::torch_plugin {
namespace {

struct Job {
  void (*task)(void*, int);
  void* context;
  std::atomic<int> done{0};
};

void run_range(int64_t begin, int64_t end, void* context) {
  auto* job = static_cast<Job*>(context);
  for (int64_t i = begin; i < end; ++i) job->task(job->context, static_cast<int>(i));
  job->done.fetch_add(static_cast<int>(end - begin), std::memory_order_relaxed);
}

void parallel(void*, int tasks, void (*task)(void*, int), void* context) {
  Job job{task, context};
  const auto code = torch_parallel_for(0, tasks, 1, run_range, &job);
  // Tasks do not throw, so torch fails before it has started one, if at all.
  if (code != AOTI_TORCH_SUCCESS && job.done.load() == 0) run_range(0, tasks, &job);
}

}  // namespace

windrow_threads host_threads() noexcept {
  uint32_t count = 1;
  if (torch_get_num_threads(&count) != AOTI_TORCH_SUCCESS || count == 0) count = 1;
  return {.count = static_cast<int32_t>(count), .parallel = parallel, .user = nullptr};
}

}  // namespace windrow::torch_plugin
