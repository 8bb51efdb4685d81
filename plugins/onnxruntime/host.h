#ifndef WINDROW_PLUGINS_ONNXRUNTIME_HOST_H_
#define WINDROW_PLUGINS_ONNXRUNTIME_HOST_H_

#include <onnxruntime_c_api.h>

#include <exception>
#include <memory>

#include "windrow/status.h"
#include "windrow/threads.h"

namespace windrow::plugins {

// The oldest release that has kernel registries. Only members of that version are used, so that one
// library works with it and with all newer releases.
inline constexpr std::uint32_t kHostVersion = 24;
inline constexpr const char* kProviderName = "WindrowExecutionProvider";

// The functions of the process's ONNX Runtime. They are valid as long as it is loaded.
struct Host {
  const OrtApi& ort;
  const OrtEpApi& ep;
};

// Converts an error to one of the host: invalid argument if the caller can correct it. Returns null
// on success.
OrtStatus* to_host(const OrtApi& ort, const Status& status) noexcept;

// Runs `body`, which returns an OrtStatus*. No exception reaches the host.
template <class Body>
OrtStatus* guarded(const OrtApi& ort, Body&& body) noexcept {
  try {
    return body();
  } catch (const std::exception& fault) {
    return ort.CreateStatus(ORT_RUNTIME_EXCEPTION, fault.what());
  } catch (...) {
    return ort.CreateStatus(ORT_RUNTIME_EXCEPTION, "windrow: unknown exception");
  }
}

// Whether the host's call succeeded. Its error is released.
inline bool succeeded(const OrtApi& ort, OrtStatus* status) noexcept {
  if (status != nullptr) ort.ReleaseStatus(status);
  return status == nullptr;
}

// An object of the host, with the function that releases it.
template <class T>
using HostOwned = std::unique_ptr<T, void (*)(T*)>;

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

#endif  // WINDROW_PLUGINS_ONNXRUNTIME_HOST_H_
