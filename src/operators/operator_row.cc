#include "src/operators/operator_row.h"

#include <algorithm>
#include <array>

#include "src/base/memory.h"
#include "src/dialects/array/schema.h"
#include "src/dialects/onnx/schema.h"
#include "src/dialects/openvino/schema.h"
#include "src/dialects/rules.h"
#include "src/dialects/tensorrt/schema.h"
#include "src/operators/operator_call.h"
#include "src/reference/call.h"
#include "windrow/nearest_name.h"

namespace windrow::internal {
namespace {

// The struct as the operator's own code takes it, with the row's version.
template <class Op>
Op of_version(const OperatorRow& row, const void* op) {
  Op own = *static_cast<const Op*>(op);
  own.version = row.since;
  return own;
}

template <class Op>
Status parse_row(const OperatorRow& row, const Attributes& attributes, OperatorBox& op) {
  return parse_attributes(row, attributes, op.emplace<Op>());
}

template <class Op>
void add_members(const void* op, CallKey& key) noexcept {
  for (const AttributeSchema<Op>& attribute : Schema<Op>::kAttributes)
    std::visit([&](auto member) { key.add(static_cast<const Op*>(op)->*member); },
               attribute.member);
}

template <class Op>
Result<Operation> build_row(const OperatorRow& row, const void* op,
                            std::span<const TensorSpec> inputs, const CallOptions& options) {
  return make_operation(of_version<Op>(row, op), inputs, options);
}

template <class Op>
Result<Tensor> reference_row(const OperatorRow& row, const void* op,
                             std::span<const TensorView> inputs, const CallOptions& options) {
  return reference::run(of_version<Op>(row, op), inputs, options);
}

template <class Op>
Result<SymbolicShape> infer_row(const OperatorRow& row, const void* op,
                                std::span<const SymbolicShape> inputs,
                                std::span<const KnownValue> values,
                                std::span<const OperandType> given) {
  return infer_shape(of_version<Op>(row, op), inputs, values, given);
}

// Whether the dialect still recommends the version.
enum class State : std::uint8_t { kCurrent, kDeprecated };

template <class Op>
OperatorRow make_row(std::string_view dialect, std::string_view domain, int since, int until,
                     TypeSet data_types, TypeSet index_types, State state) {
  OperatorRow row;
  row.dialect = dialect;
  row.domain = domain;
  row.name = Schema<Op>::kName;
  row.since = since;
  row.until = until;
  row.data_types = data_types;
  row.index_types = index_types;
  if constexpr (requires { Schema<Op>::kCodeTypes; }) row.code_types = Schema<Op>::kCodeTypes;
  row.output = Schema<Op>::kOutput;
  row.summary = Schema<Op>::kSummary;
  row.shapes = Schema<Op>::kShapes;
  row.scatter = Schema<Op>::kScatter;
  row.policy = own_policy<Op>(since, false);
  row.strict_policy = own_policy<Op>(since, true);
  row.deprecated = state == State::kDeprecated;
  row.inputs = Schema<Op>::kInputs;
  row.attributes = &list_attributes<Op>;
  row.parse = &parse_row<Op>;
  row.add_to_key = &add_members<Op>;
  row.build = &build_row<Op>;
  row.reference = &reference_row<Op>;
  row.infer = &infer_row<Op>;
  return row;
}

}  // namespace

std::span<const OperatorRow> operator_rows() {
  static const std::vector<OperatorRow> rows = [] {
    std::vector<OperatorRow> list;
    std::size_t first = 0;
#define WINDROW_OPERATOR(dialect, Operator, function, inputs, families) first = list.size();
#define WINDROW_OPERATOR_VERSION(dialect, domain, Operator, since, until, data_types, index_types, \
                                 state)                                                            \
  list.push_back(make_row<dialect::Operator>(#dialect, domain, since, until, data_types,           \
                                             index_types, State::state));                          \
  ++list[first].versions;
#include "src/operators/operators.inc"
    return list;
  }();
  return rows;
}

[[maybe_unused]] static const bool kForkSafe = fill_before_fork([] {
  try {
    operator_rows();
  } catch (const std::bad_alloc&) {  // tried again by a later call
  }
});

AttributeValue attribute_value(std::int64_t value) { return value; }
AttributeValue attribute_value(const std::string& value) { return value; }
AttributeValue attribute_value(bool value) { return value; }

std::string attribute_names(const OperatorRow& row) {
  std::string names;
  for (const OperatorAttribute& attribute : row.attributes(row.since))
    names += (names.empty() ? "" : ", ") + attribute.name;
  return names.empty() ? "none" : names;
}

Status unknown_attribute(const OperatorRow& row, const std::string& name) {
  NearestName nearest(name);
  for (const OperatorAttribute& attribute : row.attributes(row.since))
    nearest.consider(attribute.name);
  return row.broken(
      ErrorCode::kInvalidArgument, "A2",
      "attribute '" + name + "' is unknown; there is: " + attribute_names(row) + nearest.hint());
}

Result<SymbolicShape> infer_shape(const OperatorId& id, const Attributes& attributes,
                                  std::span<const SymbolicShape> inputs,
                                  std::span<const KnownValue> values,
                                  std::span<const OperandType> given) {
  const auto row = find_row(id.dialect, id.name, id.version);
  if (!row) return row.error();
  if (!given.empty()) {
    if (Status status = check_input_count(**row, given); !status) return status;
  }
  OperatorBox op;
  if (Status status = (*row)->parse(**row, attributes, op); !status) return status;
  std::array<DType, KnownInputs::kMost> types{};
  std::transform(given.begin(), given.end(), types.begin(),
                 [](const OperandType& input) { return input.dtype; });
  std::array<std::string, KnownInputs::kMost> other_types{};
  std::transform(given.begin(), given.end(), other_types.begin(),
                 [](const OperandType& input) { return input.other_type; });
  const auto known = std::span<const DType>(types).first(given.size());
  if (Status status = check_types(**row, known); !status) return status;
  if (Status status = check_other_types(**row, known, std::span(other_types).first(given.size()));
      !status)
    return status;
  return (*row)->infer(**row, op.get(), inputs, values, given);
}

}  // namespace windrow::internal
