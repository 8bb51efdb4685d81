#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/c_api/error.h"
#include "src/c_api/tensors.h"
#include "src/operators/left_out.h"
#include "src/operators/operator_call.h"
#include "windrow/c.h"

struct windrow_plan {
  windrow::Plan plan;
};

struct windrow_strings {
  windrow::Tensor tensor;
};

namespace windrow::internal {
namespace {

struct CompileArguments {
  const char* dialect;
  const char* op;
  int version;
  const windrow_attribute* attributes;
  std::size_t attribute_count;
  const windrow_tensor* inputs;
  std::size_t input_count;
  const windrow_call_options* options;
};

// Adds the values that follow from the ids of compile where inputs are left out.
Status read_left_out_values(const OperatorRow& row, const CompileArguments& arguments,
                            std::vector<TensorSpec>* specs) {
  for (std::size_t i = 0; i < row.inputs.size(); ++i) {
    const int counted = row.inputs[i].counted_input;
    const auto ids = static_cast<std::size_t>(counted);
    const bool is_given = i < specs->size() && !(*specs)[i].is_absent();
    if (counted < 0 || is_given || ids >= specs->size() || (*specs)[ids].is_absent()) continue;
    const Result<MutableTensorView> view = read_tensor(arguments.inputs[ids], true);
    if (!view) continue;  // compile then says that the number is not known
    const TensorView views[] = {*view};
    const std::optional<std::int64_t> count = count_by_last_id(views, 0);
    if (!count) continue;
    Result<Tensor> value = Tensor::copy_of({DType::kInt64, {}, &*count});
    if (!value) return value.error();
    specs->resize(std::max(specs->size(), i + 1));
    (*specs)[i].value = std::make_shared<const Tensor>(*std::move(value));
  }
  return {};
}

// Reads the values of inputs that the plan depends on, where compile was given their memory.
Status read_known_values(const OperatorRow& row, const CompileArguments& arguments,
                         std::vector<TensorSpec>* specs) {
  if (Status status = read_left_out_values(row, arguments, specs); !status) return status;
  for (std::size_t i = 0; i < specs->size() && i < row.inputs.size(); ++i) {
    TensorSpec& spec = (*specs)[i];
    if (!is_fixed(row.inputs[i].group) || spec.is_absent() || i >= arguments.input_count ||
        arguments.inputs[i].data == nullptr)
      continue;
    const std::int64_t count = element_count(spec.shape).value_or(0);
    if (count == 0 || count > kMostFixed) continue;
    const Result<MutableTensorView> view = read_tensor(arguments.inputs[i], true);
    if (!view) return view.error().with_context(row.inputs[i].name);
    Result<Tensor> value = Tensor::copy_of(*view);
    if (!value) return value.error();
    spec.value = std::make_shared<const Tensor>(*std::move(value));
  }
  return {};
}

Result<Plan> compile_from_c(const CompileArguments& arguments) {
  if (arguments.dialect == nullptr) return invalid_argument("dialect is null");
  if (arguments.op == nullptr) return invalid_argument("op is null");
  std::optional<int> version;
  if (arguments.version != 0) version = arguments.version;
  Result<Attributes> attributes = read_attributes(arguments.attributes, arguments.attribute_count);
  if (!attributes) return attributes.error();
  Result<std::vector<TensorSpec>> specs = read_specs(arguments.inputs, arguments.input_count);
  if (!specs) return specs.error();
  Result<CallOptions> options = read_call_options(arguments.options);
  if (!options) return options.error();
  const auto row = find_row(arguments.dialect, arguments.op, version);
  if (!row) return row.error();
  if (Status status = read_known_values(**row, arguments, &*specs); !status) return status;
  return compile_row(**row, *attributes, *specs, *options);
}

// The arguments that both ways to run a plan have in common.
struct RunArguments {
  const windrow_tensor* inputs;
  std::size_t input_count;
  const windrow_tensor* output;
  const windrow_run_options* options;
};

// Reads the arguments and passes them to run(inputs, output, options).
template <class Run>
Status with_arguments(const RunArguments& arguments, Run run) {
  if (arguments.output == nullptr) return invalid_argument("output is null");
  Result<MutableTensorView> output = read_tensor(*arguments.output, true);
  if (!output) return output.error().with_context("output");
  Result<Inputs> inputs = read_inputs(arguments.inputs, arguments.input_count);
  if (!inputs) return inputs.error();
  CallerObjects objects;
  RunOptions options;
  if (Status status = read_run_options(arguments.options, &objects, &options); !status)
    return status;
  return run(inputs->views, *output, options);
}

Status run_numbers(const windrow_plan* given, const RunArguments& arguments) {
  if (given == nullptr) return invalid_argument("plan is null");
  const Plan& plan = given->plan;
  if (plan.result().dtype == DType::kString)
    return invalid_argument("the result is strings: windrow_plan_run_strings runs this plan");
  return with_arguments(
      arguments, [&](const std::vector<TensorView>& inputs, const MutableTensorView& output,
                     const RunOptions& options) { return plan.run(inputs, output, options); });
}

Status run_strings(const windrow_plan* given, const RunArguments& arguments,
                   std::unique_ptr<windrow_strings>* strings) {
  if (given == nullptr) return invalid_argument("plan is null");
  const Plan& plan = given->plan;
  const TensorSpec& expected = plan.result();
  if (expected.dtype != DType::kString)
    return invalid_argument("the result is " + std::string(dtype_name(expected.dtype)) +
                            ": windrow_plan_run runs this plan");
  return with_arguments(
      arguments,
      [&](const std::vector<TensorView>& inputs, const MutableTensorView& output,
          const RunOptions& options) -> Status {
        if (output.dtype != DType::kString)
          return Status(
              ErrorCode::kType,
              "output: dtype is " + std::string(dtype_name(output.dtype)) + ", not string");
        if (output.shape != expected.shape)
          return Status(ErrorCode::kShape, "output: shape is " + to_string(output.shape) +
                                               ", the result's is " + to_string(expected.shape));
        Result<Tensor> result = plan.run(inputs, options);
        if (!result) return result.error();
        *strings = std::make_unique<windrow_strings>(windrow_strings{*std::move(result)});
        refer_to_strings((*strings)->tensor, output);
        return {};
      });
}

}  // namespace
}  // namespace windrow::internal

using windrow::Plan;
using windrow::Result;
using windrow::Status;
using windrow::internal::guarded;
using windrow::internal::invalid_argument;

windrow_code windrow_compile(const char* dialect, const char* op, int version,
                             const windrow_attribute* attributes, size_t attribute_count,
                             const windrow_tensor* inputs, size_t input_count,
                             const windrow_call_options* options, windrow_plan** plan,
                             windrow_error** error) {
  return guarded(error, [&]() -> Status {
    if (plan == nullptr) return invalid_argument("plan is null");
    Result<Plan> compiled = windrow::internal::compile_from_c(
        {dialect, op, version, attributes, attribute_count, inputs, input_count, options});
    if (!compiled) return compiled.error();
    *plan = new windrow_plan{*std::move(compiled)};
    return {};
  });
}

windrow_code windrow_plan_run(const windrow_plan* plan, const windrow_tensor* inputs,
                              size_t input_count, const windrow_tensor* output,
                              const windrow_run_options* options, windrow_error** error) {
  return guarded(error, [&] {
    return windrow::internal::run_numbers(plan, {inputs, input_count, output, options});
  });
}

windrow_code windrow_plan_run_strings(const windrow_plan* plan, const windrow_tensor* inputs,
                                      size_t input_count, const windrow_tensor* output,
                                      const windrow_run_options* options, windrow_strings** strings,
                                      windrow_error** error) {
  return guarded(error, [&]() -> Status {
    if (strings == nullptr) return invalid_argument("strings is null");
    std::unique_ptr<windrow_strings> made;
    Status status =
        windrow::internal::run_strings(plan, {inputs, input_count, output, options}, &made);
    if (status) *strings = made.release();
    return status;
  });
}

void windrow_strings_free(windrow_strings* strings) { delete strings; }

void windrow_plan_result(const windrow_plan* plan, windrow_tensor* result) {
  if (result == nullptr) return;
  *result = {};
  if (plan == nullptr) return;
  const windrow::TensorSpec& spec = plan->plan.result();
  *result = {windrow::internal::to_c(spec.dtype), spec.shape.rank(), spec.shape.begin(), nullptr,
             nullptr};
}

size_t windrow_plan_scratch_bytes(const windrow_plan* plan, int threads) {
  return plan == nullptr ? 0 : plan->plan.scratch_bytes(threads);
}

// The text of both is zero-terminated: a std::string's and a literal's.
const char* windrow_plan_operator(const windrow_plan* plan) {
  return plan == nullptr ? nullptr : plan->plan.operator_name().data();
}

const char* windrow_plan_kernel_set(const windrow_plan* plan) {
  return plan == nullptr ? nullptr : plan->plan.kernel_set().data();
}

size_t windrow_plan_note_count(const windrow_plan* plan) {
  return plan == nullptr ? 0 : plan->plan.notes().size();
}

const char* windrow_plan_note(const windrow_plan* plan, size_t index) {
  if (plan == nullptr) return nullptr;
  const auto notes = plan->plan.notes();
  return index < notes.size() ? notes[index].c_str() : nullptr;
}

size_t windrow_plan_describe(const windrow_plan* plan, char* buffer, size_t size) {
  std::string text;
  try {
    if (plan != nullptr) text = plan->plan.describe();
  } catch (...) {
    text.clear();
  }
  if (buffer != nullptr && size > 0) {
    const size_t written = std::min(text.size(), size - 1);
    std::memcpy(buffer, text.data(), written);
    buffer[written] = '\0';
  }
  return text.size();
}

void windrow_plan_free(windrow_plan* plan) { delete plan; }
