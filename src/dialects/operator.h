#ifndef WINDROW_DIALECTS_OPERATOR_H_
#define WINDROW_DIALECTS_OPERATOR_H_

#include <span>

#include "src/access/access_map.h"
#include "src/dialects/rules.h"
#include "src/dialects/schema.h"
#include "windrow/array_attributes.h"
#include "windrow/dim.h"
#include "windrow/onnx_attributes.h"
#include "windrow/openvino_attributes.h"
#include "windrow/options.h"
#include "windrow/status.h"
#include "windrow/tensor.h"
#include "windrow/tensorrt_attributes.h"

// The two doors to an operator. Both go through its check(), the only place that knows its rules:
//
//   Result<SymbolicShape> check(const Rules&, const Op&, const KnownInputs&, const CallOptions&);
//   Operation build(const Rules&, const Op&, std::span<const TensorSpec>, const CallOptions&);
//
// check() returns the result's shape, or the first rule that is broken, whatever the unknown
// extents are. build() makes the map of a call that check() has passed, and all of the Operation
// but result_shape, refuse_negative and padding. `op.version` is the operator's own version in
// both. Each row of operators.inc declares the two.
namespace windrow::internal {

#define WINDROW_OPERATOR(dialect, Operator, function, count, families)                \
  Result<SymbolicShape> check(const Rules& rules, const dialect::Operator& op,        \
                              const KnownInputs& inputs, const CallOptions& options); \
  Operation build(const Rules& rules, const dialect::Operator& op,                    \
                  std::span<const TensorSpec> inputs, const CallOptions& options);
#include "src/operators/operators.inc"

template <class Op>
Rules rules_of(const Op& op) {
  static_assert(Schema<Op>::kInputs.size() <= KnownInputs::kMost);
  return {Schema<Op>::kDialect, Schema<Op>::kName, op.version};
}

// How a call reads its indices. The texts of versions before `since` know no negative ones:
// `strict` refuses them there.
template <class Op>
IndexUse index_use(const Op& op, const CallOptions& options, int since = 0) {
  const bool refuses = options.strict && op.version < since;
  return {policy_of(op, options),
          negatives_of(options, refuses ? Negatives::kRefused : Negatives::kCountFromEnd)};
}

// The result's shape from shapes that may hold unknown extents, one per input, an absent input as
// an absent shape. Of the types in `given` only A3 is judged. Errors: kInvalidArgument, kType and
// kShape with the label of the rule.
template <class Op>
Result<SymbolicShape> infer_shape(const Op& op, std::span<const SymbolicShape> inputs,
                                  KnownValues values = {},
                                  std::span<const OperandType> given = {}) {
  return check(rules_of(op), op, KnownInputs(Schema<Op>::kInputs, inputs, values, given),
               CallOptions());
}

// The number of inputs, their element types, their sizes and the call options have been checked
// (CALL-*, A2, T*). Errors: kInvalidArgument, kType and kShape with the label of the rule.
template <class Op>
Result<Operation> make_operation(const Op& op, std::span<const TensorSpec> inputs,
                                 const CallOptions& options) {
  const Rules rules = rules_of(op);
  const Result<SymbolicShape> shape =
      check(rules, op, KnownInputs(Schema<Op>::kInputs, inputs), options);
  if (!shape) return shape.error();
  Operation operation = build(rules, op, inputs, options);
  operation.result_shape = known_shape(**shape);
  operation.refuse_negative = options.negative == NegativeIndex::kError && !operation.segments;
  if (!options.padding_index) return operation;
  AccessMap without_indices;  // what offsets make is no index of the call
  AccessMap& map = operation.segments ? without_indices : operation.map;
  if (Status status = set_padding(rules, *options.padding_index, map); !status) return status;
  return operation;
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_OPERATOR_H_
