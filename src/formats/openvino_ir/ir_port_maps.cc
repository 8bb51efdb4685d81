#include "src/formats/openvino_ir/ir_port_maps.h"

#include <string_view>
#include <utility>

#include "src/formats/openvino_ir/ir_text.h"
#include "src/models/find_in.h"
#include "src/models/text.h"

namespace windrow::internal {
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
