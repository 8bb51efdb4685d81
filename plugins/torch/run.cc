#include "plugins/torch/run.h"

#include <torch/csrc/stable/c/shim.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "plugins/torch/view.h"
#include "windrow/call_cache.h"

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

namespace {

using Plan = std::shared_ptr<const windrow_plan>;

// The plans of the latest calls. Never destroyed: threads of torch may still run when the process
// ends.
constinit CallSlots<Plan, 512> kept_plans;

// Of an input that is not given, null, a type that no view has stands in the key.
void add_view(CallKey& key, const View* given) {
  key.add(given == nullptr ? WINDROW_ABSENT : given->dtype);
  if (given == nullptr) return;
  const View& view = *given;
  key.add(view.rank);
  key.add(view.shape, static_cast<std::size_t>(view.rank));
  key.add(view.strides, static_cast<std::size_t>(view.rank));
}

// How Windrow calls the operator, and its attributes.
struct OperatorRow {
  const char* dialect;
  const char* name;
  bool has_axis;       // whether the axis is an attribute
  bool axis_is_input;  // whether the axis is the last input
  bool has_reduction;
  std::array<const char*, 6> reductions;  // by Reduction
};

constexpr std::array<const char*, 6> kNoReductions = {};
constexpr std::array<const char*, 6> kOpenVino = {"none", "sum", "prod", "mean", "max", "min"};
constexpr std::array<const char*, 6> kOnnx = {"none", "add", "mul", nullptr, "max", "min"};

constexpr OperatorRow kRows[] = {
    {"array", "Take", true, false, false, kNoReductions},
    {"array", "TakeAlongAxis", true, false, false, kNoReductions},
    {"array", "IndexAdd", true, false, false, kNoReductions},
    {"openvino", "ScatterElementsUpdate", false, true, true, kOpenVino},
    {"onnx", "ScatterElements", true, false, true, kOnnx},
    {"onnx", "GatherND", false, false, false, kNoReductions},
    {"onnx", "ScatterND", false, false, true, kOnnx},
    {"array", "EmbeddingBag", false, false, true, kOpenVino},
};

constexpr windrow_tensor kAbsent = {
    .dtype = WINDROW_ABSENT, .rank = 0, .shape = nullptr, .byte_strides = nullptr, .data = nullptr};

windrow_attribute int_attribute(const char* name, int64_t value) {
  return {.name = name,
          .kind = WINDROW_ATTRIBUTE_INT,
          .int_value = value,
          .float_value = 0,
          .string_value = nullptr,
          .ints = nullptr,
          .ints_count = 0};
}

windrow_attribute text_attribute(const char* name, const char* value) {
  windrow_attribute attribute = int_attribute(name, 0);
  attribute.kind = WINDROW_ATTRIBUTE_STRING;
  attribute.string_value = value;
  return attribute;
}

bool is_fresh(const View& output) {
  int64_t bytes = windrow_dtype_bits(output.dtype) / 8;
  for (const int64_t extent : output.extents()) bytes *= extent;
  return bytes >= WINDROW_FRESH_BYTES;
}

[[noreturn]] void fail(windrow_error* error, const IndexMeaning& index) {
  const bool from_end = index.reading.negative == WINDROW_NEGATIVE_FROM_END;
  torch_plugin::fail(error, index.name, index.rank, index.copies, from_end);
}

Plan compile(const Call& call, const OperatorRow& row, std::span<const windrow_tensor> inputs) {
  windrow_attribute attributes[3];
  std::size_t count = 0;
  if (row.has_axis) attributes[count++] = int_attribute("axis", call.dim);
  if (row.has_reduction) {
    const char* name = row.reductions[static_cast<std::size_t>(call.reduction)];
    if (name == nullptr) torch_plugin::fail("there is no such reduction for index tuples");
    attributes[count++] = text_attribute("reduction", name);
  }
  if (!call.include_self) attributes[count++] = int_attribute("use_init_val", 0);
  if (call.has_end) attributes[count++] = int_attribute("include_last_offset", 1);
  if (call.in_float32) attributes[count++] = text_attribute("accumulate", "float32");
  const Reading& reading = call.index.reading;
  const windrow_call_options options = {.size = sizeof(windrow_call_options),
                                        .out_of_range = reading.out_of_range,
                                        .strict = 0,
                                        .duplicates = 0,
                                        .kernels = nullptr,
                                        .negative = reading.negative,
                                        .has_padding_index = reading.padding_index.has_value(),
                                        .padding_index = reading.padding_index.value_or(0)};
  windrow_plan* plan = nullptr;
  windrow_error* error = nullptr;
  if (windrow_compile(row.dialect, row.name, 0, attributes, count, inputs.data(), inputs.size(),
                      &options, &plan, &error) != WINDROW_OK) {
    fail(error, call.index);
  }
  return {plan, [](const windrow_plan* old) { windrow_plan_free(const_cast<windrow_plan*>(old)); }};
}

Plan get_plan(const Call& call, const OperatorRow& row, std::span<const View* const> views,
              std::span<const windrow_tensor> inputs) {
  CallKey key;
  key.add(call.op);
  key.add(call.dim);
  key.add(call.reduction);
  key.add(call.include_self);
  key.add(call.has_end);
  key.add(call.in_float32);
  const Reading& reading = call.index.reading;
  key.add(reading.out_of_range);
  key.add(reading.negative);
  key.add(reading.padding_index.has_value());
  key.add(reading.padding_index.value_or(0));
  for (const View* view : views) add_view(key, view);
  if (std::optional<Plan> known = kept_plans.find(key)) return *std::move(known);
  Plan plan = compile(call, row, inputs);
  kept_plans.keep(key, plan);
  return plan;
}

}  // namespace

void run(const Call& call, std::span<const View* const> inputs, const View& output) {
  const OperatorRow& row = kRows[static_cast<std::size_t>(call.op)];
  const windrow_threads threads = host_threads();
  windrow_tensor tensors[4];
  std::size_t count = 0;
  for (const View* view : inputs) tensors[count++] = view == nullptr ? kAbsent : view->c();
  int64_t axis = call.dim;
  if (row.axis_is_input) {
    tensors[count++] = {.dtype = WINDROW_INT64,
                        .rank = 0,
                        .shape = nullptr,
                        .byte_strides = nullptr,
                        .data = &axis};
  }
  const bool in_place = output.data == inputs[0]->data;
  const Plan plan = get_plan(call, row, inputs, {tensors, count});
  const windrow_tensor result = output.c();
  const windrow_run_options options = {.size = sizeof(windrow_run_options),
                                       .threads = &threads,
                                       .scratch = nullptr,
                                       .scratch_bytes = 0,
                                       .fresh_output = !in_place && is_fresh(output)};
  windrow_error* error = nullptr;
  if (windrow_plan_run(plan.get(), tensors, count, &result, &options, &error) != WINDROW_OK) {
    fail(error, call.index);
  }
}

}  // namespace windrow::torch_plugin
