#include "src/models/indexed_axes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "src/models/find_in.h"
#include "src/models/propagate.h"

namespace windrow {
namespace internal {
namespace {

// The attribute's value in the node, else its default; nothing for operators without it.
std::optional<std::int64_t> integer(const ModelNode& node, const OperatorInfo& info,
                                    std::string_view name) {
  const OperatorAttribute* const declared = find_where(
      info.attributes, [name](const OperatorAttribute& each) { return each.name == name; });
  if (declared == nullptr) return std::nullopt;
  return integer_of(node.attributes, name, std::get<std::int64_t>(declared->default_value));
}

// The position of the input that is the axis; the number of inputs if no input is.
std::size_t axis_input(const OperatorInfo& info) {
  const auto is_axis = [](const OperatorInput& input) { return input.name == "axis"; };
  return static_cast<std::size_t>(std::find_if(info.inputs.begin(), info.inputs.end(), is_axis) -
                                  info.inputs.begin());
}

// Sets the axis. An axis that the rank does not have stays unknown.
void set_axis(std::int64_t axis, IndexedAxes& axes) {
  if (axis < 0) axis += *axes.rank;
  if (axis >= 0 && axis < *axes.rank) axes.axes = {axis};
}

// Whether indices are tuples, which the operator says or the mode of a TensorRT layer.
bool takes_tuples(const ModelNode& node, const OperatorInfo& info) {
  if (info.name.find("ND") != std::string::npos) return true;
  const auto* const mode = attribute_of<std::string>(node.attributes, "mode");
  return mode != nullptr && *mode == "ND";
}

// Sets the axes that index tuples address: after the batch axes, one for each index of a tuple.
void set_tuple_axes(const SymbolicShape& indices, IndexedAxes& axes) {
  if (!indices || indices->empty() || !indices->back().is_known()) return;
  const std::int64_t count = indices->back().value;
  if (axes.batch_dims < 0 || axes.batch_dims > *axes.rank - count) return;
  axes.axes.emplace();
  for (std::int64_t i = 0; i < count; ++i) axes.axes->push_back(axes.batch_dims + i);
}

}  // namespace

IndexedAxes find_indexed_axes(const ModelNode& node, const OperatorInfo& info,
                              const std::vector<ValueInfo>& inputs) {
  IndexedAxes axes;
  if (inputs.size() < 2 || !inputs[0].dims) return axes;
  axes.rank = static_cast<std::int64_t>(inputs[0].dims->size());
  const bool has_tensorrt_modes = integer(node, info, "num_elementwise_dims").has_value();
  axes.batch_dims =
      integer(node, info, has_tensorrt_modes ? "num_elementwise_dims" : "batch_dims").value_or(0);
  if (axes.batch_dims < 0 && inputs[1].dims)  // OpenVINO's count from the end of the indices
    axes.batch_dims += static_cast<std::int64_t>(inputs[1].dims->size());
  if (info.name == "OneHot") ++*axes.rank;  // its axis is one of the output
  if (const std::size_t at = axis_input(info); at < info.inputs.size()) {
    const auto axis = at < inputs.size() ? known_value(inputs[at]) : std::nullopt;
    if (axis) set_axis(*axis, axes);
  } else if (takes_tuples(node, info)) {
    set_tuple_axes(inputs[1].dims, axes);
  } else if (const auto axis = integer(node, info, "axis")) {
    set_axis(*axis, axes);
  } else {
    set_axis(info.name == "KVCacheUpdate" ? -2 : -1, axes);
  }
  return axes;
}

}  // namespace internal

std::string to_string(const IndexedAxes& indexed) {
  if (!indexed.rank) return "?";
  std::string text = "?";
  if (indexed.axes && indexed.axes->empty()) text = "no axis";
  if (indexed.axes && !indexed.axes->empty()) {
    const auto [first, last] = std::pair(indexed.axes->front(), indexed.axes->back());
    text = (first == last ? "axis " : "axes ") + std::to_string(first) +
           (first == last ? "" : ".." + std::to_string(last));
  }
  text += " of " + std::to_string(*indexed.rank);
  if (indexed.batch_dims > 0) text += " (batch_dims " + std::to_string(indexed.batch_dims) + ")";
  return text;
}

}  // namespace windrow
