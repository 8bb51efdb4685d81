#include "src/dialects/one_hot.h"

#include "src/dialects/infer_one_hot.h"
#include "src/dialects/tensorrt/build.h"
#include "src/dialects/tensorrt/infer_shape.h"
#include "src/dialects/tensorrt/release.h"
#include "src/dialects/tensorrt/schema.h"

namespace windrow::internal {
namespace {

constexpr OneHotInputs kPlaces = {0, 2, 1, false};

}  // namespace

Result<Operation> build(const tensorrt::OneHot& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("tensorrt", "OneHot", op.version);
  if (Status status = check_release_types(rules, Layer::kOneHot, op.version, inputs[1].dtype,
                                          inputs[0].dtype, options);
      !status)
    return status;
  // TensorRT says nothing of indices outside [0, depth-1].
  IndexUse use = {policy_of(op, options), Negatives::kCountFromEnd};
  if (options.strict) use = {OutOfRange::kError, Negatives::kRefused};
  Result<Operation> operation = build_one_hot(rules, op.axis, inputs, kPlaces, use);
  if (!operation) return operation;
  if (Status status = check_release_rank(rules, inputs, operation->result_shape.rank(), options);
      !status)
    return status;
  if (options.strict) operation->index_constraint = rules.label("S3");
  return operation;
}

Result<SymbolicShape> infer_shape(const tensorrt::OneHot& op, std::span<const SymbolicShape> inputs,
                                  KnownValues values) {
  return infer_one_hot(Rules("tensorrt", "OneHot", op.version), op.axis, inputs, values, kPlaces);
}

}  // namespace windrow::internal
