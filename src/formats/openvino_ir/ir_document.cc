#include "src/formats/openvino_ir/ir_document.h"

#include <optional>
#include <set>
#include <utility>

#include "src/formats/openvino_ir/ir_text.h"
#include "src/models/find_in.h"
#include "src/models/openvino_types.h"
#include "src/models/text.h"
#include "windrow/shape.h"

namespace windrow::internal {
namespace {

Result<std::int64_t> read_number(const pugi::xml_node& element, const char* name) {
  const pugi::xml_attribute attribute = element.attribute(name);
  const std::optional<std::int64_t> number = parse_integer(attribute.value());
  if (number && *number >= 0) return *number;
  return format_error("<", element.name(), "> has ",
                      (attribute ? std::string("the ") + name + " '" + attribute.value() + "'"
                                 : std::string("no ") + name));
}

Status read_dims(const pugi::xml_node& element, IrPort& port) {
  for (const pugi::xml_node& dim : element.children("dim")) {
    const std::optional<std::int64_t> value = parse_integer(dim.child_value());
    if (!value || *value < -1) return format_error("the dimension '", dim.child_value(), "'");
    port.dims.push_back(*value);
  }
  if (port.dims.size() > kMaxRank)
    return unsupported_error("the rank is ", port.dims.size(), ", at most ", kMaxRank);
  return {};
}

// For an input only the id counts: the rest follows from the edge that ends there.
Result<IrPort> read_port(const pugi::xml_node& element, bool is_output) {
  const Result<std::int64_t> id = read_number(element, "id");
  if (!id) return id.error();
  IrPort port;
  port.element = element;
  port.id = *id;
  const std::string context = "port " + std::to_string(port.id);
  if (Status status = read_dims(element, port); !status) return status.with_context(context);
  if (!is_output) return port;
  const pugi::xml_attribute precision = element.attribute("precision");
  const std::optional<DType> type = dtype_of_openvino(precision.value());
  if (!type)
    return format_error(context, (precision ? ": the precision '" + std::string(precision.value()) +
                                                  "' is not an element type"
                                            : ": there is no precision"));
  port.type = *type;
  port.names = split_names(element.attribute("names").value());
  return port;
}

Status read_ports(const pugi::xml_node& list, bool is_output, std::vector<IrPort>& ports) {
  std::set<std::int64_t> ids;
  for (const pugi::xml_node& element : list.children("port")) {
    Result<IrPort> port = read_port(element, is_output);
    if (!port) return port.error();
    if (!ids.insert(port->id).second) return format_error("two ports have the id ", port->id);
    ports.push_back(*std::move(port));
  }
  return {};
}

Status read_content(const pugi::xml_node& element, IrLayer& layer) {
  for (const pugi::xml_attribute& attribute : element.child("data").attributes()) {
    if (!layer.attributes.emplace(attribute.name(), attribute.value()).second)
      return format_error("the attribute '", attribute.name(), "' appears twice");
  }
  Status status = read_ports(element.child("input"), false, layer.inputs);
  return status ? read_ports(element.child("output"), true, layer.outputs) : status;
}

Status read_graph(const pugi::xml_node& element, int depth, IrDocument& document);

Status read_bodies(const pugi::xml_node& element, int depth, IrLayer& layer) {
  for (const char* const name : kIrBodies) {
    const pugi::xml_node body = element.child(name);
    if (!body) continue;
    if (depth == kMostIrBodies) return too_deep_error();
    auto graph = std::make_shared<IrDocument>();
    if (Status status = read_graph(body, depth + 1, *graph); !status)
      return status.with_context(name);
    layer.bodies.push_back({name, std::move(graph)});
  }
  return {};
}

Result<IrLayer> read_layer(const pugi::xml_node& element, int depth) {
  IrLayer layer;
  layer.element = element;
  layer.name = element.attribute("name").value();
  const Result<std::int64_t> id = read_number(element, "id");
  if (!id) return id.error().with_context("layer '" + layer.name + "'");
  layer.id = *id;
  layer.type = element.attribute("type").value();
  layer.version = element.attribute("version").value();
  if (layer.name.empty() || layer.type.empty())
    return format_error(layer_text(layer), ": it has no ", (layer.name.empty() ? "name" : "type"));
  Status status = read_content(element, layer);
  if (status) status = read_bodies(element, depth, layer);
  if (!status) return status.with_context(layer_text(layer));
  return layer;
}

Result<IrEdge> read_edge(const pugi::xml_node& element) {
  IrEdge edge;
  const std::pair<const char*, std::int64_t*> fields[] = {{"from-layer", &edge.from_layer},
                                                          {"from-port", &edge.from_port},
                                                          {"to-layer", &edge.to_layer},
                                                          {"to-port", &edge.to_port}};
  for (const auto& [name, target] : fields) {
    const Result<std::int64_t> number = read_number(element, name);
    if (!number) return number.error();
    *target = *number;
  }
  return edge;
}

Status check_version(const pugi::xml_node& net) {
  const std::string version = net.attribute("version").value();
  if (version == "10" || version == "11") return {};
  return unsupported_error("version '", version,
                           "' of OpenVINO IR is not supported, 10 and 11 are");
}

// `depth`: the number of layers around the graph.
Status read_graph(const pugi::xml_node& element, int depth, IrDocument& document) {
  document.element = element;
  std::set<std::int64_t> ids;
  for (const pugi::xml_node& child : element.child("layers").children("layer")) {
    Result<IrLayer> layer = read_layer(child, depth);
    if (!layer) return layer.error();
    if (!ids.insert(layer->id).second)
      return format_error(layer_text(*layer), ": another layer has the same id");
    document.layers.push_back(*std::move(layer));
  }
  for (const pugi::xml_node& child : element.child("edges").children("edge")) {
    const Result<IrEdge> edge = read_edge(child);
    if (!edge) return edge.error();
    document.edges.push_back(*edge);
  }
  return {};
}

}  // namespace

bool IrLayer::is(std::string_view type_name) const noexcept {
  return same_openvino_name(type, type_name);
}

const std::string* IrLayer::attribute(std::string_view attribute_name) const {
  return find_in(attributes, attribute_name);
}

std::string layer_text(const IrLayer& layer) {
  return "layer " + std::to_string(layer.id) + " '" + layer.name + "'";
}

Status too_deep_error() {
  return unsupported_error("bodies stand inside each other more than ", kMostIrBodies, " deep");
}

Result<std::unique_ptr<IrFile>> parse_ir_file(std::string xml) {
  if (xml.empty()) return format_error("the file is empty");
  auto file = std::make_unique<IrFile>();
  file->text = std::move(xml);
  const pugi::xml_parse_result parsed =
      file->xml.load_buffer_inplace(file->text.data(), file->text.size());
  if (parsed.status == pugi::status_out_of_memory)
    return Status(ErrorCode::kOutOfMemory, "no memory for the XML document");
  if (!parsed)
    return format_error("not a valid XML document, at byte ", parsed.offset, ": ",
                        parsed.description());
  const pugi::xml_node net = file->xml.child("net");
  if (!net) return format_error("no <net>: not OpenVINO IR");
  if (Status status = check_version(net); !status) return status;
  if (!net.child("layers")) return format_error("<net> has no <layers>");
  if (Status status = read_graph(net, 0, file->net); !status) return status;
  return file;
}

}  // namespace windrow::internal
