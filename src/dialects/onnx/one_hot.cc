#include "src/dialects/one_hot.h"

#include "src/dialects/onnx/build.h"

namespace windrow::internal {
namespace {

constexpr OneHotInputs kPlaces = {0, 1, 2, true};

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const onnx::OneHot& op, const KnownInputs& inputs,
                            const CallOptions& /*options*/) {
  return check_one_hot(rules, op.axis, inputs, kPlaces);
}

Operation build(const Rules& rules, const onnx::OneHot& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  // The text of OneHot-9 turns the light off outside [0, depth); since 11 outside [-depth, depth).
  const IndexUse use = {policy_of(op, options),
                        op.version < 11 ? Negatives::kOutside : Negatives::kCountFromEnd};
  return build_one_hot(rules, op.axis, inputs, kPlaces, use);
}

}  // namespace windrow::internal
