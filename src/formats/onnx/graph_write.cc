#include "src/formats/onnx/graph_write.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/formats/onnx/tensor_proto.h"
#include "src/models/check_inputs.h"
#include "src/models/types.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

// Initializers of fewer bytes stay in the model file.
constexpr std::int64_t kMinExternalBytes = 1024;
// External tensors begin at a multiple of a page, so that they can be mapped.
constexpr std::int64_t kPageBytes = 4096;

}  // namespace

// Appends the bytes to the file and records their place in the header.
Status ConstantWriter::write_external(const Tensor& tensor, pb::TensorProto& header) {
  const std::string padding(static_cast<std::size_t>(-data_->size() & (kPageBytes - 1)), '\0');
  if (Status status = data_->write(padding); !status) return status;
  set_external({{"location", location_},
                {"offset", std::to_string(data_->size())},
                {"length", std::to_string(tensor.byte_count())}},
               header);
  return data_->write(tensor.data(), tensor.byte_count());
}

Status ConstantWriter::write(const std::string& name, const Constant& constant,
                             pb::TensorProto& proto) {
  Status known = check_onnx_type(constant.dtype());
  const Result<std::shared_ptr<const Tensor>> tensor =
      known ? constant.tensor() : Result<std::shared_ptr<const Tensor>>(known);
  if (!tensor) return tensor.error().with_context("initializer '" + name + "'");
  const bool external = data_ != nullptr && constant.dtype() != DType::kString &&
                        constant.byte_count() >= kMinExternalBytes;
  if (!external) return write_tensor_proto(**tensor, name, proto);
  Status status = write_tensor_header(constant.dtype(), constant.shape(), name, proto);
  return status ? write_external(**tensor, proto) : status;
}

namespace {

// Moves the elements of a list out of a message, by their names.
template <class List>
auto take_by_name(List& list) {
  std::map<std::string, typename List::value_type> taken;
  for (auto& element : list) taken.emplace(element.name(), std::move(element));
  list.clear();
  return taken;
}

// Adds an attribute, with what was kept of it.
pb::AttributeProto& add_attribute(const std::string& name,
                                  std::map<std::string, pb::AttributeProto>& kept,
                                  pb::NodeProto& proto) {
  pb::AttributeProto& attribute = *proto.add_attribute();
  if (auto found = kept.extract(name); found) attribute = std::move(found.mapped());
  attribute.set_name(name);
  return attribute;
}

Status write_bodies(const ModelNode& node, ConstantWriter& constants,
                    std::map<std::string, pb::AttributeProto>& kept, pb::NodeProto& proto) {
  pb::AttributeProto* several = nullptr;
  for (const NodeBody& body : node.bodies) {
    const std::size_t bracket = body.attribute.find('[');
    const std::string name = body.attribute.substr(0, bracket);
    pb::GraphProto* graph = nullptr;
    if (bracket == std::string::npos) {
      pb::AttributeProto& attribute = add_attribute(name, kept, proto);
      attribute.set_type(pb::AttributeProto::kGraph);
      graph = attribute.mutable_g();
    } else {
      if (several == nullptr || several->name() != name) {
        several = &add_attribute(name, kept, proto);
        several->set_type(pb::AttributeProto::kGraphs);
        several->clear_graphs();
      }
      graph = several->add_graphs();
    }
    graph->clear();
    Status status = write_graph(*body.graph, constants, *graph);
    if (!status) return status.with_context("'" + body.attribute + "'");
  }
  return {};
}

Status write_node(const ModelNode& node, ConstantWriter& constants, pb::NodeProto& proto) {
  if (Status status = parse_kept(node.kept, proto); !status) return status;
  auto kept = take_by_name(*proto.mutable_attribute());
  proto.set_name(node.name);
  proto.set_op_type(node.op_type);
  if (!node.domain.empty()) proto.set_domain(node.domain);
  for (const std::string& input : node.inputs) proto.add_input(input);
  for (const std::string& output : node.outputs) proto.add_output(output);
  for (const auto& [name, value] : node.attributes) {
    pb::AttributeProto& attribute = add_attribute(name, kept, proto);
    if (Status status = write_attribute(value, attribute); !status) return status;
  }
  if (Status status = write_bodies(node, constants, kept, proto); !status) return status;
  // What was kept of an attribute without a type belonged to a value that the node no longer has.
  for (auto& [name, attribute] : kept) {
    if (attribute.type() != pb::AttributeProto::kUndefined || !attribute.ref_attr_name().empty())
      *proto.add_attribute() = std::move(attribute);
  }
  return {};
}

template <class Proto>
Status write_nodes(const Graph& graph, ConstantWriter& constants, Proto& proto) {
  for (const ModelNode& node : graph.nodes) {
    if (Status status = write_node(node, constants, *proto.add_node()); !status)
      return status.with_context("node '" + node.name + "'");
  }
  return {};
}

Status check_types(const Graph& graph) {
  for (const auto* values : {&graph.inputs, &graph.default_inputs, &graph.outputs, &graph.values}) {
    for (const ValueInfo& value : *values) {
      if (value.dtype == DType::kAbsent) continue;
      if (Status status = check_onnx_type(value.dtype); !status)
        return status.with_context("value '" + value.name + "'");
    }
  }
  return {};
}

using ValueProtos = pb::RepeatedMessages<pb::ValueInfoProto>;

// Whether what was kept of a value says what the model says of it.
bool says_the_same(const pb::ValueInfoProto& kept, const ValueInfo& value) {
  const ValueInfo read = read_value_info(kept);
  return read.dtype == value.dtype && read.dims == value.dims;
}

// Writes values. A value that has not changed is written as it was kept. With `in_kept_order` the
// values that were kept come first, in their order.
void write_values(std::initializer_list<const std::vector<ValueInfo>*> lists, bool in_kept_order,
                  ValueProtos& protos) {
  const ValueProtos kept = std::exchange(protos, ValueProtos());
  std::map<std::string_view, int> places;
  for (int i = 0; i < kept.size(); ++i) places.emplace(kept[i].name(), i);
  std::vector<std::pair<int, const ValueInfo*>> values;  // each with its place in `kept`
  for (const std::vector<ValueInfo>* const list : lists) {
    for (const ValueInfo& value : *list) {
      const int* const place = find_in(places, value.name);
      values.emplace_back(place == nullptr ? kept.size() : *place, &value);
    }
  }
  if (in_kept_order)
    std::stable_sort(values.begin(), values.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [place, value] : values) {
    if (place < kept.size() && says_the_same(kept[place], *value)) {
      protos.add() = kept[place];
    } else {
      write_value_info(*value, protos.add());
    }
  }
}

Status write_initializers(const Graph& graph, ConstantWriter& constants, pb::GraphProto& proto) {
  auto kept = take_by_name(*proto.mutable_initializer());
  for (const auto& [name, constant] : graph.constants) {
    pb::TensorProto& written = *proto.add_initializer();
    if (Status status = constants.write(name, constant, written); !status) return status;
    if (const auto rest = kept.extract(name); rest) written.merge(rest.mapped().serialize());
  }
  for (const auto& [name, constant] : graph.opaque_constants) {
    if (auto opaque = kept.extract(name); opaque)
      *proto.add_initializer() = std::move(opaque.mapped());
  }
  return {};
}

}  // namespace

Status parse_kept(const std::string& kept, pb::Message& message) {
  if (kept.empty() || message.parse(kept)) return {};
  return argument_error("what was kept of a file is not of ONNX");
}

Status write_graph(const Graph& graph, ConstantWriter& constants, pb::GraphProto& proto) {
  if (Status status = check_types(graph); !status) return status;
  if (Status status = parse_kept(graph.kept, proto); !status) return status;
  if (!graph.name.empty()) proto.set_name(graph.name);
  if (Status status = write_nodes(graph, constants, proto); !status) return status;
  if (Status status = write_initializers(graph, constants, proto); !status) return status;
  write_values({&graph.inputs, &graph.default_inputs}, true, *proto.mutable_input());
  write_values({&graph.outputs}, false, *proto.mutable_output());
  write_values({&graph.values}, false, *proto.mutable_value_info());
  return {};
}

Status write_function(const ModelFunction& function, ConstantWriter& constants,
                      pb::FunctionProto& proto) {
  const Graph& graph = function.graph;
  if (Status status = parse_kept(graph.kept, proto); !status) return status;
  proto.set_name(graph.name);
  proto.set_domain(function.domain);
  for (const ValueInfo& input : graph.inputs) proto.add_input(input.name);
  for (const ValueInfo& output : graph.outputs) proto.add_output(output.name);
  for (const std::string& name : function.attributes) proto.add_attribute(name);
  for (const auto& [domain, version] : function.opset_imports) {
    pb::OperatorSetIdProto& import = *proto.add_opset_import();
    import.set_domain(domain);
    import.set_version(version);
  }
  return write_nodes(graph, constants, proto);
}

}  // namespace windrow::internal
