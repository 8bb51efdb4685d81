#include "src/formats/openvino_ir/ir_graph.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "src/models/text.h"

namespace windrow::internal {
namespace {

std::string edge_text(const IrEdge& edge) {
  return "the edge from port " + std::to_string(edge.from_port) + " of layer " +
         std::to_string(edge.from_layer) + " to port " + std::to_string(edge.to_port) +
         " of layer " + std::to_string(edge.to_layer);
}

// The position of each port, by the position of its layer and the port's id.
using Places = std::map<std::pair<std::size_t, std::int64_t>, std::size_t>;

class GraphBuilder {
 public:
  explicit GraphBuilder(const IrDocument& document)
      : document_(document), has_edge_(document.layers.size()) {
    for (std::size_t i = 0; i < document.layers.size(); ++i) {
      const IrLayer& layer = document.layers[i];
      layers_.emplace(layer.id, i);
      for (std::size_t k = 0; k < layer.inputs.size(); ++k)
        inputs_.emplace(std::pair(i, layer.inputs[k].id), k);
      for (std::size_t k = 0; k < layer.outputs.size(); ++k)
        outputs_.emplace(std::pair(i, layer.outputs[k].id), k);
      graph_.inputs.emplace_back(layer.inputs.size());
      has_edge_[i].resize(layer.inputs.size());
    }
  }

  Result<IrGraph> build() {
    for (const IrEdge& edge : document_.edges) {
      if (Status status = add_edge(edge); !status) return status;
    }
    keep_needed();
    for (std::size_t i = 0; i < document_.layers.size(); ++i) {
      if (!needed_[i]) continue;
      if (Status status = add_to_order(i); !status) return status;
    }
    return std::move(graph_);
  }

 private:
  enum class Mark : unsigned char { kNew, kOpen, kDone };

  Status add_edge(const IrEdge& edge) {
    const auto from = layers_.find(edge.from_layer);
    const auto to = layers_.find(edge.to_layer);
    if (from == layers_.end() || to == layers_.end())
      return format_error(edge_text(edge), ": there is no layer ",
                          from == layers_.end() ? edge.from_layer : edge.to_layer);
    const auto output = outputs_.find({from->second, edge.from_port});
    const auto input = inputs_.find({to->second, edge.to_port});
    if (output == outputs_.end())
      return format_error(edge_text(edge), ": ", layer_text(document_.layers[from->second]),
                          " has no such output");
    if (input == inputs_.end())
      return format_error(edge_text(edge), ": ", layer_text(document_.layers[to->second]),
                          " has no such input");
    if (has_edge_[to->second][input->second])
      return format_error(edge_text(edge), ": another edge ends at that port of ",
                          layer_text(document_.layers[to->second]));
    has_edge_[to->second][input->second] = true;
    graph_.inputs[to->second][input->second] = {from->second, output->second};
    return {};
  }

  void keep_needed() {
    needed_.resize(document_.layers.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < document_.layers.size(); ++i) {
      const IrLayer& layer = document_.layers[i];
      needed_[i] = layer.is("Parameter") || layer.is("Result") || layer.is("Assign");
      if (needed_[i]) open.push_back(i);
    }
    while (!open.empty()) {
      const std::size_t layer = open.back();
      open.pop_back();
      for (std::size_t k = 0; k < graph_.inputs[layer].size(); ++k) {
        const std::size_t source = graph_.inputs[layer][k].layer;
        if (!has_edge_[layer][k] || needed_[source]) continue;
        needed_[source] = true;
        open.push_back(source);
      }
    }
  }

  // Depth first, without recursion, since files may nest arbitrarily deep.
  Status add_to_order(std::size_t root) {
    marks_.resize(document_.layers.size(), Mark::kNew);
    if (marks_[root] != Mark::kNew) return {};
    std::vector<std::pair<std::size_t, std::size_t>> path = {{root, 0}};  // layer, next input
    marks_[root] = Mark::kOpen;
    while (!path.empty()) {
      auto& [layer, input] = path.back();
      if (input == graph_.inputs[layer].size()) {
        marks_[layer] = Mark::kDone;
        graph_.order.push_back(layer);
        path.pop_back();
        continue;
      }
      if (!has_edge_[layer][input]) return missing_edge(layer, input);
      const std::size_t source = graph_.inputs[layer][input++].layer;
      if (marks_[source] == Mark::kOpen) return cycle(path, source);
      if (marks_[source] == Mark::kDone) continue;
      marks_[source] = Mark::kOpen;
      path.emplace_back(source, 0);
    }
    return {};
  }

  Status missing_edge(std::size_t layer, std::size_t input) const {
    const IrLayer& found = document_.layers[layer];
    return format_error(layer_text(found), ": no edge ends at its port ", found.inputs[input].id);
  }

  Status cycle(const std::vector<std::pair<std::size_t, std::size_t>>& path,
               std::size_t source) const {
    constexpr std::size_t kShown = 8;
    const auto first = std::find_if(path.begin(), path.end(),
                                    [source](const auto& step) { return step.first == source; });
    return format_error(
        "the layers depend on each other in a cycle: ",
        listed(std::span(first, path.end()), ", ", kShown,
               [this](const auto& step) { return layer_text(document_.layers[step.first]); }));
  }

  const IrDocument& document_;
  std::map<std::int64_t, std::size_t> layers_;  // by id
  Places inputs_;
  Places outputs_;
  std::vector<std::vector<bool>> has_edge_;
  std::vector<bool> needed_;
  std::vector<Mark> marks_;
  IrGraph graph_;
};

}  // namespace

Result<IrGraph> make_ir_graph(const IrDocument& document) { return GraphBuilder(document).build(); }

}  // namespace windrow::internal
