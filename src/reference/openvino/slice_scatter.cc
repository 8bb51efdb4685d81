#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "src/reference/call.h"
#include "src/reference/element.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/openvino/operators.h"

namespace windrow::internal::reference {
namespace {

constexpr std::string_view kNames[] = {"start", "stop", "step", "axes"};

// The numbers of start, stop, step and axes; the last are absent if the input is.
struct Vectors {
  std::vector<std::int64_t> start;
  std::vector<std::int64_t> stop;
  std::vector<std::int64_t> step;
  std::optional<std::vector<std::int64_t>> axes;
};

std::vector<std::int64_t> read_vector(const TensorView& vector) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < vector.shape[0]; ++i) numbers.push_back(read_index(vector, {i}));
  return numbers;
}

// C2.
Result<Vectors> read_vectors(const Call& call) {
  const int r = call.data().shape.rank();
  const Inputs given = call.inputs().subspan(2);
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].is_absent()) continue;
    const Shape& shape = given[i].shape;
    const std::string text = std::string(kNames[i]) + (i == 3 ? " have" : " has") + " shape " +
                             to_string(shape) + ", must have ";
    if (shape.rank() != 1) return call.shape("C2", text + "rank 1");
    if (shape != given[0].shape)
      return call.shape("C2", text + "the shape of start, " + to_string(given[0].shape));
    if (shape[0] > r) return call.shape("C2", text + "at most " + std::to_string(r) + " elements");
  }
  Vectors vectors{read_vector(given[0]), read_vector(given[1]), read_vector(given[2]), {}};
  if (given.size() > 3 && !given[3].is_absent()) vectors.axes = read_vector(given[3]);
  return vectors;
}

// A1 and A3. Returns the axes counted from the front.
Result<std::vector<int>> read_axes(const Call& call, const Vectors& vectors) {
  std::vector<int> axes;
  std::set<int> seen;
  for (std::size_t i = 0; i < vectors.start.size(); ++i) {
    const std::int64_t given = vectors.axes ? (*vectors.axes)[i] : static_cast<std::int64_t>(i);
    const auto axis = check_axis(call, given, "data", call.data().shape.rank());
    if (!axis) return axis.error();
    if (!seen.insert(*axis).second)
      return call.invalid("A3", "axes name axis " + std::to_string(*axis) + " twice");
    axes.push_back(*axis);
  }
  return axes;
}

// A bound of the specification: a negative one counts from the end, and what lies beyond an end of
// the axis is the position before (-1, for negative steps) or after it.
std::int64_t bound(std::int64_t given, std::int64_t extent, bool backwards) {
  const std::int64_t position = given < 0 ? given + extent : given;
  if (position < 0) return backwards ? -1 : 0;
  if (position >= extent) return backwards ? extent - 1 : extent;
  return position;
}

// The positions that slice(start, stop, step) takes, found by walking.
std::vector<std::int64_t> positions(std::int64_t extent, std::int64_t start, std::int64_t stop,
                                    std::int64_t step) {
  std::vector<std::int64_t> taken;
  const bool backwards = step < 0;
  const std::int64_t end = bound(stop, extent, backwards);
  std::int64_t at = bound(start, extent, backwards);
  while (backwards ? at > end : at < end) {
    taken.push_back(at);
    // The distance to the end tells whether another step stays inside, without an overflow.
    if (backwards ? step <= end - at : step >= end - at) break;
    at += step;
  }
  return taken;
}

}  // namespace

Result<Tensor> run(const openvino::SliceScatter& op, Inputs inputs, const CallOptions& options) {
  const Call call("openvino", "SliceScatter", op.version, Direction::kScatter, inputs, options);
  Status status = call.check();
  if (status) status = check_has_axes(call);
  if (!status) return status;
  const auto vectors = read_vectors(call);
  if (!vectors) return vectors.error();
  const auto axes = read_axes(call, *vectors);
  if (!axes) return axes.error();
  const Shape& data = call.data().shape;
  for (std::size_t i = 0; i < vectors->step.size(); ++i)
    if (vectors->step[i] == 0)
      return call.invalid("A4", "step[" + std::to_string(i) + "] is 0, must not be 0");

  std::vector<std::vector<std::int64_t>> taken;
  for (int d = 0; d < data.rank(); ++d) taken.push_back(positions(data[d], 0, data[d], 1));
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const int axis = (*axes)[i];
    taken[static_cast<std::size_t>(axis)] =
        positions(data[axis], vectors->start[i], vectors->stop[i], vectors->step[i]);
  }
  Shape slice;
  for (const auto& axis : taken) slice.push_back(static_cast<std::int64_t>(axis.size()));
  const TensorView& updates = inputs[1];
  if (updates.shape != slice)
    return call.shape("C3", "updates have shape " + to_string(updates.shape) +
                                ", must have shape " + to_string(slice));
  if (status = call.check_padding(0); !status) return status;
  return scatter(
      call, call.data(), updates, "updates", {}, [&](const Position& p) -> std::optional<Position> {
        Position cell;
        for (int d = 0; d < p.rank(); ++d)
          cell.push_back(taken[static_cast<std::size_t>(d)][static_cast<std::size_t>(p[d])]);
        return cell;
      });
}

}  // namespace windrow::internal::reference
