#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "src/dialects/known_inputs.h"
#include "src/execute/run_plan.h"
#include "src/operators/operator_row.h"
#include "windrow/counted.h"
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
  if (is_fixed(group)) return "T4";
  return group == InputGroup::kData ? "T1" : "T2";
}

Status wrong_type(const OperatorRow& row, std::size_t input, std::string_view type) {
  const InputSchema& schema = row.inputs[input];
  return row.broken(ErrorCode::kType, type_rule(schema.group),
                    std::string(schema.name) + " has type " + std::string(type) +
                        ", must be one of: " + type_names(row.types(schema.group)));
}

Status other_type_than(const OperatorRow& row, std::size_t input, std::string_view type,
                       std::size_t first, DType type_of_first) {
  return row.broken(ErrorCode::kType, "T3",
                    std::string(row.inputs[input].name) + " has type " + std::string(type) +
                        ", must have the type of " + std::string(row.inputs[first].name) + ", " +
                        std::string(dtype_name(type_of_first)));
}

bool has_type(const OperatorRow& row, InputGroup group, DType dtype) {
  const TypeSet types = row.types(group);
  return std::find(types.begin(), types.end(), dtype) != types.end();
}

// T1 and T3: the first input of the data group has a type that this version takes; the others have
// the same type.
Status check_data_types(const OperatorRow& row, std::span<const DType> types, bool others) {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i] == DType::kAbsent || row.inputs[i].group != InputGroup::kData) continue;
    if (!first) {
      first = i;
      if (!has_type(row, InputGroup::kData, types[i]))
        return wrong_type(row, i, dtype_name(types[i]));
    } else if (others && types[i] != types[*first]) {
      return other_type_than(row, i, dtype_name(types[i]), *first, types[*first]);
    }
  }
  return {};
}

// T2 (indices) or T4 (inputs that a plan is compiled for).
Status check_index_types(const OperatorRow& row, std::span<const DType> types, bool fixed) {
  for (std::size_t i = 0; i < types.size(); ++i) {
    const InputGroup group = row.inputs[i].group;
    if (types[i] == DType::kAbsent || group == InputGroup::kData || is_fixed(group) != fixed)
      continue;
    if (!has_type(row, group, types[i])) return wrong_type(row, i, dtype_name(types[i]));
  }
  return {};
}

Result<Tuning> check_options(const OperatorRow& row, const CallOptions& options,
                             std::string_view kernels) {
  const OutOfRange refused = row.scatter ? OutOfRange::kZero : OutOfRange::kSkip;
  if (options.out_of_range == refused)
    return row.broken(ErrorCode::kInvalidArgument, "CALL-O1",
                      "out_of_range is '" + std::string(out_of_range_name(refused)) +
                          "', which a " +
                          (row.scatter ? "scatter does not take: it takes error, skip"
                                       : "gather does not take: it takes error, zero") +
                          ", clamp and modulo");
  Result<Tuning> tuning = parse_tuning(kernels);
  if (!tuning) return row.broken(ErrorCode::kUnsupported, "CALL-O2", tuning.error().message());
  if (find_kernel_set(tuning->kernel_set) == nullptr) {
    std::string names;
    for (const KernelSetEntry& set : kernel_sets())
      names += (names.empty() ? "" : ", ") + std::string(set.name) +
               (set.supported ? "" : " (not on this machine)");
    return row.broken(ErrorCode::kUnsupported, "CALL-O2",
                      "kernels is '" + tuning->kernel_set + "', must be one of: " + names);
  }
  return tuning;
}

// Checks what Plan::run also checks of views: lowering reads a stride for every axis.
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

Status check_types(const OperatorRow& row, std::span<const DType> types) {
  if (Status status = check_data_types(row, types, false); !status) return status;
  if (Status status = check_index_types(row, types, false); !status) return status;
  if (Status status = check_data_types(row, types, true); !status) return status;
  return check_index_types(row, types, true);
}

Status check_other_types(const OperatorRow& row, std::span<const DType> types,
                         std::span<const std::string> names) {
  std::optional<std::size_t> first;  // input of data
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_data = row.inputs[i].group == InputGroup::kData;
    if (!names[i].empty())
      return is_data && first ? other_type_than(row, i, names[i], *first, types[*first])
                              : wrong_type(row, i, names[i]);
    if (is_data && !first && types[i] != DType::kAbsent) first = i;
  }
  return {};
}

Status wrong_input_count(const OperatorRow& row, std::size_t given, std::string_view missing) {
  return row.broken(ErrorCode::kInvalidArgument, "CALL-I1",
                    missing.empty() ? counted(given, "input") + " given, takes " +
                                          std::to_string(row.inputs.size())
                                    : "input " + std::string(missing) + " is missing");
}

Result<Tuning> check_call(const OperatorRow& row, std::span<const TensorSpec> inputs,
                          const CallOptions& options, std::string_view kernels) {
  std::array<DType, KnownInputs::kMost> types{};
  std::transform(inputs.begin(), inputs.end(), types.begin(),
                 [](const TensorSpec& input) { return input.dtype; });
  if (Status status = check_types(row, std::span(types).first(inputs.size())); !status)
    return status;
  Result<Tuning> tuning = check_options(row, options, kernels);
  if (!tuning) return tuning;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i].is_absent() && !dense_byte_count(inputs[i].dtype, inputs[i].shape))
      return row.broken(ErrorCode::kShape, "CALL-I2",
                        std::string(row.inputs[i].name) + " has shape " +
                            to_string(inputs[i].shape) +
                            ": a negative extent or more than 2^63-1 bytes");
  if (Status status = check_strides(row, inputs); !status) return status;
  return tuning;
}

}  // namespace windrow::internal
