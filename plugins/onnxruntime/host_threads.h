#ifndef WINDROW_PLUGINS_ONNXRUNTIME_HOST_THREADS_H_
#define WINDROW_PLUGINS_ONNXRUNTIME_HOST_THREADS_H_

#include <onnxruntime_c_api.h>

#include "windrow/threads.h"

namespace windrow::plugins {

// The session's own thread pool during one kernel call.
class HostThreads final : public Threads {
 public:
  // `count`: the number of threads of the session, which the host does not pass to kernels.
  HostThreads(const OrtApi& ort, const OrtKernelContext* context, int count) noexcept
      : ort_(ort), context_(context), count_(count) {}

  int count() const noexcept override { return count_; }
  void parallel(int tasks, void (*task)(void* context, int index), void* context) noexcept override;

 private:
  const OrtApi& ort_;
  const OrtKernelContext* context_;
  int count_;
};

}  // namespace windrow::plugins

#endif  // WINDROW_PLUGINS_ONNXRUNTIME_HOST_THREADS_H_
