#include <array>
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
Status check_shapes(const Call& call) {
  const int cache = call.inputs()[0].shape.rank();
  const int update = call.inputs()[1].shape.rank();
  if (cache != kRank || update != kRank) {
    return call.shape("C1", "cache has rank " + std::to_string(cache) + " and update has rank " +
                                std::to_string(update) + ", must both be 4");
  }
  if (Status status = check_off_axis(call, "C2", "cache", kSequence); !status) return status;
  return check_write_indices(call, "C3", call.inputs()[2].shape);
}

}  // namespace

Result<Tensor> run(const tensorrt::KVCacheUpdate& op, Inputs inputs, const CallOptions& options) {
  const Call call("tensorrt", "KVCacheUpdate", op.version, Direction::kScatter, inputs, options,
                  OutOfRange::kSkip);
  const TensorView& write_indices = inputs[2];
  Status status = call.check();
  if (status) status = check_release_types(call, {{10, kTypes}}, write_indices);
  if (status) status = check_mode(call, op.mode, {"LINEAR"});
  if (status) status = check_shapes(call);
  if (!status) return status;
  return write_cache(call, {"C4", "write_indices", "cache"}, CacheMode::kLinear, kSequence,
                     write_indices);
}

}  // namespace windrow::internal::reference
