#include "src/explain/numpy_line.h"

#include <algorithm>
#include <string_view>

#include "src/access/print.h"

namespace windrow::internal {
namespace {

// Whether NumPy's indexing means the same: one index element alone, or counters alone.
bool is_plain(const AxisMap& axis, std::span<const TensorView> inputs) {
  if (axis.terms.empty()) return true;
  if (axis.policy != OutOfRange::kError || axis.terms.size() > 1) return false;
  const DType type = inputs[static_cast<std::size_t>(axis.terms[0].input)].dtype;
  return axis.base == 0 && axis.loops.empty() && is_integer(type) && !is_packed(type);
}

bool is_plain_scatter(const Operation& operation) {
  return operation.data_input >= 0 && operation.from_data && operation.data_element < 0 &&
         operation.updates_element < 0 && !operation.updates_broadcast &&
         operation.combine != Combine::kMean;
}

// "i0, i1 = np.ogrid[:2, :3]; ", by which the equation's indices broadcast to the loops.
std::string counters(std::span<const ExplainedAxis> axes) {
  if (axes.empty()) return {};
  std::string names;
  std::string extents;
  for (const ExplainedAxis& axis : axes) {
    names += (names.empty() ? "" : ", ") + axis.name;
    extents += (extents.empty() ? ":" : ", :") + std::to_string(axis.extent);
  }
  const std::string one = axes.size() == 1 ? "," : "";  // a tuple of one in Python
  return names + one + " = np.ogrid[" + extents + one + "]; ";
}

std::string reshaped(const std::string& array, const Shape& from, const Shape& to) {
  return from == to ? array : array + ".reshape(" + to_string(to) + ")";
}

std::string_view fold_name(Combine combine) {
  switch (combine) {
    case Combine::kSub:
      return "subtract";
    case Combine::kMul:
      return "multiply";
    case Combine::kMin:
      return "minimum";
    case Combine::kMax:
      return "maximum";
    default:
      return "add";
  }
}

}  // namespace

std::string numpy_line(const Operation& operation, std::span<const TensorView> inputs,
                       std::span<const ExplainedAxis> axes) {
  const bool plain = std::all_of(operation.map.axes.begin(), operation.map.axes.end(),
                                 [&](const AxisMap& axis) { return is_plain(axis, inputs); }) &&
                     std::none_of(axes.begin(), axes.end(), [](const ExplainedAxis& axis) {
                       return axis.origin == AxisOrigin::kRepeat;
                     });
  if (!plain || (operation.scatter && !is_plain_scatter(operation))) return {};
  const auto name = [&](int input) {
    return operation.input_names[static_cast<std::size_t>(input)];
  };
  const std::string position = indirect_position(operation);
  const std::string data = name(operation.data_input);
  if (!operation.scatter)
    return counters(axes) +
           "output = " + reshaped(data + position, operation.map.loops, operation.result_shape);
  const Shape& shape = inputs[static_cast<std::size_t>(operation.updates_input)].shape;
  const std::string updates = reshaped(name(operation.updates_input), shape, operation.map.loops);
  const std::string start = counters(axes) + "output = " + data + ".copy(); ";
  if (operation.combine == Combine::kAssign) return start + "output" + position + " = " + updates;
  const std::string tuple = "(" + position.substr(1, position.size() - 2) + ",)";
  return start + "np." + std::string(fold_name(operation.combine)) + ".at(output, " + tuple + ", " +
         updates + ")";
}

}  // namespace windrow::internal
