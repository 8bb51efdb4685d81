#include "src/formats/openvino_ir/ir_graph.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "src/formats/openvino_ir/ir_text.h"
#include "src/models/check_inputs.h"
#include "src/models/value_info.h"

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

namespace {

// The body that an element of a layer describes: "then_body" for <then_port_map>; empty if it
// describes none.
std::string body_of(std::string_view element) {
  for (const std::string_view map : {"port_map", "back_edges"}) {
    if (!element.ends_with(map)) continue;
    std::string body = std::string(element.substr(0, element.size() - map.size())) + "body";
    for (const std::string_view known : kIrBodies)
      if (known == body) return body;
  }
  return {};
}

using Positions = std::map<std::int64_t, std::int64_t>;  // by the id

std::optional<std::int64_t> find(const Positions& positions, std::int64_t id) {
  const std::int64_t* const found = find_in(positions, id);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

Positions positions_of(const std::vector<IrPort>& ports, std::size_t first) {
  Positions positions;
  for (std::size_t i = 0; i < ports.size(); ++i)
    positions.emplace(ports[i].id, static_cast<std::int64_t>(first + i));
  return positions;
}

Positions positions_of(const IrDocument& graph, std::string_view type) {
  Positions positions;
  for (const IrLayer& layer : graph.layers)
    if (layer.is(type)) positions.emplace(layer.id, static_cast<std::int64_t>(positions.size()));
  return positions;
}

// The positions of everything that the maps of a layer refer to.
struct LayerPositions {
  Positions inputs;
  Positions outputs;
  std::map<std::string, std::pair<Positions, Positions>> bodies;  // Parameters, Results
};

LayerPositions positions_in(const IrLayer& layer) {
  LayerPositions positions;
  positions.inputs = positions_of(layer.inputs, 0);
  positions.outputs = positions_of(layer.outputs, layer.inputs.size());
  for (const IrBody& body : layer.bodies)
    positions.bodies.emplace(body.name, std::pair(positions_of(*body.graph, "Parameter"),
                                                  positions_of(*body.graph, "Result")));
  return positions;
}

}  // namespace

IrPortMaps::IrPortMaps(const IrLayer& layer)
    : code_(ErrorCode::kFormat),
      renumber_(
          [positions = positions_in(layer)](const std::string& name, Named named, std::int64_t id) {
            if (named == Named::kInput) return find(positions.inputs, id);
            if (named == Named::kOutput) return find(positions.outputs, id);
            const auto body = positions.bodies.find(name);
            if (body == positions.bodies.end()) return std::optional<std::int64_t>();
            return find(named == Named::kParameter ? body->second.first : body->second.second, id);
          }) {}

IrPortMaps::IrPortMaps(std::int64_t ports, std::map<std::string, IrBodyIds> bodies)
    : code_(ErrorCode::kInvalidArgument),
      renumber_([ports, bodies = std::move(bodies)](
                    const std::string& name, Named named,
                    std::int64_t position) -> std::optional<std::int64_t> {
        const IrBodyIds* const body = find_in(bodies, name);
        const IrBodyIds ids = body == nullptr ? IrBodyIds() : *body;
        std::int64_t count = ports;
        if (named == Named::kParameter) count = ids.parameters;
        if (named == Named::kResult) count = ids.results;
        if (position < 0 || position >= count) return std::nullopt;
        return named == Named::kResult ? ids.first_result + position : position;
      }) {}

bool IrPortMaps::is_map(const pugi::xml_node& element) { return !body_of(element.name()).empty(); }

std::optional<IrPortMaps::Named> IrPortMaps::named_by(std::string_view entry,
                                                      const pugi::xml_attribute& attribute) {
  const std::string_view name = attribute.name();
  if (entry == "edge" && name == "from-layer") return Named::kResult;
  if (entry == "edge" && name == "to-layer") return Named::kParameter;
  if (entry != "input" && entry != "output") return std::nullopt;
  const bool is_input = entry == "input";
  if (name == "internal_layer_id") return is_input ? Named::kParameter : Named::kResult;
  // A value that the layer itself provides, such as the number of an iteration, has no port.
  if (name != "external_port_id" || parse_integer(attribute.value()) == -1) return std::nullopt;
  return is_input ? Named::kInput : Named::kOutput;
}

Status IrPortMaps::write_entry(const std::string& body, const pugi::xml_node& entry,
                               XmlText& text) const {
  text.open(entry.name());
  for (const pugi::xml_attribute& attribute : entry.attributes()) {
    const std::optional<Named> named = named_by(entry.name(), attribute);
    if (!named) {
      text.attribute(attribute.name(), std::string_view(attribute.value()));
      continue;
    }
    const std::optional<std::int64_t> number = parse_integer(attribute.value());
    const auto changed = number ? renumber_(body, *named, *number) : std::nullopt;
    if (!changed)
      return {code_, text_of({"there is no ", kNames[static_cast<std::size_t>(*named)],
                              " of number '", attribute.value(), "'"})};
    text.attribute(attribute.name(), *changed);
  }
  text.close();
  return {};
}

Status IrPortMaps::write(const pugi::xml_node& map, XmlText& text) const {
  const std::string body = body_of(map.name());
  text.open(map.name());
  for (const pugi::xml_node& entry : map.children()) {
    if (entry.type() != pugi::node_element) continue;
    if (Status status = write_entry(body, entry, text); !status)
      return status.with_context(map.name());
  }
  text.close();
  return {};
}

}  // namespace windrow::internal
