#include "plugins/jax/handler.h"

#include <xla/ffi/api/c_api.h>

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "plugins/jax/compiled_call.h"

namespace windrow::jax {
namespace {

using SharedCall = std::shared_ptr<const CompiledCall>;

// Never destroyed: XLA's threads may still run at the end of the process.
constinit CallSlots<SharedCall, 256> kept_calls;

XLA_FFI_Error_Code code_of(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kIndexOutOfRange:
      return XLA_FFI_Error_Code_OUT_OF_RANGE;
    case ErrorCode::kUnsupported:
      return XLA_FFI_Error_Code_UNIMPLEMENTED;
    case ErrorCode::kOutOfMemory:
      return XLA_FFI_Error_Code_RESOURCE_EXHAUSTED;
    case ErrorCode::kInternal:
      return XLA_FFI_Error_Code_INTERNAL;
    case ErrorCode::kInterrupted:
      return XLA_FFI_Error_Code_CANCELLED;
    default:
      return XLA_FFI_Error_Code_INVALID_ARGUMENT;
  }
}

XLA_FFI_Error* make_error(const XLA_FFI_Api* api, XLA_FFI_Error_Code code,
                          const char* message) noexcept {
  XLA_FFI_Error_Create_Args args = {XLA_FFI_Error_Create_Args_STRUCT_SIZE, nullptr, message, code};
  return api->XLA_FFI_Error_Create(&args);
}

Status run_frame(const XLA_FFI_CallFrame& frame) {
  const CallKey key = key_of(frame);
  if (const std::optional<SharedCall> known = kept_calls.find(key)) return run_call(**known, frame);
  Result<CompiledCall> compiled = compile_call(frame);
  if (!compiled) return compiled.error();
  const auto call = std::make_shared<const CompiledCall>(*std::move(compiled));
  kept_calls.keep(key, call);
  return run_call(*call, frame);
}

// XLA asks once, when the handler is registered.
void tell_version(XLA_FFI_Extension_Base* extension) noexcept {
  XLA_FFI_Metadata* metadata = reinterpret_cast<XLA_FFI_Metadata_Extension*>(extension)->metadata;
  metadata->api_version = {XLA_FFI_Api_Version_STRUCT_SIZE, nullptr, XLA_FFI_API_MAJOR,
                           XLA_FFI_API_MINOR};
  metadata->traits = 0;
}

XLA_FFI_Error* handle(XLA_FFI_CallFrame* frame) noexcept {
  if (frame->extension_start != nullptr &&
      frame->extension_start->type == XLA_FFI_Extension_Metadata) {
    tell_version(frame->extension_start);
    return nullptr;
  }
  if (frame->stage != XLA_FFI_ExecutionStage_EXECUTE)
    return make_error(frame->api, XLA_FFI_Error_Code_INVALID_ARGUMENT,
                      "windrow's handler is for the execute stage alone");
  const SubnormalNumbers kept;
  try {
    const Status status = run_frame(*frame);
    if (status) return nullptr;
    return make_error(frame->api, code_of(status.code()), status.message().c_str());
  } catch (const std::bad_alloc&) {
    return make_error(frame->api, XLA_FFI_Error_Code_RESOURCE_EXHAUSTED, "out of memory");
  } catch (const std::exception& error) {
    return make_error(frame->api, XLA_FFI_Error_Code_INTERNAL, error.what());
  }
}

}  // namespace

void* ffi_handler() noexcept {
  XLA_FFI_Handler* const handler = &handle;
  return reinterpret_cast<void*>(handler);
}

}  // namespace windrow::jax
