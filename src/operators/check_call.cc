#include <algorithm>
#include <memory>
#include <utility>

#include "src/execute/run_plan.h"
#include "src/operators/operator_row.h"
#include "windrow/tensor.h"

namespace windrow::internal {
namespace {

std::string type_names(TypeSet types) {
  std::string names;
  for (const DType type : types)
    names += (names.empty() ? "" : ", ") + std::string(dtype_name(type));
  return names;
}

std::string_view type_rule(InputGroup group) {
  if (group == InputGroup::kAxis) return "T4";
  return group == InputGroup::kData ? "T1" : "T2";
}

// T1, T2, T4: each input of a group has a type of its group in this
// version.
Status check_group(const OperatorRow& row, InputGroup group, std::span<const TensorSpec> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].is_absent() || row.inputs[i].group != group) continue;
    if (group == InputGroup::kData && i > 0) continue;  // T3 says more
    const TypeSet types = row.types(group);
    if (std::find(types.begin(), types.end(), inputs[i].dtype) != types.end()) continue;
    return row.broken(ErrorCode::kType, type_rule(group),
                      std::string(row.inputs[i].name) + " has type " +
                          std::string(dtype_name(inputs[i].dtype)) +
                          ", must be one of: " + type_names(types));
  }
  return {};
}

// T1 to T4; T3: all of the data group have one and the same type.
Status check_types(const OperatorRow& row, std::span<const TensorSpec> inputs) {
  for (const InputGroup group : {InputGroup::kData, InputGroup::kIndex})
    if (Status status = check_group(row, group, inputs); !status) return status;
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    if (row.inputs[i].group != InputGroup::kData || inputs[i].is_absent() ||
        inputs[i].dtype == inputs[0].dtype)
      continue;
    return row.broken(ErrorCode::kType, "T3",
                      std::string(row.inputs[i].name) + " has type " +
                          std::string(dtype_name(inputs[i].dtype)) + ", must have the type of " +
                          std::string(row.inputs[0].name) + ", " +
                          std::string(dtype_name(inputs[0].dtype)));
  }
  return check_group(row, InputGroup::kAxis, inputs);
}

Status check_options(const OperatorRow& row, const CallOptions& options) {
  const OutOfRange refused = row.scatter ? OutOfRange::kZero : OutOfRange::kSkip;
  if (options.out_of_range == refused)
    return row.broken(ErrorCode::kInvalidArgument, "CALL-O1",
                      "out_of_range is '" + std::string(out_of_range_name(refused)) +
                          "', which a " + (row.scatter ? "scatter" : "gather") + " does not take");
  if (find_kernel_set(options.kernels) == nullptr) {
    std::string names;
    for (const KernelSetEntry& set : kernel_sets())
      names += (names.empty() ? "" : ", ") + std::string(set.name) +
               (set.supported ? "" : " (not on this machine)");
    return row.broken(ErrorCode::kUnsupported, "CALL-O2",
                      "kernels is '" + options.kernels + "', must be one of: " + names);
  }
  return {};
}

// What Plan::run asks of views: lowering reads a stride for every axis.
Status check_strides(const OperatorRow& row, std::span<const TensorSpec> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const TensorSpec& spec = inputs[i];
    if (spec.is_absent() || !spec.strides || spec.strides->rank() == spec.shape.rank()) continue;
    ErrorInfo info;
    info.code = ErrorCode::kInvalidArgument;
    info.operator_name = row.operator_name();
    info.message = info.operator_name + ": " + std::string(row.inputs[i].name) + " has " +
                   std::to_string(spec.strides->rank()) + " strides for rank " +
                   std::to_string(spec.shape.rank());
    return Status(std::move(info));
  }
  return {};
}

}  // namespace

Status check_input_count(const OperatorRow& row, std::span<const TensorSpec> inputs) {
  if (inputs.size() > row.inputs.size())
    return row.broken(ErrorCode::kInvalidArgument, "CALL-I1",
                      std::to_string(inputs.size()) + " inputs given, takes " +
                          std::to_string(row.inputs.size()));
  for (std::size_t i = 0; i < row.inputs.size(); ++i)
    if (!row.inputs[i].optional && (i >= inputs.size() || inputs[i].is_absent()))
      return row.broken(ErrorCode::kInvalidArgument, "CALL-I1",
                        "input " + std::string(row.inputs[i].name) + " is missing");
  return {};
}

Status add_known_values(const OperatorRow& row, std::span<const TensorView> inputs,
                        std::span<TensorSpec> specs) {
  for (std::size_t i = 0; i < inputs.size() && i < row.inputs.size(); ++i) {
    const TensorView& input = inputs[i];
    if (row.inputs[i].group != InputGroup::kAxis || input.is_absent()) continue;
    if (input.data == nullptr || element_count(input.shape) != 1)
      continue;  // A1 says what is wrong
    Result<Tensor> copy = Tensor::copy_of(input);
    if (!copy) return copy.error().with_context(row.operator_name());
    specs[i].value = std::make_shared<const Tensor>(*std::move(copy));
  }
  return {};
}

Status check_call(const OperatorRow& row, std::span<const TensorSpec> inputs,
                  const CallOptions& options) {
  if (Status status = check_types(row, inputs); !status) return status;
  if (Status status = check_options(row, options); !status) return status;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i].is_absent() && !dense_byte_count(inputs[i].dtype, inputs[i].shape))
      return row.broken(ErrorCode::kShape, "CALL-I2",
                        std::string(row.inputs[i].name) + " has shape " +
                            to_string(inputs[i].shape) +
                            ": a negative extent or more than 2^63-1 bytes");
  return check_strides(row, inputs);
}

}  // namespace windrow::internal
