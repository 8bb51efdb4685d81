#include "tools/windrow/explain_node.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "tools/windrow/console.h"
#include "tools/windrow/input_types.h"
#include "tools/windrow/node_operator.h"
#include "tools/windrow/random_inputs.h"

namespace windrow::tool {
namespace {

// A larger constant is not read: an explanation shows a few of its elements, and opens at once.
constexpr std::int64_t kMostConstantBytes = std::int64_t{1} << 26;

// Type and shape of a value that the graph declares, without elements.
TensorView declared_view(const Graph& graph, const std::string& name) {
  const auto value = std::find_if(graph.inputs.begin(), graph.inputs.end(),
                                  [&](const ValueInfo& input) { return input.name == name; });
  bool known = value != graph.inputs.end() && value->dtype != DType::kAbsent && value->dims;
  Shape shape;
  if (known)
    for (const Dim& dim : *value->dims)
      known = known && dim.is_known() && shape.push_back(dim.value);
  if (!known)
    fail(ErrorCode::kInvalidArgument,
         fmt::format("type or shape of '{}' is not known: give --input {}=FILE, or --random SEED "
                     "with --dim",
                     name, name));
  return {value->dtype, shape, nullptr};
}

TensorView view_of(const Graph& graph, const std::string& name, NodeCall& call) {
  if (name.empty()) return {};
  if (const auto given = call.tensors.find(name); given != call.tensors.end()) return given->second;
  const auto constant = graph.constants.find(name);
  if (constant == graph.constants.end()) return declared_view(graph, name);
  const Constant& elements = constant->second;
  if (elements.byte_count() > kMostConstantBytes)
    return {elements.dtype(), elements.shape(), nullptr};
  call.constants.push_back(elements.tensor().value());
  return call.constants.back()->view();
}

}  // namespace

bool names_model(const std::string& word) {
  return word == kStandardStream || word.ends_with(".onnx") || word.ends_with(".xml");
}

NodeCall find_node_call(const NodeQuestion& question) {
  InputFiles files;
  Model model = files.load_model(files.model_path(question.model)).only_node(question.node).value();
  NodeCall call;
  call.tensors = load_inputs(model, question.inputs, files);
  if (question.seed || !question.dims.empty()) {
    model = with_known_dims(std::move(model), call.tensors, parse_symbols(question.dims));
    model = with_fixed_types(std::move(model), call.tensors);
  }
  if (question.seed) add_random_inputs(model, *question.seed, call.tensors);
  const ModelNode& node = model.nodes.front();
  const OperatorInfo info = operator_of(model, node).value();
  call.id = {info.dialect, info.name, info.since_version};
  call.attributes = node.attributes;
  for (const std::string& name : node.inputs) call.inputs.push_back(view_of(model, name, call));
  return call;
}

}  // namespace windrow::tool
