#ifndef WINDROW_OPERATORS_CALL_STRUCT_H_
#define WINDROW_OPERATORS_CALL_STRUCT_H_

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "src/operators/operator_row.h"
#include "src/operators/parse_attributes.h"
#include "windrow/operators.h"

// The typed functions of a dialect's public header on top of those by name.
namespace windrow::internal {

template <class Op>
Result<Plan> compile_struct(std::string_view dialect, const Op& op,
                            std::span<const TensorSpec> inputs, const CallOptions& options) {
  const auto row = find_row(dialect, Schema<Op>::kName, op.version);
  if (!row) return row.error();
  return compile(OperatorId{std::string(dialect), std::string((*row)->name), op.version},
                 name_attributes(**row, op), inputs, options);
}

template <class Op, std::size_t kInputs>
Result<Tensor> call_struct(std::string_view dialect, const Op& op,
                           const std::array<TensorView, kInputs>& inputs,
                           const CallOptions& options, const RunOptions& run) {
  const auto row = find_row(dialect, Schema<Op>::kName, op.version);
  if (!row) return row.error();
  return call(OperatorId{std::string(dialect), std::string((*row)->name), op.version},
              name_attributes(**row, op), inputs, options, run);
}

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_CALL_STRUCT_H_
