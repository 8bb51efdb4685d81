#include <string>

#include "src/dialects/maps.h"
#include "src/dialects/tensorrt/build.h"
#include "src/dialects/tensorrt/release.h"
#include "src/dialects/tensorrt/schema.h"
#include "src/dialects/tensorrt/settings.h"

namespace windrow::internal {
namespace {

constexpr int kSequenceAxis = 2;
constexpr int kWriteIndices = 2;

// C1, C2, C3.
Status check(const Rules& rules, std::span<const TensorSpec> inputs) {
  const Shape& cache = inputs[0].shape;
  const Shape& update = inputs[1].shape;
  const Shape& write = inputs[kWriteIndices].shape;
  if (cache.rank() != 4 || update.rank() != 4)
    return rules.broken(ErrorCode::kShape, "C1",
                        "cache has rank " + std::to_string(cache.rank()) + " and update has rank " +
                            std::to_string(update.rank()) + ", must be 4");
  for (const int d : {0, 1, 3})
    if (update[d] != cache[d])
      return rules.broken(ErrorCode::kShape, "C2",
                          "update has shape " + to_string(update) + " and cache has shape " +
                              to_string(cache) + ": they differ in axis " + std::to_string(d));
  if (write == Shape{cache[0]}) return {};
  return rules.broken(ErrorCode::kShape, "C3",
                      "write_indices has shape " + to_string(write) + ", must have shape " +
                          to_string(Shape{cache[0]}));
}

}  // namespace

Result<Operation> build(const tensorrt::KVCacheUpdate& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("tensorrt", "KVCacheUpdate", op.version);
  if (Status status = check_release_types(rules, Layer::kKVCacheUpdate, op.version, inputs[0].dtype,
                                          inputs[kWriteIndices].dtype, options);
      !status)
    return status;
  if (Status status = check_mode(rules, op.mode, {"LINEAR"}); !status) return status;
  if (Status status = check(rules, inputs); !status) return status;
  Operation operation;
  operation.scatter = true;
  operation.updates_input = 1;
  operation.refuse_duplicates = refuses_duplicates(options, Combine::kAssign);
  operation.map = sequence_map(inputs[0].shape, inputs[1].shape, kSequenceAxis,
                               {kWriteIndices, false, policy_of(op, options)});
  operation.result_shape = inputs[0].shape;
  operation.index_constraint = rules.label("C4");
  operation.duplicate_constraint = rules.label("D1");
  return operation;
}

}  // namespace windrow::internal
