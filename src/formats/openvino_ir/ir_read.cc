#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "src/formats/openvino_ir/ir_constants.h"
#include "src/formats/openvino_ir/ir_document.h"
#include "src/formats/openvino_ir/ir_files.h"
#include "src/formats/openvino_ir/ir_graph.h"
#include "src/formats/openvino_ir/ir_names.h"
#include "src/formats/openvino_ir/ir_operators.h"
#include "src/formats/openvino_ir/ir_text.h"
#include "src/models/numbered_graph.h"
#include "src/models/openvino_types.h"

namespace windrow::internal {
namespace {

Status format_error(std::string what) { return {ErrorCode::kFormat, std::move(what)}; }

// What an output port says of its value. Without dimensions it is a scalar or a shape of unknown
// rank: the file does not tell them apart.
ValueInfo declared_value(const std::string& name, const IrPort& port) {
  ValueInfo value{name, port.type, std::nullopt};
  if (port.dims.empty()) return value;
  value.dims.emplace();
  for (const std::int64_t extent : port.dims) {
    Dim dim;
    dim.value = extent;
    value.dims->push_back(std::move(dim));
  }
  return value;
}

// Builds the model from the layers that count.
class IrReader {
 public:
  IrReader(const IrDocument& document, const IrGraph& graph, IrNames names, IrConstants constants)
      : document_(document),
        graph_(graph),
        names_(std::move(names)),
        constants_(std::move(constants)) {
    model_.dialect = "openvino";
  }

  Result<Model> read() {
    for (const std::size_t position : graph_.order) {
      const IrLayer& layer = document_.layers[position];
      Status status;
      if (layer.is("Const") || layer.is("Constant")) {
        status = add_constant(layer, names_.values[position]);
      } else if (!layer.is("Parameter") && !layer.is("Result")) {
        status = add_node(layer, position);
      }
      if (!status) return status;
    }
    if (Status status = add_interface(); !status) return status;
    model_.aliases = std::move(names_.aliases);
    if (Status status = NumberedGraph::of(model_).error(); !status) return status;
    return std::move(model_);
  }

 private:
  using Names = std::vector<std::string>;

  static Status check_ports(const IrLayer& layer, std::size_t inputs, std::size_t outputs) {
    if (layer.inputs.size() == inputs && layer.outputs.size() == outputs) return {};
    return format_error(layer_text(layer) + ": a " + layer.type + " has " + std::to_string(inputs) +
                        " inputs and " + std::to_string(outputs) + " outputs, it has " +
                        std::to_string(layer.inputs.size()) + " and " +
                        std::to_string(layer.outputs.size()));
  }

  // Parameters and Results count in the file's order.
  Status add_interface() {
    for (std::size_t i = 0; i < document_.layers.size(); ++i) {
      const IrLayer& layer = document_.layers[i];
      Status status;
      if (layer.is("Parameter")) status = add_parameter(layer, names_.values[i]);
      if (layer.is("Result")) status = add_result(layer, i);
      if (!status) return status;
    }
    return {};
  }

  Status add_parameter(const IrLayer& layer, const Names& values) {
    if (Status status = check_ports(layer, 0, 1); !status) return status;
    ValueInfo value = declared_value(values.front(), layer.outputs.front());
    if (const std::string* const name = layer.attribute("element_type"); name != nullptr) {
      const std::optional<DType> type = dtype_of_openvino(*name);
      if (!type)
        return format_error(layer_text(layer) + ": the element_type '" + *name +
                            "' is no element type");
      value.dtype = *type;
    }
    if (const std::string* const shape = layer.attribute("shape"); shape != nullptr) {
      Result<SymbolicShape> dims = parse_partial_shape(*shape);
      if (!dims) return dims.error().with_context(layer_text(layer));
      value.dims = *std::move(dims);
    }
    model_.inputs.push_back(std::move(value));
    return {};
  }

  Status add_result(const IrLayer& layer, std::size_t position) {
    if (layer.inputs.size() != 1) return check_ports(layer, 1, 0);
    const IrSource source = graph_.inputs[position].front();
    const IrPort& port = document_.layers[source.layer].outputs[source.output];
    model_.outputs.push_back(declared_value(name_of(source), port));
    return {};
  }

  Status add_constant(const IrLayer& layer, const Names& values) {
    if (Status status = check_ports(layer, 0, 1); !status) return status;
    Result<Constant> value = constants_.read(layer);
    if (!value) return value.error();
    model_.constants.emplace(values.front(), *std::move(value));
    return {};
  }

  Status add_node(const IrLayer& layer, std::size_t position) {
    ModelNode node;
    node.name = layer.name;
    node.origin = "layer " + std::to_string(layer.id);
    for (const IrSource source : graph_.inputs[position]) node.inputs.push_back(name_of(source));
    node.outputs = names_.values[position];
    if (Status status = operators_.read(layer, node); !status) return status;
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      model_.values.push_back(declared_value(node.outputs[i], layer.outputs[i]));
    model_.nodes.push_back(std::move(node));
    return {};
  }

  const std::string& name_of(const IrSource& source) const {
    return names_.values[source.layer][source.output];
  }

  const IrDocument& document_;
  const IrGraph& graph_;
  IrNames names_;
  IrConstants constants_;
  IrOperators operators_;
  Model model_;
};

}  // namespace

Result<Model> parse_ir(std::string xml, const ByteSource* bin, const Status& missing) {
  const Result<IrDocument> document = parse_ir_document(std::move(xml));
  if (!document) return document.error();
  const Result<IrGraph> graph = make_ir_graph(*document);
  if (!graph) return graph.error();
  return IrReader(*document, *graph, name_values(*document, *graph), IrConstants(bin, missing))
      .read();
}

Result<Model> read_ir(const std::filesystem::path& path) {
  const Result<FileSource> file = FileSource::open(path);
  if (!file) return file.error();
  std::string xml(static_cast<std::size_t>(file->size()), '\0');
  if (Status status = file->read(0, xml.data(), file->size()); !status)
    return status.with_context(quoted(path));
  std::filesystem::path bin_path = path;
  const Result<FileSource> bin = FileSource::open(bin_path.replace_extension(".bin"));
  Result<Model> model = parse_ir(std::move(xml), bin ? &*bin : nullptr, bin.error());
  if (!model) return model.error().with_context(quoted(path));
  return model;
}

}  // namespace windrow::internal
