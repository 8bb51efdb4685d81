#include "src/dialects/one_hot.h"

#include "src/dialects/infer_one_hot.h"
#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/infer_shape.h"
#include "src/dialects/onnx/schema.h"

namespace windrow::internal {
namespace {

constexpr OneHotInputs kPlaces = {0, 1, 2, true};

}  // namespace

Result<Operation> build(const onnx::OneHot& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  // The text of OneHot-9 turns the light off outside [0, depth); since 11 outside [-depth, depth).
  const IndexUse use = {policy_of(op, options),
                        op.version < 11 ? Negatives::kOutside : Negatives::kCountFromEnd};
  return build_one_hot(Rules("onnx", "OneHot", op.version), op.axis, inputs, kPlaces, use);
}

Result<SymbolicShape> infer_shape(const onnx::OneHot& op, std::span<const SymbolicShape> inputs,
                                  KnownValues values) {
  return infer_one_hot(Rules("onnx", "OneHot", op.version), op.axis, inputs, values, kPlaces);
}

}  // namespace windrow::internal
