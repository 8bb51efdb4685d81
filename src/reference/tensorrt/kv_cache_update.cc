#include <array>
#include <span>
#include <string>

#include "src/reference/cache.h"
#include "src/reference/tensorrt.h"
#include "src/reference/tensorrt/release.h"
#include "src/reference/tensorrt/settings.h"

namespace windrow::internal::reference {
namespace {

constexpr int kRank = 4;
constexpr int kSequence = 2;  // the axis that is written along

constexpr std::array kTypes = {DType::kFloat32, DType::kFloat16, DType::kBFloat16};

// C1, C2, C3.
Status check_shapes(const Call& call, const Shape& cache, const Shape& update,
                    const Shape& write_indices) {
  if (cache.rank() != kRank || update.rank() != kRank) {
    return call.shape("C1", "cache has rank " + std::to_string(cache.rank()) +
                                " and update has rank " + std::to_string(update.rank()) +
                                ", must both be 4");
  }
  for (int d = 0; d < kRank; ++d) {
    if (d == kSequence || update[d] == cache[d]) continue;
    return call.shape("C2", "update has shape " + to_string(update) + " and cache has shape " +
                                to_string(cache) + ": they differ in axis " + std::to_string(d));
  }
  if (write_indices == Shape{cache[0]}) return {};
  return call.shape("C3", "write_indices has shape " + to_string(write_indices) +
                              ", must have shape " + to_string(Shape{cache[0]}));
}

}  // namespace

Result<Tensor> run(const tensorrt::KVCacheUpdate& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("tensorrt", "KVCacheUpdate", op.version, Direction::kScatter, options,
                  OutOfRange::kSkip);
  const TensorView& cache = inputs[0];
  const TensorView& update = inputs[1];
  const TensorView& write_indices = inputs[2];
  Status status = call.check_options_and_inputs(inputs);
  if (status.ok())
    status = check_release_types(call, op.version, {{10, kTypes}}, cache, write_indices);
  if (status.ok()) status = check_mode(call, op.mode, {"LINEAR"});
  if (status.ok()) status = check_shapes(call, cache.shape, update.shape, write_indices.shape);
  if (!status.ok()) return status;
  return write_cache(call, {"C4", "write_indices", "cache"}, CacheMode::kLinear, kSequence, cache,
                     update, write_indices);
}

}  // namespace windrow::internal::reference
