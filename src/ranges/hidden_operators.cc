#include "src/ranges/hidden_operators.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/models/host_ops/convert.h"
#include "src/models/host_ops/host_ops.h"

namespace windrow::internal {
namespace {

constexpr std::string_view kDomain = "hidden";
constexpr std::int64_t kMostNumbers = 64;
constexpr std::size_t kEnds = 2;
constexpr std::size_t kSteps = 4;

std::vector<std::int64_t> numbers_of(const Tensor& tensor) {
  if (!is_integer(tensor.dtype()) || tensor.element_count() > kMostNumbers) return {};
  const Result<Tensor> wide = convert(tensor, DType::kInt64);
  if (!wide) return {};
  const auto numbers = wide->values<std::int64_t>();
  return {numbers.begin(), numbers.end()};
}

// The small constants of a graph's Constant nodes and initializers.
class Constants {
 public:
  explicit Constants(const Graph& graph) : graph_(graph) {
    for (const ModelNode& node : graph.nodes)
      if (is_constant(node) && node.outputs.size() == 1) nodes_.emplace(node.outputs[0], &node);
  }

  // Empty if they are not known.
  std::vector<std::int64_t> numbers(const std::string& name) const {
    if (const auto found = graph_.constants.find(name); found != graph_.constants.end()) {
      const Constant& constant = found->second;
      if (element_count(constant.shape()).value_or(kMostNumbers + 1) > kMostNumbers) return {};
      const auto tensor = constant.tensor();
      return tensor ? numbers_of(**tensor) : std::vector<std::int64_t>();
    }
    const auto found = nodes_.find(name);
    if (found == nodes_.end()) return {};
    const auto value = constant_value(*found->second, std::numeric_limits<int>::max());
    return value ? numbers_of(**value) : std::vector<std::int64_t>();
  }

 private:
  const Graph& graph_;
  std::map<std::string_view, const ModelNode*> nodes_;
};

bool goes_down_to_largest(const ModelNode& node, const Constants& constants) {
  if (node.op_type != "Slice" || node.inputs.size() <= kSteps) return false;
  const auto is_down = [](std::int64_t step) { return step < 0; };
  const auto is_largest = [](std::int64_t end) {
    return end >= std::numeric_limits<std::int32_t>::max();
  };
  const std::vector<std::int64_t> steps = constants.numbers(node.inputs[kSteps]);
  const std::vector<std::int64_t> ends = constants.numbers(node.inputs[kEnds]);
  return std::any_of(steps.begin(), steps.end(), is_down) &&
         std::any_of(ends.begin(), ends.end(), is_largest);
}

// Hides the operators of a graph and its bodies; returns whether there were any.
bool hide(Graph& graph) {
  bool is_any = false;
  const Constants constants(graph);
  for (ModelNode& node : graph.nodes) {
    const bool differs = node.op_type == "NonZero" || goes_down_to_largest(node, constants);
    if (node.domain.empty() && differs) {
      node.domain = kDomain;
      is_any = true;
    }
    for (NodeBody& body : node.bodies) {
      auto copy = std::make_shared<Graph>(*body.graph);
      is_any = hide(*copy) || is_any;
      body.graph = std::move(copy);
    }
  }
  return is_any;
}

}  // namespace

void hide_operators(Model& model) {
  if (hide(model)) model.opset_imports.emplace(kDomain, 1);
}

}  // namespace windrow::internal
