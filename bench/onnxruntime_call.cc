// A session of ONNX Runtime with bound inputs and outputs, called from C++ again and again. Loaded
// by bench/peers/contestants/onnx_runtime_cpp.py, whose structs mirror the ones here: it shows what
// a small call costs without Python around it. Nothing is linked to ONNX Runtime: the caller gives
// the function from which all others come.

#define ORT_API_MANUAL_INIT
#include <onnxruntime_cxx_api.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>

#include "windrow/export.h"

namespace windrow::bench {
namespace {

// A contiguous tensor in the caller's memory, which must live as long as the call.
struct BoundTensor {
  const char* name;
  std::int32_t element_type;  // an ONNXTensorElementDataType
  std::int64_t rank;
  const std::int64_t* shape;
  void* data;
  std::int64_t bytes;
};

struct Description {
  const OrtApiBase* (*get_api_base)();
  const void* model;
  std::int64_t model_bytes;
  std::int64_t threads;
  std::int64_t input_count;
  const BoundTensor* inputs;
  BoundTensor output;
};

struct BoundSession {
  Ort::Env environment;
  Ort::Session session;
  Ort::IoBinding binding;
};

// The options of bench/peers/contestants/onnx_runtime.py.
Ort::SessionOptions options_of(const Description& description) {
  Ort::SessionOptions options;
  options.SetIntraOpNumThreads(static_cast<int>(description.threads));
  options.SetInterOpNumThreads(1);
  options.SetLogSeverityLevel(ORT_LOGGING_LEVEL_ERROR);
  return options;
}

Ort::Value value_of(const BoundTensor& tensor) {
  const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  return Ort::Value::CreateTensor(memory, tensor.data, static_cast<std::size_t>(tensor.bytes),
                                  tensor.shape, static_cast<std::size_t>(tensor.rank),
                                  static_cast<ONNXTensorElementDataType>(tensor.element_type));
}

// Throws Ort::Exception where the library gives an error.
std::unique_ptr<BoundSession> make_session(const Description& description) {
  Ort::InitApi(description.get_api_base()->GetApi(ORT_API_VERSION));
  Ort::Env environment(ORT_LOGGING_LEVEL_ERROR, "bench");
  Ort::Session session(environment, description.model,
                       static_cast<std::size_t>(description.model_bytes), options_of(description));
  Ort::IoBinding binding(session);
  const auto count = static_cast<std::size_t>(description.input_count);
  for (const BoundTensor& input : std::span(description.inputs, count))
    binding.BindInput(input.name, value_of(input));
  binding.BindOutput(description.output.name, value_of(description.output));
  return std::make_unique<BoundSession>(
      BoundSession{std::move(environment), std::move(session), std::move(binding)});
}

// The seconds of all calls; negative if one fails.
double run_calls(BoundSession& call, std::uint64_t calls) {
  const Ort::RunOptions none{nullptr};
  const auto start = std::chrono::steady_clock::now();
  try {
    for (std::uint64_t i = 0; i < calls; ++i) call.session.Run(none, call.binding);
  } catch (const Ort::Exception&) {
    return -1;
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace
}  // namespace windrow::bench

extern "C" {

// Null if the session cannot be made; `message`, of `size` bytes, then says why.
WINDROW_EXPORT void* onnxruntime_call_new(const windrow::bench::Description* description,
                                          char* message, std::size_t size) {
  if (description->get_api_base()->GetApi(ORT_API_VERSION) == nullptr) {
    std::snprintf(message, size, "the library is older than the header: no API of version %d",
                  ORT_API_VERSION);
    return nullptr;
  }
  try {
    return windrow::bench::make_session(*description).release();
  } catch (const std::exception& error) {
    std::snprintf(message, size, "%s", error.what());
    return nullptr;
  }
}

WINDROW_EXPORT void onnxruntime_call_delete(void* call) {
  delete static_cast<windrow::bench::BoundSession*>(call);
}

// The seconds of the given number of calls; negative if one fails.
WINDROW_EXPORT double onnxruntime_call_run(void* call, std::uint64_t calls) {
  return windrow::bench::run_calls(*static_cast<windrow::bench::BoundSession*>(call), calls);
}
}
