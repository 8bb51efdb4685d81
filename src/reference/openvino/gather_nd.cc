#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "src/reference/loops.h"
#include "src/reference/openvino.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {
namespace {

// C2: whether the batch extents fit together; GatherND-8 repeats those that are 1.
bool batches_fit(int version, int batch, const Shape& data, const Shape& indices) {
  for (int axis = 0; axis < batch; ++axis) {
    const bool repeats = version >= 8 && (data[axis] == 1 || indices[axis] == 1);
    if (data[axis] != indices[axis] && !repeats) return false;
  }
  return true;
}

// C1, A4, C2, C3, C4.
Status check(const Call& call, const openvino::GatherND& op, const Shape& data,
             const Shape& indices) {
  const int r = data.rank();
  const int q = indices.rank();
  const std::int64_t b = op.batch_dims;
  if (Status status = check_tuple_ranks(call, data, indices); !status.ok()) return status;
  if (b < 0 || b >= std::min(q, r)) {
    return call.invalid("A4", "batch_dims is " + std::to_string(b) + ", must be in [0, " +
                                  std::to_string(std::min(q, r) - 1) + "]");
  }
  const int batch = static_cast<int>(b);
  if (!batches_fit(op.version, batch, data, indices)) {
    return call.shape("C2", "data of shape " + to_string(data) + " and indices of shape " +
                                to_string(indices) + " do not fit together in the first " +
                                std::to_string(batch) + " extents");
  }
  if (indices.back() > r - batch) {
    return call.shape("C3", "indices have " + std::to_string(indices.back()) +
                                " coordinates in the last axis, must be at most " +
                                std::to_string(r - batch));
  }
  return check_result_rank(call, q - 1 + r - batch - static_cast<int>(indices.back()));
}

// The batch extents of the result.
Shape broadcast(const Shape& data, const Shape& indices, int batch) {
  Shape extents = slice(data, 0, batch);
  for (int axis = 0; axis < batch; ++axis)
    if (extents[axis] == 1) extents[axis] = indices[axis];
  return extents;
}

// The batch position to read in a tensor of `shape`.
Position batch_position(const Shape& shape, const Position& p, int batch) {
  Position place = slice(p, 0, batch);
  for (int axis = 0; axis < batch; ++axis)
    if (shape[axis] == 1) place[axis] = 0;
  return place;
}

}  // namespace

Result<Tensor> run(const openvino::GatherND& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("openvino", "GatherND", op.version, Direction::kGather, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  if (Status status = check(call, op, data.shape, indices.shape); !status.ok()) return status;
  const int q = indices.shape.rank();
  const int b = static_cast<int>(op.batch_dims);
  const Shape batches = broadcast(data.shape, indices.shape, b);
  const Shape rest =
      slice(indices.shape, b, q - 1) + tail(data.shape, b + static_cast<int>(indices.shape.back()));
  const Shape full = batches + rest;
  const auto joined = element_count(batches);
  const bool joins = op.version < 8 && b > 1;
  if (joins && !joined) return call.too_large("the result's batch axis", batches);
  const Shape result_shape = joins ? Shape{*joined} + rest : full;
  if (Status status = call.check_result(data.dtype, result_shape); !status.ok()) return status;

  const bool strict_5 = op.version < 8 && call.strict();
  const IndexUse use = strict_5 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C5"};
  const Tuples tuples(call, use, data.shape, b, indices);
  if (Status status = tuples.check(call); !status.ok()) return status;
  return gather(call, data, result_shape, [&](const Position& i) -> std::optional<Position> {
    const Position p = position_of(full, flat_index(result_shape, i));
    const auto coordinates =
        tuples.coordinates(batch_position(indices.shape, p, b) + slice(p, b, q - 1));
    if (!coordinates) return std::nullopt;
    return batch_position(data.shape, p, b) + *coordinates + tail(p, q - 1);
  });
}

}  // namespace windrow::internal::reference
