#include <utility>

#include "src/dialects/maps.h"
#include "src/dialects/scatter.h"
#include "src/dialects/shape_rules.h"
#include "src/dialects/tensorrt/build.h"
#include "src/dialects/tensorrt/release.h"
#include "src/dialects/tensorrt/settings.h"

namespace windrow::internal {
namespace {

constexpr int kSequenceAxis = 2;
constexpr int kWriteIndices = 2;

// C1, C2.
Status check_cache(const Rules& rules, const KnownInput& cache, const KnownInput& update) {
  constexpr std::int64_t kRank = 4;
  if ((cache.has_rank() && cache.rank() != kRank) || (update.has_rank() && update.rank() != kRank))
    return rules.shape("C1", describe_ranks(cache, update) + ", must be 4");
  if (!cache.has_rank() || !update.has_rank()) return {};
  return check_off_axis(rules, update, cache, kSequenceAxis);
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const tensorrt::KVCacheUpdate& op,
                            const KnownInputs& inputs, const CallOptions& options) {
  const KnownInput& cache = inputs[0];
  if (Status status = check_release_types(rules, Layer::kKVCacheUpdate, op.version, cache.dtype,
                                          inputs[kWriteIndices].dtype, options);
      !status)
    return status;
  if (Status status = check_mode(rules, op.mode, {"LINEAR"}); !status) return status;
  if (Status status = check_cache(rules, cache, inputs[1]); !status) return status;
  const SymbolicDims one_per_entry = {cache.has_rank() ? cache[0] : Dim()};
  if (Status status = check_shape(rules, "C3", inputs[kWriteIndices], one_per_entry); !status)
    return status;
  return cache.shape();
}

Operation build(const Rules& rules, const tensorrt::KVCacheUpdate& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  AccessMap map = sequence_map(inputs[0].shape, inputs[1].shape, kSequenceAxis,
                               {kWriteIndices, false, policy_of(op, options)});
  return cache_operation(rules, std::move(map), options, "C4");
}

}  // namespace windrow::internal
