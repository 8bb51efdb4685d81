#include "src/access/access_map.h"

#include <utility>

namespace windrow::internal {
namespace {

std::string loop_name(int loop) { return "i" + std::to_string(loop); }

std::string join(const std::vector<std::string>& parts, const char* separator) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : separator) + part;
  return text;
}

std::string print_term(const IndexTerm& term, const Operation& operation) {
  std::vector<std::string> coordinates;
  for (const IndexCoordinate& coordinate : term.coordinates)
    coordinates.push_back(coordinate.loop >= 0 ? loop_name(coordinate.loop)
                                               : std::to_string(coordinate.fixed));
  const std::string& name = operation.input_names[static_cast<std::size_t>(term.input)];
  return coordinates.empty() ? name : name + "[" + join(coordinates, ", ") + "]";
}

std::vector<std::string> summands(const AxisMap& axis, const Operation& operation) {
  std::vector<std::string> parts;
  for (const IndexTerm& term : axis.terms) parts.push_back(print_term(term, operation));
  for (const LoopTerm& loop : axis.loops)
    parts.push_back((loop.coefficient == 1 ? "" : std::to_string(loop.coefficient) + " * ") +
                    loop_name(loop.loop));
  if (axis.base != 0 || parts.empty()) parts.push_back(std::to_string(axis.base));
  return parts;
}

std::string print_axis(const AxisMap& axis, const Operation& operation) {
  const std::vector<std::string> parts = summands(axis, operation);
  std::string sum = join(parts, " + ");
  if (axis.terms.empty() || axis.policy != OutOfRange::kModulo) return sum;
  if (parts.size() > 1) sum = "(" + sum + ")";
  return sum + " mod " + std::to_string(axis.extent);
}

std::string indirect_position(const Operation& operation) {
  std::vector<std::string> coordinates;
  for (const AxisMap& axis : operation.map.axes) coordinates.push_back(print_axis(axis, operation));
  return "[" + join(coordinates, ", ") + "]";
}

std::string direct_position(const Operation& operation) {
  std::vector<std::string> loops;
  for (int loop = 0; loop < operation.map.loops.rank(); ++loop) loops.push_back(loop_name(loop));
  return "[" + join(loops, ", ") + "]";
}

std::string combine_with(Combine combine, const std::string& cell, const std::string& update) {
  switch (combine) {
    case Combine::kAdd:
      return cell + " += " + update;
    case Combine::kSub:
      return cell + " -= " + update;
    case Combine::kMean:
      return cell + " += " + update + ", then divided by the number of its summands";
    case Combine::kMul:
      return cell + " *= " + update;
    case Combine::kMin:
      return cell + " = min(" + cell + ", " + update + ")";
    case Combine::kMax:
      return cell + " = max(" + cell + ", " + update + ")";
    case Combine::kAssign:
      break;
  }
  return cell + " = " + update;
}

// The counters of the index tensor's loops, "i0, i1", which are the map's first ones.
std::string sample_position(const Operation& operation) {
  const std::size_t rank = operation.map.axes.front().terms.front().coordinates.size();
  std::vector<std::string> loops;
  for (std::size_t loop = 0; loop < rank; ++loop)
    loops.push_back(loop_name(static_cast<int>(loop)));
  return join(loops, ", ");
}

std::string print_bags(const Operation& operation, const std::string& sample) {
  const Bags& bags = *operation.bags;
  const auto name = [&](int input) {
    return operation.input_names[static_cast<std::size_t>(input)];
  };
  const std::string position = sample_position(operation);
  std::vector<std::string> coordinates = {"i0"};
  if (bags.bounds == Bags::Bounds::kOffsets)
    coordinates = {"bag of i0 by " + name(bags.bounds_input)};
  if (bags.bounds == Bags::Bounds::kSegments)
    coordinates = {name(bags.bounds_input) + "[" + position + "]"};
  for (std::size_t axis = 1; axis < operation.map.axes.size(); ++axis)
    coordinates.push_back(print_axis(operation.map.axes[axis], operation));
  const std::string weight =
      bags.weights_input < 0 ? "" : " * " + name(bags.weights_input) + "[" + position + "]";
  return combine_with(operation.combine, "output[" + join(coordinates, ", ") + "]",
                      sample + weight);
}

std::string print_beams(const Operation& operation, const std::string& steps) {
  const auto name = [&](int input) {
    return operation.input_names[static_cast<std::size_t>(input)];
  };
  const std::string end = name(operation.beams->end_input);
  return "output" + direct_position(operation) + " = " + steps +
         "[i0, i1, beam], beam = i2 at the last step of " + name(operation.beams->lengths_input) +
         "[i1], and before it " + name(1) + "[i0 + 1, i1, beam of i0 + 1]; from the first " + end +
         " on " + end;
}

// A quantised value's position in the scales or the zero points.
std::string factor_position(const Operation& operation) {
  const Dequantise& dequantise = *operation.dequantise;
  std::vector<std::string> coordinates;
  for (std::size_t a = 0; a < operation.map.axes.size(); ++a) {
    std::string coordinate = print_axis(operation.map.axes[a], operation);
    if (static_cast<int>(a) == dequantise.quantise_axis && dequantise.block > 1)
      coordinate += " / " + std::to_string(dequantise.block);
    coordinates.push_back(std::move(coordinate));
  }
  return "[" + join(coordinates, ", ") + "]";
}

std::string print_dequantise(const Operation& operation, const std::string& code) {
  const Dequantise& dequantise = *operation.dequantise;
  const auto name = [&](int input) {
    return operation.input_names[static_cast<std::size_t>(input)];
  };
  const std::string position = factor_position(operation);
  std::string value = code;
  if (dequantise.has_zero_points)
    value = "(" + code + " - " + name(dequantise.zero_points_input) + position + ")";
  else if (dequantise.zero != 0)
    value = "(" + code + " - " + std::to_string(dequantise.zero) + ")";
  return "output" + direct_position(operation) + " = " + value + " * " +
         name(dequantise.scales_input) + position;
}

}  // namespace

std::string to_string(const IndexRange& range) {
  const auto interval = [](std::int64_t low, std::int64_t high) {
    return std::to_string(low) + " to " + std::to_string(high);
  };
  if (range.high < range.low) return {};
  if (!range.has_gap()) return interval(range.low, range.high);
  return interval(range.low, range.gap - 1) + " and " + interval(0, range.high);
}

std::string sum_text(const AxisMap& axis, const Operation& operation) {
  return join(summands(axis, operation), " + ");
}

Dims element_position(const Operation& operation, std::int64_t element) {
  return operation.elements_are_scalars ? Dims() : Dims{element};
}

std::string element_place(const Operation& operation, std::int64_t element) {
  return operation.elements_are_scalars ? "" : "[" + std::to_string(element) + "]";
}

std::string equation(const Operation& operation) {
  const auto name = [&](int input) {
    return operation.input_names[static_cast<std::size_t>(input)];
  };
  const std::string source = name(operation.data_input < 0 ? 0 : operation.data_input);
  if (operation.bags) return print_bags(operation, source + indirect_position(operation));
  if (operation.beams) return print_beams(operation, source);
  if (operation.dequantise)
    return print_dequantise(operation, source + indirect_position(operation));
  if (!operation.scatter)
    return "output" + direct_position(operation) + " = " + source + indirect_position(operation);
  const std::string taken = operation.updates_element < 0
                                ? direct_position(operation)
                                : element_place(operation, operation.updates_element);
  std::string folded = combine_with(operation.combine, "output" + indirect_position(operation),
                                    name(operation.updates_input) + taken);
  if (!operation.segments) return folded;
  return folded + ", " + name(1) + " by " + name(operation.segments->bounds_input);
}

}  // namespace windrow::internal
