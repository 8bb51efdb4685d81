#include "src/formats/openvino_ir/ir_document.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "src/formats/openvino_ir/ir_text.h"
#include "src/models/check_inputs.h"
#include "src/models/types.h"
#include "src/models/value_info.h"
#include "windrow/shape.h"

namespace windrow::internal {
namespace {

bool is_name_character(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == ':' || c == '-' || c == '.' || static_cast<unsigned char>(c) >= 128;
}

// Characters that can't stand for themselves in an attribute or in text become references.
void append_escaped(std::string& text, std::string_view value) {
  for (const char c : value) {
    if (c == '&') {
      text += "&amp;";
    } else if (c == '<') {
      text += "&lt;";
    } else if (c == '>') {
      text += "&gt;";
    } else if (c == '"') {
      text += "&quot;";
    } else if (static_cast<unsigned char>(c) < 32) {
      text += "&#" + std::to_string(static_cast<int>(c)) + ";";
    } else {
      text += c;
    }
  }
}

// Whether an element is shallow enough to be indented. The indentation of a very deep one would
// take more characters than the rest of the file.
bool is_flat(pugi::xml_node element) {
  constexpr int kMostDepth = 16;
  struct Walker final : pugi::xml_tree_walker {
    bool for_each(pugi::xml_node&) override { return depth() < kMostDepth; }
  } walker;
  return element.traverse(walker);
}

}  // namespace

bool is_xml_name(std::string_view name) noexcept {
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_name_character)) return false;
  const char first = name.front();
  return first != '-' && first != '.' && (first < '0' || first > '9');
}

void XmlText::end_line() {
  if (form_ == Form::kOneLine) return;
  if (!text_.empty()) text_ += '\n';
  text_.append(open_.size(), '\t');
}

void XmlText::begin_child() {
  if (in_tag_) text_ += '>';
  in_tag_ = false;
  end_line();
}

void XmlText::open(std::string_view name) {
  begin_child();
  (text_ += '<') += name;
  open_.emplace_back(name);
  in_tag_ = true;
}

void XmlText::attribute(std::string_view name, std::string_view value) {
  ((text_ += ' ') += name) += "=\"";
  append_escaped(text_, value);
  text_ += '"';
}

void XmlText::attribute(std::string_view name, std::int64_t value) {
  attribute(name, std::string_view(std::to_string(value)));
}

void XmlText::element(std::string_view name, std::string_view content) {
  begin_child();
  ((text_ += '<') += name) += '>';
  append_escaped(text_, content);
  ((text_ += "</") += name) += '>';
}

void XmlText::copy(const pugi::xml_node& element) {
  struct Text final : pugi::xml_writer {
    explicit Text(std::string& to) : bytes(to) {}
    std::string& bytes;
    void write(const void* data, std::size_t size) override {
      bytes.append(static_cast<const char*>(data), size);
    }
  };
  begin_child();
  Text text(text_);
  const bool is_indented = form_ == Form::kIndented && is_flat(element);
  // pugixml prints the indentation of the first line itself, and a line break after the last one.
  if (is_indented) text_.resize(text_.size() - open_.size());
  element.print(text, "\t", is_indented ? pugi::format_indent : pugi::format_raw,
                pugi::encoding_utf8, static_cast<unsigned>(open_.size()));
  if (is_indented && text_.ends_with('\n')) text_.pop_back();
}

void XmlText::copy_attributes(const pugi::xml_node& element,
                              std::initializer_list<std::string_view> but) {
  copy_attributes(element,
                  [but](std::string_view name, std::string_view) { return is_one_of(name, but); });
}

void XmlText::copy_children(const pugi::xml_node& element) {
  for (const pugi::xml_node& child : element.children()) copy(child);
}

void XmlText::append(std::string_view elements) {
  if (elements.empty()) return;
  begin_child();
  text_ += elements;
}

void XmlText::close() {
  const std::string name = std::move(open_.back());
  open_.pop_back();
  if (in_tag_) {
    text_ += form_ == Form::kOneLine ? "/>" : " />";
  } else {
    end_line();
    ((text_ += "</") += name) += '>';
  }
  in_tag_ = false;
}

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

bool is_constant_layer(const IrLayer& layer) { return layer.is("Const") || layer.is("Constant"); }

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
