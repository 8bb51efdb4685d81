#include "src/explain/explain_outside.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "src/explain/explain_point.h"
#include "src/explain/explain_writes.h"
#include "src/explain/to_text.h"
#include "src/pooling/bag_bounds.h"
#include "src/pooling/walk_beams.h"
#include "src/reference/element.h"

namespace windrow::internal {
namespace {

using reference::operator+;

// A message without the operator's name and the rule in front of it.
std::string reason_of(const Status& status) {
  const std::string_view message = status.message();
  const std::size_t end = message.find("]: ");
  return std::string(end == std::string_view::npos ? message : message.substr(end + 3));
}

// Calls visit(number) for the points that the options choose of all of the map's, until it returns
// false: those of `elements` by points_of(element), or else the first ones, or the corner's.
template <class PointsOf, class Visit>
void visit_chosen(const Operation& operation, const ExplainOptions& options,
                  const PointsOf& points_of, const Visit& visit) {
  const Shape& loops = operation.map.loops;
  if (!options.elements.empty()) {
    for (const Dims& element : options.elements)
      for (const std::int64_t number : points_of(element))
        if (!visit(number)) return;
    return;
  }
  const std::int64_t points = element_count(loops).value_or(0);
  if (options.corner && points > 0) {
    const Shape block = corner_block(loops, std::min(points, options.most_points));
    reference::for_each_position(
        block, [&](const Dims& counters) { return visit(reference::flat_index(loops, counters)); });
    return;
  }
  for (std::int64_t number = 0; number < points; ++number)
    if (!visit(number)) return;
}

class BagExplainer {
 public:
  BagExplainer(const Operation& operation, std::span<const TensorView> inputs,
               const BagBounds& bounds)
      : operation_(operation), inputs_(inputs), bounds_(bounds) {}

  void explain(const ExplainOptions& options, Explanation& explanation) const {
    const auto points_of = [&](const Dims& element) { return points_in(element, options); };
    visit_chosen(operation_, options, points_of, [&](std::int64_t number) {
      if (std::ssize(explanation.walks) >= options.most_points) return false;
      ExplainedPoint point = explain_point(operation_, inputs_, number);
      if (is_illegal(point)) ++explanation.illegal;
      if (place_in_bag(point)) explanation.walks.push_back(std::move(point));
      return true;
    });
  }

 private:
  std::int64_t row_cells() const {
    const std::int64_t samples = bounds_.samples();
    return samples == 0 ? 0 : element_count(operation_.map.loops).value_or(0) / samples;
  }

  // The points that are added to an element of the output.
  std::vector<std::int64_t> points_in(const Dims& element, const ExplainOptions& options) const {
    Shape row = reference::tail(operation_.result_shape, 1);
    const std::int64_t cell = reference::flat_index(row, reference::tail(element, 1));
    const std::int64_t first = bounds_.begin(element[0]);
    const std::int64_t end = std::min(bounds_.begin(element[0] + 1), first + options.most_points);
    std::vector<std::int64_t> points;
    for (std::int64_t sample = first; sample < end; ++sample)
      points.push_back(sample * row_cells() + cell);
    return points;
  }

  // The bag that holds a sample; nothing if it stands in front of all bags or behind them.
  std::optional<std::int64_t> bag_of(std::int64_t sample) const {
    if (sample >= bounds_.begin(bounds_.bags())) return std::nullopt;
    std::int64_t low = 0;
    std::int64_t high = bounds_.bags();
    while (low < high) {  // the first bag that begins behind the sample
      const std::int64_t middle = low + (high - low) / 2;
      if (bounds_.begin(middle) <= sample)
        low = middle + 1;
      else
        high = middle;
    }
    if (low == 0) return std::nullopt;
    return low - 1;
  }

  // Says to which cell of the output a point is added. Returns false for those of no bag.
  bool place_in_bag(ExplainedPoint& point) const {
    const std::optional<std::int64_t> bag = bag_of(point.number / row_cells());
    if (!bag) return false;
    const auto rank =
        static_cast<int>(operation_.map.axes.front().terms.front().coordinates.size());
    point.direct = Dims{*bag} + reference::tail(point.counters, rank);
    if (point.cell && !is_illegal(point))
      point.value = summand(reference::slice(point.counters, 0, rank), *point.cell);
    return true;
  }

  // The element that a sample adds, times its weight; empty if it is not known.
  std::string summand(const Dims& sample, const Dims& cell) const {
    const TensorView& data = inputs_[static_cast<std::size_t>(operation_.data_input)];
    if (!has_values(data)) return {};
    const reference::Element element = reference::read_element(data, cell);
    const int input = operation_.bags->weights_input;
    if (input < 0) return element_text(element);
    const TensorView& weights = inputs_[static_cast<std::size_t>(input)];
    if (!has_values(weights)) return {};
    const reference::Element weight = reference::read_element(weights, sample);
    const bool in_float = operation_.bags->in_float32;
    return element_text(reference::combine(reference::Reduction::kMul,
                                           in_float ? reference::to_float32(element) : element,
                                           in_float ? reference::to_float32(weight) : weight));
  }

  const Operation& operation_;
  std::span<const TensorView> inputs_;
  const BagBounds& bounds_;
};

void explain_bags(const Operation& operation, std::span<const TensorView> inputs,
                  const ExplainOptions& options, Explanation& explanation) {
  const Result<BagBounds> bounds = BagBounds::read(operation, inputs);
  if (!bounds) {
    explanation.failure = reason_of(bounds.error());
    return;
  }
  explanation.failure = find_failure(operation, inputs, options.most_searched);
  BagExplainer(operation, inputs, *bounds).explain(options, explanation);
}

// One element of the output of beams: the parents that lead to it, the last step's first.
class BeamExplainer {
 public:
  BeamExplainer(const Operation& operation, std::span<const TensorView> inputs)
      : operation_(operation), inputs_(inputs) {}

  ExplainedPoint explain(std::int64_t number) const {
    ExplainedPoint point;
    point.number = number;
    point.counters = point.direct = reference::position_of(operation_.map.loops, number);
    const std::int64_t time = point.direct[0];
    const std::int64_t batch = point.direct[1];
    for (int axis = 0; axis < 2; ++axis)
      point.coordinates.push_back(explain_coordinate(
          operation_.map.axes[static_cast<std::size_t>(axis)], inputs_, point.counters));
    point.coordinates.push_back(beam_at(time, batch, point.direct[2]));
    ExplainedCoordinate& beam = point.coordinates.back();
    if (beam.value && has_ended(time, batch, *beam.value)) beam.value.reset();
    if (beam.value) point.cell = Dims{time, batch, *beam.value};
    if (!is_illegal(point)) point.value = token(point.cell);
    return point;
  }

 private:
  std::int64_t length(std::int64_t batch) const {
    const TensorView& lengths = inputs_[static_cast<std::size_t>(operation_.beams->lengths_input)];
    const std::int64_t length = reference::read_index(lengths, {batch});
    return std::clamp<std::int64_t>(length, 0, operation_.map.loops[0]);
  }

  // The token that a step takes, or the end token.
  std::string token(const std::optional<Dims>& cell) const {
    const TensorView& steps = inputs_[static_cast<std::size_t>(operation_.data_input)];
    const TensorView& end = inputs_[static_cast<std::size_t>(operation_.beams->end_input)];
    const TensorView& source = cell ? steps : end;
    if (!has_values(source)) return {};
    return element_text(reference::read_element(source, cell.value_or(Dims())));
  }

  // Whether an earlier step of the walk that reaches a beam takes the end token.
  bool has_ended(std::int64_t time, std::int64_t batch, std::int64_t beam) const {
    const TensorView& steps = inputs_[static_cast<std::size_t>(operation_.data_input)];
    const TensorView& end = inputs_[static_cast<std::size_t>(operation_.beams->end_input)];
    if (!has_values(steps) || !has_values(end)) return false;
    for (std::int64_t step = time; step > 0; --step) {
      const auto parent =
          explain_coordinate(operation_.map.axes[2], inputs_, Dims{step, batch, beam}).value;
      if (!parent) return false;
      beam = *parent;
      const Dims position{step - 1, batch, beam};
      if (is_equal(reference::read_element(steps, position), reference::read_element(end, {})))
        return true;
    }
    return false;
  }

  static bool is_equal(const reference::Element& a, const reference::Element& b) {
    if (dtype_kind(a.dtype) != DTypeKind::kFloat) return a.bits == b.bits;
    return reference::visit_real(
        a.dtype, [&](const auto& format) { return format.value(a) == format.value(b); });
  }

  // The beam from which a step of a walk takes its token.
  ExplainedCoordinate beam_at(std::int64_t time, std::int64_t batch, std::int64_t beam) const {
    ExplainedCoordinate coordinate;
    const AxisMap& axis = operation_.map.axes[2];
    coordinate.extent = axis.extent;
    coordinate.sum = beam;
    if (time >= length(batch)) return coordinate;
    for (std::int64_t step = length(batch) - 1; step > time; --step) {
      ExplainedCoordinate parent =
          explain_coordinate(axis, inputs_, Dims{step, batch, coordinate.sum});
      coordinate.indices.push_back(parent.indices.front());
      coordinate.placing = parent.placing;
      if (!parent.value) return coordinate;
      coordinate.sum = *parent.value;
    }
    coordinate.value = coordinate.sum;
    return coordinate;
  }

  const Operation& operation_;
  std::span<const TensorView> inputs_;
};

void explain_beams(const Operation& operation, std::span<const TensorView> inputs,
                   const ExplainOptions& options, Explanation& explanation) {
  const Status fault = describe_illegal_parents(operation, inputs, nullptr, 0);
  if (!fault) explanation.failure = reason_of(fault);
  const BeamExplainer explainer(operation, inputs);
  const auto points_of = [&](const Dims& element) {
    return std::vector<std::int64_t>{reference::flat_index(operation.map.loops, element)};
  };
  visit_chosen(operation, options, points_of, [&](std::int64_t number) {
    if (std::ssize(explanation.walks) >= options.most_points) return false;
    ExplainedPoint point = explainer.explain(number);
    if (is_illegal(point)) ++explanation.illegal;
    explanation.walks.push_back(std::move(point));
    return true;
  });
}

std::string extent_of_bags(const Operation& operation) {
  const Bags& bags = *operation.bags;
  if (bags.bounds == Bags::Bounds::kOffsets)
    return "that of axis 0 of " + input_name(operation, bags.bounds_input) +
           (bags.has_end ? ", less 1" : "");
  if (bags.bounds == Bags::Bounds::kRows)
    return "that of axis 0 of " +
           input_name(operation, operation.map.axes.front().terms.front().input);
  return "given by the call; " + input_name(operation, bags.bounds_input) +
         " say the position on it";
}

}  // namespace

std::vector<int> deciding_inputs(const Operation& operation) {
  if (operation.beams)
    return {operation.data_input, operation.map.axes[2].terms.front().input,
            operation.beams->lengths_input, operation.beams->end_input};
  std::vector<int> inputs = {operation.map.axes.front().terms.front().input};
  for (const int input : {operation.bags->bounds_input, operation.bags->default_input})
    if (input >= 0) inputs.push_back(input);
  return inputs;
}

std::vector<ExplainedOutputAxis> explain_outside_axes(const Operation& operation) {
  std::vector<ExplainedOutputAxis> axes;
  for (int axis = 0; axis < operation.result_shape.rank(); ++axis) {
    const std::string own = "that of axis " + std::to_string(axis) + " of " +
                            input_name(operation, operation.data_input);
    axes.push_back({operation.result_shape[axis],
                    {},
                    operation.bags && axis == 0 ? extent_of_bags(operation) : own});
  }
  return axes;
}

void explain_outside(const Operation& operation, std::span<const TensorView> inputs,
                     const ExplainOptions& options, Explanation& explanation) {
  if (operation.bags)
    explain_bags(operation, inputs, options, explanation);
  else
    explain_beams(operation, inputs, options, explanation);
  explanation.searched = std::ssize(explanation.walks);
}

}  // namespace windrow::internal
