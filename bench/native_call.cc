// A compiled plan, called from C++ again and again. Loaded by
// bench/draws/contestants/windrow_cpp.py, whose structs mirror the ones here: it shows what a small
// call costs without Python around it.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "windrow/export.h"
#include "windrow/windrow.h"

namespace windrow::bench {
namespace {

// A tensor in the caller's memory, which must live as long as the call.
struct Operand {
  const char* dtype;
  std::int64_t rank;
  const std::int64_t* shape;
  const std::int64_t* byte_strides;
  void* data;
};

struct Attribute {
  const char* name;
  const char* text;  // null: `number` is the value
  std::int64_t number;
};

// threads: 1 runs on the calling thread alone.
struct Description {
  const char* dialect;
  const char* name;
  const char* out_of_range;  // null: as the operator's version says
  std::int64_t threads;
  std::int64_t attribute_count;
  const Attribute* attributes;
  std::int64_t input_count;
  const Operand* inputs;
  Operand output;
};

struct Call {
  Plan plan;
  std::vector<TensorView> inputs;
  MutableTensorView output;
  std::unique_ptr<Threads> threads;
};

MutableTensorView view_of(const Operand& operand) {
  const auto rank = static_cast<std::size_t>(operand.rank);
  return {parse_dtype(operand.dtype).value(), Shape(std::span(operand.shape, rank)),
          Strides(std::span(operand.byte_strides, rank)), operand.data};
}

Attributes attributes_of(const Description& description) {
  Attributes attributes;
  for (std::int64_t i = 0; i < description.attribute_count; ++i) {
    const Attribute& one = description.attributes[i];
    if (one.text != nullptr) {
      attributes[one.name] = std::string(one.text);
    } else {
      attributes[one.name] = one.number;
    }
  }
  return attributes;
}

// Throws Error where the library gives an error.
std::unique_ptr<Call> make_call(const Description& description) {
  std::vector<TensorView> inputs;
  std::vector<TensorSpec> specs;
  for (std::int64_t i = 0; i < description.input_count; ++i) {
    inputs.push_back(view_of(description.inputs[i]));
    specs.push_back(inputs.back().spec());
  }
  CallOptions options;
  if (description.out_of_range != nullptr)
    options.out_of_range = parse_out_of_range(description.out_of_range);
  const OperatorId id{description.dialect, description.name, std::nullopt};
  Plan plan = compile(id, attributes_of(description), specs, options).value();
  std::unique_ptr<Threads> threads;
  if (description.threads > 1) threads = make_threads(static_cast<int>(description.threads));
  return std::make_unique<Call>(
      Call{std::move(plan), std::move(inputs), view_of(description.output), std::move(threads)});
}

// The seconds of all calls; negative if one fails.
double run_calls(const Call& call, std::uint64_t calls) {
  const RunOptions options{.threads = call.threads.get()};
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i < calls; ++i)
    if (!call.plan.run(call.inputs, call.output, options)) return -1;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace
}  // namespace windrow::bench

extern "C" {

// Null if the plan cannot be made; `message`, of `size` bytes, then says why.
WINDROW_EXPORT void* native_call_new(const windrow::bench::Description* description, char* message,
                                     std::size_t size) {
  try {
    return windrow::bench::make_call(*description).release();
  } catch (const std::exception& error) {
    std::snprintf(message, size, "%s", error.what());
    return nullptr;
  }
}

WINDROW_EXPORT void native_call_delete(void* call) {
  delete static_cast<windrow::bench::Call*>(call);
}

// The seconds of the given number of calls; negative if one fails.
WINDROW_EXPORT double native_call_run(const void* call, std::uint64_t calls) {
  return windrow::bench::run_calls(*static_cast<const windrow::bench::Call*>(call), calls);
}
}
