#include "src/dialects/one_hot.h"

#include "src/dialects/tensorrt/build.h"
#include "src/dialects/tensorrt/release.h"

namespace windrow::internal {
namespace {

constexpr OneHotInputs kPlaces = {0, 2, 1, false};

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const tensorrt::OneHot& op,
                            const KnownInputs& inputs, const CallOptions& options) {
  if (Status status = check_release_types(rules, Layer::kOneHot, op.version, inputs[1].dtype,
                                          inputs[0].dtype, options);
      !status)
    return status;
  Result<SymbolicShape> result = check_one_hot(rules, op.axis, inputs, kPlaces);
  if (!result) return result;
  if (Status status = check_release_rank(rules, inputs, *result, options); !status) return status;
  return result;
}

Operation build(const Rules& rules, const tensorrt::OneHot& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  // TensorRT says nothing of indices outside [0, depth-1].
  IndexUse use = {policy_of(op, options), Negatives::kCountFromEnd};
  if (options.strict) use = {OutOfRange::kError, Negatives::kRefused};
  Operation operation = build_one_hot(rules, op.axis, inputs, kPlaces, use);
  if (options.strict) operation.index_constraint = rules.label("S3");
  return operation;
}

}  // namespace windrow::internal
