#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/schema.h"
#include "src/dialects/rules.h"

namespace windrow::internal {
namespace {

// Where an axis of extent 1 needs no loop: the loops of X and Y together then stay within kMaxRank
// for every tensor that has less than 2^32 elements.
IndexCoordinate coordinate_for(std::int64_t extent, Shape& loops) {
  if (extent == 1) return {-1, 0};
  loops.push_back(extent);
  return {loops.rank() - 1, 0};
}

}  // namespace

Result<Operation> build(const onnx::ArrayFeatureExtractor& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("onnx", "ArrayFeatureExtractor", op.version);
  const Shape& x = inputs[0].shape;
  const Shape& y = inputs[1].shape;
  const int r = x.rank();
  if (r < 1) return rules.broken(ErrorCode::kShape, "C1", "X has rank 0, must have rank 1 or more");
  int loop_count = 0;
  for (const std::int64_t extent : y) loop_count += extent != 1 ? 1 : 0;
  for (int d = 0; d + 1 < r; ++d) loop_count += x[d] != 1 ? 1 : 0;
  if (loop_count > kMaxRank)
    return rules.broken(ErrorCode::kShape, "C1",
                        "X and Y together have more than " + std::to_string(kMaxRank) +
                            " axes of an extent other than 1");
  Operation operation;
  for (int d = 0; d + 1 < r; ++d) {
    AxisMap axis;
    axis.extent = x[d];
    const IndexCoordinate coordinate = coordinate_for(x[d], operation.map.loops);
    if (coordinate.loop >= 0) axis.loops.push_back({coordinate.loop, 1});
    operation.map.axes.push_back(std::move(axis));
  }
  std::vector<IndexCoordinate> coordinates;
  for (const std::int64_t extent : y)
    coordinates.push_back(coordinate_for(extent, operation.map.loops));
  operation.map.axes.push_back(
      index_axis(x.back(), 1, std::move(coordinates), policy_of(op, options), Negatives::kOutside));
  if (r == 1) operation.result_shape.push_back(1);
  operation.result_shape.append(x, 0, r - 1);
  operation.result_shape.push_back(element_count(y).value_or(0));
  operation.index_constraint = rules.label("C2");
  return operation;
}

}  // namespace windrow::internal
