#include <map>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/formats/aside_file.h"
#include "src/formats/byte_source.h"
#include "src/formats/openvino_ir/ir_bin.h"
#include "src/formats/openvino_ir/ir_files.h"
#include "src/formats/openvino_ir/ir_operators.h"
#include "src/formats/openvino_ir/ir_text.h"
#include "src/models/openvino_types.h"

namespace windrow::internal {
namespace {

Status unsupported(std::string what) { return {ErrorCode::kUnsupported, std::move(what)}; }

void set(pugi::xml_node element, const char* name, const std::string& text) {
  element.append_attribute(name).set_value(text.c_str());
}

// Writes layers and the edges between them, numbered as they come.
class IrWriter {
 public:
  IrWriter(const Model& model, const ValueInfos& values, AsideFile& bin)
      : model_(model), values_(values), bin_(bin) {
    for (const auto& [alias, value] : model.aliases) aliases_[value].push_back(alias);
    document_.append_child(pugi::node_declaration).append_attribute("version") = "1.0";
    pugi::xml_node net = document_.append_child("net");
    set(net, "name", "model");
    set(net, "version", "11");
    layers_ = net.append_child("layers");
    edges_ = net.append_child("edges");
    net.append_child("rt_info");
  }

  Status write() {
    for (const ValueInfo& input : model_.inputs) {
      if (Status status = add_parameter(input); !status)
        return status.with_context("input '" + input.name + "'");
    }
    for (const ModelNode& node : model_.nodes) {
      if (Status status = add_node(node); !status)
        return status.with_context("node '" + node.name + "'");
    }
    for (std::size_t i = 0; i < model_.outputs.size(); ++i) {
      if (Status status = add_result(model_.outputs[i].name, i); !status)
        return status.with_context("output '" + model_.outputs[i].name + "'");
    }
    return {};
  }

  std::string text() const {
    struct Text final : pugi::xml_writer {
      std::string bytes;
      void write(const void* data, std::size_t size) override {
        bytes.append(static_cast<const char*>(data), size);
      }
    } text;
    document_.save(text);
    return std::move(text.bytes);
  }

 private:
  struct Place {
    int layer = 0;
    std::size_t port = 0;
  };

  pugi::xml_node add_layer(const std::string& name, const std::string& type,
                           const std::string& version) {
    pugi::xml_node layer = layers_.append_child("layer");
    layer.append_attribute("id") = layer_count_++;
    set(layer, "name", name);
    set(layer, "type", type);
    set(layer, "version", version);
    return layer;
  }

  Status add_parameter(const ValueInfo& input) {
    const std::string_view type = openvino_name(input.dtype);
    if (type.empty()) return no_type(input.dtype);
    pugi::xml_node layer = add_layer(input.name, "Parameter", "opset1");
    pugi::xml_node data = layer.append_child("data");
    set(data, "shape", partial_shape_text(input.dims));
    set(data, "element_type", std::string(type));
    return add_output_port(layer.append_child("output"), input.name, 0);
  }

  Status add_constant(const std::string& name, const Tensor& tensor) {
    const std::string_view type = openvino_name(tensor.dtype());
    if (type.empty()) return no_type(tensor.dtype());
    const Result<IrBlob> blob = bin_.add(tensor);
    if (!blob) return blob.error();
    pugi::xml_node layer = add_layer(name, "Const", "opset1");
    pugi::xml_node data = layer.append_child("data");
    set(data, "element_type", std::string(type));
    set(data, "shape", shape_text(tensor.shape()));
    set(data, "offset", std::to_string(blob->offset));
    set(data, "size", std::to_string(blob->bytes));
    return add_output_port(layer.append_child("output"), name, 0);
  }

  Status add_node(const ModelNode& node) {
    if (!node.unsupported.empty()) return unsupported("cannot be written: " + node.unsupported);
    if (Status status = add_constants(node.inputs); !status) return status;
    const Result<std::string> opset = operators_.opset_text(node);
    if (!opset) return opset.error();
    pugi::xml_node layer = add_layer(node.name, node.op_type, *opset);
    if (Status status = add_attributes(node, layer); !status) return status;
    if (!node.inputs.empty()) {
      if (Status status = add_inputs(layer, node.inputs); !status) return status;
    }
    if (node.outputs.empty()) return {};
    pugi::xml_node output = layer.append_child("output");
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (Status status = add_output_port(output, node.outputs[i], node.inputs.size() + i); !status)
        return status;
    }
    return {};
  }

  static Status add_attributes(const ModelNode& node, pugi::xml_node layer) {
    if (node.attributes.empty()) return {};
    pugi::xml_node data = layer.append_child("data");
    for (const auto& [name, value] : node.attributes) {
      const Result<std::string> text = attribute_text(value);
      if (!text) return text.error().with_context("attribute '" + name + "'");
      set(data, name.c_str(), *text);
    }
    return {};
  }

  Status add_result(const std::string& name, std::size_t position) {
    if (Status status = add_constants({name}); !status) return status;
    return add_inputs(add_layer("Result_" + std::to_string(position), "Result", "opset1"), {name});
  }

  // The constants of these names that have no layer yet.
  Status add_constants(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const auto constant = model_.constants.find(name);
      if (constant == model_.constants.end() || places_.contains(name)) continue;
      const Result<std::shared_ptr<const Tensor>> tensor = constant->second.tensor();
      const Status status = tensor ? add_constant(name, **tensor) : tensor.error();
      if (!status) return status.with_context("constant '" + name + "'");
    }
    return {};
  }

  // The input ports of the newest layer, and the edges to them.
  Status add_inputs(pugi::xml_node layer, const std::vector<std::string>& names) {
    pugi::xml_node list = layer.append_child("input");
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto source = places_.find(names[i]);
      if (source == places_.end()) return unsupported("an input that is left out");
      if (Status status = add_port(list, names[i], i).error(); !status) return status;
      pugi::xml_node edge = edges_.append_child("edge");
      edge.append_attribute("from-layer") = source->second.layer;
      edge.append_attribute("from-port") = source->second.port;
      edge.append_attribute("to-layer") = layer_count_ - 1;
      edge.append_attribute("to-port") = i;
    }
    return {};
  }

  // An output port of the newest layer. A value without a name is one that nobody reads.
  Status add_output_port(pugi::xml_node list, const std::string& name, std::size_t id) {
    Result<pugi::xml_node> port = add_port(list, name, id);
    if (!port || name.empty()) return port.error();
    std::vector<std::string> names = {name};
    if (const auto more = aliases_.find(name); more != aliases_.end())
      names.insert(names.end(), more->second.begin(), more->second.end());
    const Result<std::string> text = join_names(names);
    if (!text) return text.error();
    port->insert_attribute_after("names", port->attribute("precision")) = text->c_str();
    places_[name] = {layer_count_ - 1, id};
    return {};
  }

  Result<pugi::xml_node> add_port(pugi::xml_node list, const std::string& name, std::size_t id) {
    const auto found = values_.find(name);
    const ValueInfo value = found == values_.end() ? ValueInfo() : found->second;
    const std::string_view precision = openvino_precision(value.dtype);
    if (precision.empty()) return no_type(value.dtype);
    pugi::xml_node port = list.append_child("port");
    port.append_attribute("id") = id;
    set(port, "precision", std::string(precision));
    if (!value.dims) return port;
    for (const Dim& dim : *value.dims)
      port.append_child("dim").text().set(std::to_string(dim.value).c_str());
    return port;
  }

  static Status no_type(DType type) {
    return unsupported("OpenVINO has no element type " + std::string(dtype_name(type)));
  }

  const Model& model_;
  const ValueInfos& values_;
  IrBin bin_;
  IrOperators operators_;
  std::map<std::string, std::vector<std::string>, std::less<>> aliases_;  // by the value
  std::map<std::string, Place, std::less<>> places_;                      // by the value
  int layer_count_ = 0;
  pugi::xml_document document_;
  pugi::xml_node layers_;
  pugi::xml_node edges_;
};

}  // namespace

Status write_ir(const Model& model, const std::filesystem::path& path) {
  if (!model.default_inputs.empty())
    return unsupported("OpenVINO IR has no defaults of inputs: '" +
                       model.default_inputs.front().name + "'");
  const Result<Inference> inference = model.infer();
  if (!inference) return inference.error();
  std::filesystem::path bin_path = path;
  Result<AsideFile> bin = AsideFile::create(bin_path.replace_extension(".bin"));
  if (!bin) return bin.error();
  IrWriter writer(model, inference->values(), *bin);
  if (Status status = writer.write(); !status) return status;
  Result<AsideFile> xml = AsideFile::create(path);
  if (!xml) return xml.error();
  if (Status status = xml->write(writer.text()); !status) return status;
  AsideFile* const both[] = {&*bin, &*xml};
  return commit_all(both);
}

}  // namespace windrow::internal
