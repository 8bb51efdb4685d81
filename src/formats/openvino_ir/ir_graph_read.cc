#include "src/formats/openvino_ir/ir_graph_read.h"

#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "src/formats/openvino_ir/ir_graph.h"
#include "src/formats/openvino_ir/ir_kept.h"
#include "src/formats/openvino_ir/ir_text.h"
#include "src/models/check_inputs.h"
#include "src/models/types.h"
#include "src/models/value_info.h"
#include "windrow/counted.h"

namespace windrow::internal {
namespace {

constexpr std::string_view kOpset = "opset";

// The last opset that has all operators; later ones so far hold only what is new in them.
constexpr int kLastOpset = 16;

// The nodes that run here without being operators of the library.
struct HostOperator {
  std::string_view name;
  int version;  // also the first opset that has it
};
constexpr std::array<HostOperator, 2> kHostOperators = {{{"Convert", 1}, {"Identity", 16}}};

// The number of "opset8"; nothing if the version is another one.
std::optional<int> opset_number(std::string_view version) {
  if (!version.starts_with(kOpset)) return std::nullopt;
  const std::optional<std::int64_t> number = parse_integer(version.substr(kOpset.size()));
  if (!number || *number < 1 || *number > 1000) return std::nullopt;
  return static_cast<int>(*number);
}

Status bad_value(std::string_view name, const std::string& text, std::string_view kind) {
  return format_error("attribute '", name, "' is '", text, "', must be ", kind);
}

// Reads a text as a value of the same type as `model`.
Result<AttributeValue> parse_value(std::string_view name, const std::string& text,
                                   const AttributeValue& model) {
  if (std::holds_alternative<std::int64_t>(model)) {
    const std::optional<std::int64_t> number = parse_integer(text);
    if (!number) return bad_value(name, text, "a whole number");
    return AttributeValue(*number);
  }
  if (std::holds_alternative<bool>(model)) {
    const bool is_true = text == "true" || text == "True" || text == "1";
    const bool is_false = text == "false" || text == "False" || text == "0";
    if (!is_true && !is_false) return bad_value(name, text, "true or false");
    return AttributeValue(is_true);
  }
  return AttributeValue(text);
}

// Attributes that the operator does not have are left out, as OpenVINO does.
Status read_attributes(const IrLayer& layer, const OperatorInfo& info, ModelNode& node) {
  for (const OperatorAttribute& attribute : info.attributes) {
    const std::string* const text = layer.attribute(attribute.name);
    if (text == nullptr) continue;
    Result<AttributeValue> value = parse_value(attribute.name, *text, attribute.default_value);
    if (!value) return value.error().with_context(layer_text(layer));
    node.attributes.emplace(attribute.name, *std::move(value));
  }
  return {};
}

struct ToText {
  Result<std::string> operator()(std::int64_t value) const { return std::to_string(value); }
  Result<std::string> operator()(double value) const {
    char text[32];
    const auto written = std::to_chars(std::begin(text), std::end(text), value);
    return std::string(text, written.ptr);
  }
  Result<std::string> operator()(bool value) const { return std::string(value ? "true" : "false"); }
  Result<std::string> operator()(const std::string& value) const { return value; }
  template <class T>
  Result<std::string> operator()(const std::vector<T>& values) const {
    return joined(values, ", ",
                  [](const T& value) { return *attribute_text(AttributeValue(value)); });
  }
  Result<std::string> operator()(const std::shared_ptr<const Tensor>&) const {
    return unsupported_error("OpenVINO IR has no tensors in attributes");
  }
};

}  // namespace

IrOperators::IrOperators() {
  for (OperatorInfo& info : list_operators()) {
    if (info.dialect != "openvino") continue;
    // Opset 3 has this operator's class under a later number.
    const bool is_late = info.name == "ScatterNDUpdate" && info.since_version == 3;
    const int first_opset = is_late ? 4 : info.since_version;
    entries_.push_back({std::move(info), first_opset});
  }
}

IrOperators::Meaning IrOperators::find(const std::string& type, const std::string& version) const {
  Meaning meaning{type, opset_number(version), {}};
  const std::optional<int> opset = meaning.version;
  if (!opset) {
    meaning.unsupported = "version '" + version + "' is not an opset";
    return meaning;
  }
  bool is_known = false;
  for (const Entry& entry : entries_) {
    if (!same_openvino_name(type, entry.info.name)) continue;
    is_known = true;
    meaning.op_type = entry.info.name;
    if (*opset <= kLastOpset && entry.first_opset <= *opset) meaning.info = &entry.info;
  }
  for (const HostOperator& host : kHostOperators) {
    if (!same_openvino_name(type, host.name)) continue;
    meaning.op_type = host.name;
    meaning.version = host.version;
    is_known = *opset < host.version;
  }
  if (meaning.info != nullptr) {
    meaning.version = meaning.info->since_version;
  } else if (is_known) {
    meaning.version.reset();
    meaning.unsupported = version + " has no such operator";
  }
  return meaning;
}

Status IrOperators::read(const IrLayer& layer, ModelNode& node) const {
  Meaning meaning = find(layer.type, layer.version);
  node.op_type = std::move(meaning.op_type);
  node.version = meaning.version;
  node.unsupported = std::move(meaning.unsupported);
  if (meaning.info != nullptr) return read_attributes(layer, *meaning.info, node);
  for (const auto& [name, text] : layer.attributes) node.attributes.emplace(name, text);
  return {};
}

Result<std::string> IrOperators::opset_text(const ModelNode& node,
                                            const std::optional<std::string>& kept) const {
  if (kept && find(node.op_type, *kept).version == node.version) return *kept;
  for (const Entry& entry : entries_) {
    const bool is_it = entry.info.name == node.op_type && entry.info.since_version == node.version;
    if (is_it) return std::string(kOpset) + std::to_string(entry.first_opset);
  }
  if (!node.version) return unsupported_error(node.op_type, " has no version to write");
  return std::string(kOpset) + std::to_string(*node.version);
}

Result<std::string> attribute_text(const AttributeValue& value) {
  return std::visit(ToText(), value);
}

namespace {

// What an output port says about its value. A port without dimensions is a scalar or has an unknown
// rank: the file does not tell these apart.
ValueInfo declared_value(const std::string& name, const IrPort& port) {
  ValueInfo value{name, port.type, std::nullopt};
  if (port.dims.empty()) return value;
  value.dims.emplace();
  for (const std::int64_t extent : port.dims) value.dims->push_back({extent, {}});
  return value;
}

class GraphMaker {
 public:
  GraphMaker(const IrDocument& document, const IrGraph& order, IrReading& reading, Graph& graph)
      : document_(document),
        order_(order),
        names_(name_values(document, order)),
        reading_(reading),
        graph_(graph),
        kept_(document.element) {}

  Status make(std::map<std::string, std::string, std::less<>>* aliases) {
    if (aliases != nullptr) {
      for (const auto& [alias, value] : names_.aliases) aliases_[value].push_back(alias);
      *aliases = std::move(names_.aliases);
    }
    graph_.name = document_.element.attribute("name").value();
    for (const std::size_t position : order_.order) {
      if (Status status = add_layer(position); !status) return status;
    }
    if (Status status = add_all("Parameter", &GraphMaker::add_parameter); !status) return status;
    if (Status status = add_all("Result", &GraphMaker::add_result); !status) return status;
    if (Status status = keep_constants(); !status) return status;
    graph_.kept = kept_.take();
    return {};
  }

 private:
  using Names = std::vector<std::string>;

  Status add_layer(std::size_t position) {
    const IrLayer& layer = document_.layers[position];
    if (is_constant_layer(layer)) return add_constant(layer, position);
    if (layer.is("Parameter") || layer.is("Result")) return {};
    return add_node(layer, position);
  }

  static Status check_ports(const IrLayer& layer, std::size_t inputs, std::size_t outputs) {
    if (layer.inputs.size() == inputs && layer.outputs.size() == outputs) return {};
    return format_error(layer_text(layer), ": a ", layer.type, " has ", counted(inputs, "input"),
                        " and ", counted(outputs, "output"), ", it has ", layer.inputs.size(),
                        " and ", layer.outputs.size());
  }

  // Adds the layers of one type, in the file's order.
  Status add_all(std::string_view type, Status (GraphMaker::*add)(const IrLayer&, std::size_t)) {
    for (std::size_t i = 0; i < document_.layers.size(); ++i) {
      const IrLayer& layer = document_.layers[i];
      if (!layer.is(type)) continue;
      if (Status status = (this->*add)(layer, i); !status) return status;
    }
    return {};
  }

  // What the file says about a value. For Parameters and constants their own attributes count, not
  // the port's.
  ValueInfo declared(const IrSource& source) const {
    const std::string& name = name_of(source);
    if (const std::size_t* const input = find_in(inputs_, source.layer); input != nullptr)
      return graph_.inputs[*input];
    if (const Constant* const constant = find_in(graph_.constants, name); constant != nullptr)
      return constant_info(name, *constant);
    return declared_value(name, document_.layers[source.layer].outputs[source.output]);
  }

  Status add_parameter(const IrLayer& layer, std::size_t position) {
    if (Status status = check_ports(layer, 0, 1); !status) return status;
    ValueInfo value = declared_value(names_.values[position].front(), layer.outputs.front());
    const std::string* const type_name = layer.attribute("element_type");
    if (type_name != nullptr) {
      const std::optional<DType> type = dtype_of_openvino(*type_name);
      if (!type)
        return format_error(layer_text(layer), ": the element_type '", *type_name,
                            "' is not an element type");
      value.dtype = *type;
    }
    if (const std::string* const shape = layer.attribute("shape"); shape != nullptr) {
      Result<SymbolicShape> dims = parse_partial_shape(*shape);
      if (!dims) return dims.error().with_context(layer_text(layer));
      value.dims = *std::move(dims);
    }
    const bool has_type = value.dtype != DType::kAbsent || type_name == nullptr ||
                          *type_name == openvino_name(DType::kAbsent);
    const auto has_data = [has_type](std::string_view name) {
      return name == "shape" || (name == "element_type" && has_type);
    };
    Status status = kept_.add("input", std::to_string(graph_.inputs.size()), layer,
                              {value.name, kInterfaceOpset, has_data, have_names(layer, position)});
    if (!status) return status;
    inputs_.emplace(position, graph_.inputs.size());
    graph_.inputs.push_back(std::move(value));
    return {};
  }

  Status add_result(const IrLayer& layer, std::size_t position) {
    if (layer.inputs.size() != 1) return check_ports(layer, 1, 0);
    const IrSource source = order_.inputs[position].front();
    const std::size_t number = graph_.outputs.size();
    Status status =
        kept_.add("output", std::to_string(number), layer,
                  {result_name(number), kInterfaceOpset, [](std::string_view) { return false; },
                   std::vector<bool>(layer.outputs.size(), true)});
    if (!status) return status;
    graph_.outputs.push_back(declared(source));
    return {};
  }

  // A constant that the library cannot represent does not make loading fail.
  Status add_constant(const IrLayer& layer, std::size_t position) {
    if (Status status = check_ports(layer, 0, 1); !status) return status;
    const std::string& name = names_.values[position].front();
    Result<Constant> value = reading_.constants.read(layer);
    if (value) {
      graph_.constants.emplace(name, *std::move(value));
    } else if (value.error().code() == ErrorCode::kUnsupported) {
      graph_.opaque_constants.emplace(name, OpaqueConstant{value.error().message(), {}});
    } else {
      return value.error().with_context(layer_text(layer));
    }
    constant_layers_.emplace(name, position);
    return {};
  }

  Status add_node(const IrLayer& layer, std::size_t position) {
    ModelNode node;
    node.name = layer.name;
    node.origin = "layer " + std::to_string(layer.id);
    for (const IrSource source : order_.inputs[position]) node.inputs.push_back(name_of(source));
    node.outputs = names_.values[position];
    if (Status status = reading_.operators.read(layer, node); !status) return status;
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      graph_.values.push_back(declared_value(node.outputs[i], layer.outputs[i]));
    if (Status status = read_bodies(layer, node); !status)
      return status.with_context(layer_text(layer));
    if (Status status = keep_node(layer, position, node); !status) return status;
    graph_.nodes.push_back(std::move(node));
    return {};
  }

  Status read_bodies(const IrLayer& layer, ModelNode& node) {
    for (const IrBody& body : layer.bodies) {
      auto graph = std::make_shared<Graph>();
      if (Status status = read_ir_graph(*body.graph, reading_, *graph, nullptr); !status)
        return status.with_context(body.name);
      node.bodies.push_back({body.name, std::move(graph)});
    }
    return {};
  }

  Status keep_node(const IrLayer& layer, std::size_t position, ModelNode& node) {
    const Result<std::string> opset = reading_.operators.opset_text(node);
    Result<std::string> kept = keep_layer(
        layer, {layer.name, opset ? std::optional(*opset) : std::nullopt,
                [&node](std::string_view name) { return node.attributes.contains(name); },
                have_names(layer, position)});
    if (!kept) return kept.error();
    node.kept = *std::move(kept);
    return {};
  }

  // Keeps what is left of constants, in the order of their names, whatever the order of layers.
  Status keep_constants() {
    for (const auto& [name, position] : constant_layers_) {
      const IrLayer& layer = document_.layers[position];
      const bool is_opaque = graph_.opaque_constants.contains(name);
      IrBlob bytes;
      if (is_opaque) {
        const Result<IrBlob> kept = keep_bytes(layer);
        if (!kept) return kept.error().with_context(layer_text(layer));
        bytes = *kept;
        graph_.values.push_back(declared_value(std::string(name), layer.outputs.front()));
      }
      const auto has_data = [is_opaque](std::string_view attribute) {
        const bool says_what = attribute == "element_type" || attribute == "shape";
        return attribute == "offset" || attribute == "size" || (says_what && !is_opaque);
      };
      Status status =
          kept_.add("constant", name, layer,
                    {std::string(name), kInterfaceOpset, has_data, have_names(layer, position)},
                    is_opaque ? &bytes : nullptr);
      if (!status) return status;
    }
    return {};
  }

  // Keeps the bytes of an opaque constant. Constants at the same place share them.
  Result<IrBlob> keep_bytes(const IrLayer& layer) {
    const Result<IrBlob> place = reading_.constants.place(layer);
    if (!place) return place.error();
    const auto [kept, is_new] = kept_bytes_.try_emplace({place->offset, place->bytes});
    if (is_new) {
      const Result<std::string> bytes = reading_.constants.read_bytes(layer);
      if (!bytes) return bytes.error();
      kept->second = kept_.add_bytes(*bytes);
    }
    return kept->second;
  }

  // For each output of a layer, whether the model gives the names of its port.
  std::vector<bool> have_names(const IrLayer& layer, std::size_t position) const {
    std::vector<bool> result(layer.outputs.size(), true);
    for (std::size_t i = 0; i < result.size(); ++i) {
      const std::string& value = names_.values[position][i];
      const IrPort& port = layer.outputs[i];
      const IrOutput output{layer.name, layer.inputs.size(), i};
      if (names_.displaced[position][i] || !may_have_names(value, port.names, output)) continue;
      const Result<std::string> names = join_names(port_names(value, aliases_, output));
      result[i] = names && *names == port.element.attribute("names").value();
    }
    return result;
  }

  const std::string& name_of(const IrSource& source) const {
    return names_.values[source.layer][source.output];
  }

  const IrDocument& document_;
  const IrGraph& order_;
  IrNames names_;
  IrAliases aliases_;  // none of a body
  IrReading& reading_;
  Graph& graph_;
  IrGraphKeeper kept_;
  std::map<std::size_t, std::size_t> inputs_;                           // by the layer
  std::map<std::string_view, std::size_t> constant_layers_;             // by the value
  std::map<std::pair<std::int64_t, std::int64_t>, IrBlob> kept_bytes_;  // by offset and size
};

}  // namespace

Status read_ir_graph(const IrDocument& document, IrReading& reading, Graph& graph,
                     std::map<std::string, std::string, std::less<>>* aliases) {
  const Result<IrGraph> order = make_ir_graph(document);
  if (!order) return order.error();
  return GraphMaker(document, *order, reading, graph).make(aliases);
}

}  // namespace windrow::internal
