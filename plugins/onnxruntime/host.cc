#include "plugins/onnxruntime/host.h"

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

}  // namespace windrow::plugins
