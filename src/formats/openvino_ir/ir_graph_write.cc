#include "src/formats/openvino_ir/ir_graph_write.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "src/formats/openvino_ir/ir_constants.h"
#include "src/formats/openvino_ir/ir_document.h"
#include "src/formats/openvino_ir/ir_graph.h"
#include "src/formats/openvino_ir/ir_kept.h"
#include "src/formats/openvino_ir/ir_text.h"
#include "src/models/check_inputs.h"
#include "src/models/types.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

std::string precision_of(const ValueInfo& value, const pugi::xml_node& kept) {
  const pugi::xml_attribute other = kept.attribute("precision");
  if (value.dtype == DType::kAbsent && other) return other.value();
  return std::string(openvino_precision(value.dtype));
}

std::vector<std::int64_t> dims_of(const ValueInfo& value) {
  std::vector<std::int64_t> dims;
  if (!value.dims) return dims;
  for (const Dim& dim : *value.dims) dims.push_back(dim.value);
  return dims;
}

}  // namespace

std::string IrLayerWriter::kept_or(const char* attribute, const std::string& otherwise) const {
  const pugi::xml_attribute kept = kept_.attribute(attribute);
  return kept ? kept.value() : otherwise;
}

bool IrLayerWriter::has_kept_data(const char* name) const {
  return kept_.child("data").attribute(name);
}

void IrLayerWriter::open(std::int64_t id, const std::string& name, const std::string& type,
                         const std::string& version) {
  id_ = id;
  name_ = name;
  text_.open("layer");
  text_.attribute("id", id);
  text_.attribute("name", name);
  text_.attribute("type", type);
  text_.attribute("version", version);
  text_.copy_attributes(kept_, {"id", "name", "type", "version"});
}

void IrLayerWriter::write_data(const std::vector<std::pair<std::string, std::string>>& attributes) {
  const pugi::xml_node kept = kept_.child("data");
  if (attributes.empty() && !kept) return;
  text_.open("data");
  std::set<std::string_view> written;
  for (const auto& [name, value] : attributes) {
    text_.attribute(name, std::string_view(value));
    written.insert(name);
  }
  text_.copy_attributes(
      kept, [&](std::string_view name, std::string_view) { return written.contains(name); });
  text_.copy_children(kept);
  text_.close();
}

void IrLayerWriter::write_port(std::int64_t id, const IrWrittenPort& port, const std::string& names,
                               const pugi::xml_node& kept) {
  text_.open("port");
  text_.attribute("id", id);
  text_.attribute("precision", std::string_view(port.precision));
  if (!names.empty()) text_.attribute("names", std::string_view(names));
  text_.copy_attributes(kept, {"id", "precision", "names"});
  for (const std::int64_t extent : port.dims) text_.element("dim", std::to_string(extent));
  text_.copy_children(kept);
  text_.close();
}

void IrLayerWriter::write_inputs(const std::vector<const IrWrittenPort*>& sources) {
  input_count_ = sources.size();
  if (sources.empty()) return;
  text_.open("input");
  pugi::xml_node kept = kept_.child("input").child("port");
  for (std::size_t i = 0; i < sources.size(); ++i, kept = kept.next_sibling("port"))
    write_port(static_cast<std::int64_t>(i), *sources[i], kept.attribute("names").value(), kept);
  text_.close();
}

Result<std::string> IrLayerWriter::names_text(const std::string& value, const IrAliases& aliases,
                                              std::size_t position,
                                              const pugi::xml_node& kept) const {
  if (value.empty()) return std::string();
  const IrOutput place{name_, input_count_, position};
  const std::vector<std::string> names = port_names(value, aliases, place);
  const pugi::xml_attribute kept_text = kept.attribute("names");
  std::vector<std::string> all = split_names(kept_text.value());
  if (!kept_text || !may_have_names(value, all, place)) return join_names(names);
  const std::set<std::string> known(all.begin(), all.end());
  bool has_more = false;
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (known.contains(names[i])) continue;
    all.push_back(names[i]);
    has_more = true;
  }
  return has_more ? join_names(all) : Result<std::string>(kept_text.value());
}

Result<std::vector<IrWrittenPort>> IrLayerWriter::write_outputs(
    const std::vector<ValueInfo>& values, const IrAliases& aliases) {
  std::vector<IrWrittenPort> ports;
  if (values.empty()) return ports;
  text_.open("output");
  pugi::xml_node kept = kept_.child("output").child("port");
  for (std::size_t i = 0; i < values.size(); ++i, kept = kept.next_sibling("port")) {
    const ValueInfo& value = values[i];
    const auto id = static_cast<std::int64_t>(input_count_ + i);
    ports.push_back({id_, id, precision_of(value, kept), dims_of(value)});
    if (ports.back().precision.empty())
      return unsupported_error("OpenVINO has no element type ", dtype_name(value.dtype));
    const Result<std::string> names = names_text(value.name, aliases, i, kept);
    if (!names) return names.error();
    write_port(id, ports.back(), *names, kept);
  }
  text_.close();
  return ports;
}

void IrLayerWriter::write_kept_elements() {
  for (const pugi::xml_node& child : kept_.children())
    if (!is_one_of(child.name(), {"data", "input", "output"}) && !IrPortMaps::is_map(child))
      text_.copy(child);
}

namespace {

using TextAttributes = std::vector<std::pair<std::string, std::string>>;

Result<std::string> type_text(DType type) {
  const std::string_view name = openvino_name(type);
  if (name.empty()) return unsupported_error("OpenVINO has no element type ", dtype_name(type));
  return std::string(name);
}

Result<TextAttributes> attributes_of(const ModelNode& node) {
  TextAttributes attributes;
  for (const auto& [name, value] : node.attributes) {
    Result<std::string> text = attribute_text(value);
    if (text && !is_xml_name(name)) text = unsupported_error("XML has no attribute of that name");
    if (!text) return text.error().with_context("attribute '" + name + "'");
    attributes.emplace_back(name, *std::move(text));
  }
  return attributes;
}

// Writes layers, numbered as they come, and then the edges between them.
class GraphWriter {
 public:
  GraphWriter(const Graph& graph, const IrKnownValues& known, IrWriting& writing, int depth,
              XmlText& text)
      : graph_(graph), known_(known), writing_(writing), depth_(depth), text_(text) {
    for (const ValueInfo& value : graph.values) declared_[value.name] = &value;
  }

  Result<IrBodyIds> write(std::string_view element) {
    if (!graph_.default_inputs.empty())
      return unsupported_error("OpenVINO IR has no defaults of inputs: '",
                               graph_.default_inputs.front().name, "'");
    if (Status status = kept_.parse(graph_.kept); !status) return status;
    text_.open(element);
    write_attributes(element == "net");
    text_.open("layers");
    if (Status status = write_layers(); !status) return status;
    text_.close();
    write_edges();
    if (kept_.rest()) {
      text_.copy_children(kept_.rest());
    } else {
      text_.open("rt_info");
      text_.close();
    }
    text_.close();
    const std::int64_t results = std::ssize(graph_.outputs);
    return IrBodyIds{std::ssize(graph_.inputs), results, layer_count_ - results};
  }

 private:
  void write_attributes(bool is_net) {
    if (is_net || !graph_.name.empty())
      text_.attribute("name", std::string_view(graph_.name.empty() ? "model" : graph_.name));
    if (is_net && !kept_.rest().attribute("version")) text_.attribute("version", kIrVersion);
    text_.copy_attributes(kept_.rest(), {});
  }

  Status write_layers() {
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
      if (Status status = add_parameter(i); !status)
        return status.with_context("input '" + graph_.inputs[i].name + "'");
    }
    for (const ModelNode& node : graph_.nodes) {
      if (Status status = add_node(node); !status)
        return status.with_context("node '" + node.name + "'");
    }
    // Constants that are outputs come before all Results, so that Results are the last layers.
    for (const ValueInfo& output : graph_.outputs) {
      if (Status status = add_constant(output.name); !status)
        return status.with_context("output '" + output.name + "'");
    }
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) {
      if (Status status = add_result(i); !status)
        return status.with_context("output '" + graph_.outputs[i].name + "'");
    }
    return {};
  }

  Status add_parameter(std::size_t position) {
    const ValueInfo& input = graph_.inputs[position];
    IrLayerWriter layer(kept_.layer("input", std::to_string(position)), text_);
    const Result<std::string> type = type_text(input.dtype);
    if (!type) return type.error();
    TextAttributes attributes = {{"shape", partial_shape_text(input.dims)}};
    if (input.dtype != DType::kAbsent || !layer.has_kept_data("element_type"))
      attributes.emplace_back("element_type", *type);
    return add_source(layer, "Parameter", attributes, input);
  }

  // Writes the layer of a constant, if the name is that of a constant without a layer so far.
  Status add_constant(const std::string& name) {
    if (places_.contains(name)) return {};
    const Constant* const constant = find_in(graph_.constants, name);
    Status status;
    if (constant != nullptr) {
      status = add_represented(name, *constant);
    } else if (graph_.opaque_constants.contains(name)) {
      status = add_opaque(name);
    }
    return status ? status : status.with_context("constant '" + name + "'");
  }

  Status add_represented(const std::string& name, const Constant& constant) {
    const Result<std::string> type = type_text(constant.dtype());
    if (!type) return type.error();
    const Result<std::shared_ptr<const Tensor>> tensor = constant.tensor();
    if (!tensor) return tensor.error();
    const Result<IrBlob> blob = writing_.bin.add(**tensor);
    if (!blob) return blob.error();
    IrLayerWriter layer(kept_.layer("constant", name), text_);
    return add_source(layer, "Const",
                      {{"element_type", *type},
                       {"shape", shape_text(constant.shape())},
                       {"offset", std::to_string(blob->offset)},
                       {"size", std::to_string(blob->bytes)}},
                      constant_info(name, constant));
  }

  Status add_opaque(const std::string& name) {
    const Result<std::string_view> bytes = kept_.bytes(name);
    if (!bytes) return bytes.error();
    const Result<IrBlob> blob = writing_.bin.add(*bytes);
    if (!blob) return blob.error();
    IrLayerWriter layer(kept_.layer("constant", name), text_);
    return add_source(
        layer, "Const",
        {{"offset", std::to_string(blob->offset)}, {"size", std::to_string(blob->bytes)}},
        type_of(name));
  }

  // Writes a layer without inputs that gives one value.
  Status add_source(IrLayerWriter& layer, const std::string& type, const TextAttributes& attributes,
                    const ValueInfo& value) {
    layer.open(layer_count_++, layer.kept_or("name", value.name), type,
               layer.kept_or("version", kInterfaceOpset));
    layer.write_data(attributes);
    Status status = write_outputs(layer, {value});
    layer.write_kept_elements();
    layer.close();
    return status;
  }

  Status add_node(const ModelNode& node) {
    if (!node.unsupported.empty() && node.kept.empty())
      return unsupported_error("cannot be written: ", node.unsupported);
    for (const std::string& input : node.inputs) {
      if (Status status = add_constant(input); !status) return status;
    }
    pugi::xml_document kept;
    if (Status status = parse_kept_layer(node.kept, kept); !status) return status;
    IrLayerWriter layer(kept.child("layer"), text_);
    const pugi::xml_attribute version = kept.child("layer").attribute("version");
    const Result<std::string> opset = writing_.operators.opset_text(
        node, version ? std::optional<std::string>(version.value()) : std::nullopt);
    if (!opset) return opset.error();
    const Result<TextAttributes> attributes = attributes_of(node);
    if (!attributes) return attributes.error();
    layer.open(layer_count_++, node.name, node.op_type, *opset);
    layer.write_data(*attributes);
    if (Status status = write_inputs(layer, node.inputs); !status) return status;
    std::vector<ValueInfo> values;
    for (const std::string& output : node.outputs) values.push_back(type_of(output));
    if (Status status = write_outputs(layer, values); !status) return status;
    layer.write_kept_elements();
    if (Status status = write_bodies(node, kept.child("layer")); !status) return status;
    layer.close();
    return {};
  }

  Status write_bodies(const ModelNode& node, const pugi::xml_node& kept) {
    std::map<std::string, IrBodyIds> bodies;
    for (const NodeBody& body : node.bodies) {
      const auto* const known =
          std::find(std::begin(kIrBodies), std::end(kIrBodies), body.attribute);
      if (known == std::end(kIrBodies) || bodies.contains(body.attribute))
        return unsupported_error("OpenVINO IR has no place for a graph '", body.attribute, "'");
      if (depth_ == kMostIrBodies) return too_deep_error();
      const Result<IrBodyIds> ids =
          write_ir_graph(*body.graph, {}, writing_, body.attribute, depth_ + 1, text_);
      if (!ids) return ids.error().with_context("'" + body.attribute + "'");
      bodies.emplace(body.attribute, *ids);
    }
    const IrPortMaps maps(std::ssize(node.inputs) + std::ssize(node.outputs), std::move(bodies));
    for (const pugi::xml_node& child : kept.children()) {
      if (!IrPortMaps::is_map(child)) continue;
      if (Status status = maps.write(child, text_); !status) return status;
    }
    return {};
  }

  Status add_result(std::size_t position) {
    IrLayerWriter layer(kept_.layer("output", std::to_string(position)), text_);
    layer.open(layer_count_++, layer.kept_or("name", result_name(position)), "Result",
               layer.kept_or("version", kInterfaceOpset));
    layer.write_data({});
    Status status = write_inputs(layer, {graph_.outputs[position].name});
    layer.write_kept_elements();
    layer.close();
    return status;
  }

  // Writes the input ports of the current layer, and adds the edges to them.
  Status write_inputs(IrLayerWriter& layer, const std::vector<std::string>& names) {
    std::vector<const IrWrittenPort*> sources;
    for (const std::string& name : names) {
      const IrWrittenPort* const source = find_in(places_, name);
      if (source == nullptr) return unsupported_error("OpenVINO IR cannot omit an input");
      edges_.push_back({source->layer, source->port, layer_count_ - 1, std::ssize(sources)});
      sources.push_back(source);
    }
    layer.write_inputs(sources);
    return {};
  }

  Status write_outputs(IrLayerWriter& layer, const std::vector<ValueInfo>& values) {
    Result<std::vector<IrWrittenPort>> ports = layer.write_outputs(values, known_.aliases);
    if (!ports) return ports.error();
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!values[i].name.empty()) places_[values[i].name] = std::move((*ports)[i]);
    return {};
  }

  // What is known of a value that a node gives.
  ValueInfo type_of(const std::string& name) const {
    if (const auto* const declared = find_in(declared_, name); declared != nullptr)
      return **declared;
    const ValueInfo* const known = find_in(known_.types, name);
    return known == nullptr ? ValueInfo{name, DType::kAbsent, std::nullopt} : *known;
  }

  void write_edges() {
    text_.open("edges");
    for (const IrEdge& edge : edges_) {
      text_.open("edge");
      text_.attribute("from-layer", edge.from_layer);
      text_.attribute("from-port", edge.from_port);
      text_.attribute("to-layer", edge.to_layer);
      text_.attribute("to-port", edge.to_port);
      text_.close();
    }
    text_.close();
  }

  const Graph& graph_;
  const IrKnownValues& known_;
  IrWriting& writing_;
  const int depth_;
  XmlText& text_;
  IrKeptGraph kept_;
  std::map<std::string_view, const ValueInfo*> declared_;
  std::map<std::string, IrWrittenPort, std::less<>> places_;  // by the value
  std::vector<IrEdge> edges_;
  std::int64_t layer_count_ = 0;
};

}  // namespace

Result<IrBodyIds> write_ir_graph(const Graph& graph, const IrKnownValues& known, IrWriting& writing,
                                 std::string_view name, int depth, XmlText& text) {
  return GraphWriter(graph, known, writing, depth, text).write(name);
}

}  // namespace windrow::internal
