#include "plugins/onnxruntime/host.h"

#include <atomic>
#include <cstddef>

namespace windrow::plugins {
namespace {

OrtErrorCode host_code(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kUnsupported:
      return ORT_NOT_IMPLEMENTED;
    case ErrorCode::kOutOfMemory:
    case ErrorCode::kInternal:
    case ErrorCode::kInterrupted:
      return ORT_RUNTIME_EXCEPTION;
    default:
      return ORT_INVALID_ARGUMENT;
  }
}

}  // namespace

OrtStatus* to_host(const OrtApi& ort, const Status& status) noexcept {
  if (status.ok()) return nullptr;
  return ort.CreateStatus(host_code(status.code()), status.message().c_str());
}

namespace {

struct Tasks {
  void (*task)(void* context, int index);
  void* context;
  int count;
  std::atomic<int> next = 0;

  bool run_next() noexcept {
    const int index = next.fetch_add(1, std::memory_order_relaxed);
    if (index < count) task(context, index);
    return index < count;
  }
};

}  // namespace

void HostThreads::parallel(int tasks, void (*task)(void* context, int index),
                           void* context) noexcept {
  Tasks all{task, context, tasks};
  const auto run_one = [](void* user, std::size_t) { static_cast<Tasks*>(user)->run_next(); };
  const auto count = static_cast<std::size_t>(tasks);
  succeeded(ort_, ort_.KernelContext_ParallelFor(context_, run_one, count, count, &all));
  // Runs the tasks that a failed pool has left.
  while (all.run_next()) {
  }
}

}  // namespace windrow::plugins
