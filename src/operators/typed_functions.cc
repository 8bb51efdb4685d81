#include <array>
#include <optional>

#include "src/dialects/array/schema.h"
#include "src/dialects/onnx/schema.h"
#include "src/dialects/openvino/schema.h"
#include "src/dialects/tensorrt/schema.h"
#include "src/operators/operator_call.h"
#include "windrow/array.h"
#include "windrow/onnx.h"
#include "windrow/openvino.h"
#include "windrow/operators.h"
#include "windrow/tensorrt.h"

// The typed functions of the dialects' public headers, made from the rows. The struct of attributes
// goes to the operator's builder unchanged.
namespace windrow {
namespace internal {
namespace {

// The row of the struct's version, after the checks of an operator given by name. Errors:
// kUnsupported, CALL-I1, A2.
template <class Op, class Input>
Result<const OperatorRow*> row_of(const Op& op, std::span<const Input> inputs) {
  auto row = find_row(Schema<Op>::kDialect, Schema<Op>::kName, op.version);
  if (!row) return row;
  if (Status status = check_input_count(**row, inputs); !status) return status;
  if (Status status = check_members(**row, op); !status) return status;
  return row;
}

template <class Op>
Result<Plan> compile_struct(const Op& op, std::span<const TensorSpec> inputs,
                            const CallOptions& options) {
  const auto row = row_of(op, inputs);
  if (!row) return row.error();
  return compile_call({**row, &op}, inputs, options);
}

}  // namespace
}  // namespace internal

#define WINDROW_INPUTS_1 const TensorView& a
#define WINDROW_INPUTS_2 WINDROW_INPUTS_1, const TensorView& b
#define WINDROW_INPUTS_3 WINDROW_INPUTS_2, const TensorView& c
#define WINDROW_INPUTS_4 WINDROW_INPUTS_3, const TensorView& d
#define WINDROW_INPUTS_5 WINDROW_INPUTS_4, const TensorView& e
#define WINDROW_INPUTS_6 WINDROW_INPUTS_5, const TensorView& f
#define WINDROW_NAMES_1 a
#define WINDROW_NAMES_2 a, b
#define WINDROW_NAMES_3 a, b, c
#define WINDROW_NAMES_4 a, b, c, d
#define WINDROW_NAMES_5 a, b, c, d, e
#define WINDROW_NAMES_6 a, b, c, d, e, f
#define WINDROW_OPERATOR(dialect, Operator, function, inputs, families)                 \
  Result<Plan> compile(const dialect::Operator& op, std::span<const TensorSpec> specs,  \
                       const CallOptions& options) {                                    \
    return internal::compile_struct(op, specs, options);                                \
  }                                                                                     \
  Result<Tensor> dialect::function(WINDROW_INPUTS_##inputs, const Operator& op,         \
                                   const CallOptions& options, const RunOptions& run) { \
    const TensorView views[] = {WINDROW_NAMES_##inputs};                                \
    const auto row = internal::row_of(op, std::span<const TensorView>(views));          \
    if (!row) return row.error();                                                       \
    return internal::run_call({**row, &op}, views, options, run);                       \
  }
#include "src/operators/operators.inc"

std::string_view version() noexcept { return WINDROW_VERSION; }

}  // namespace windrow
