#include "src/formats/onnx/graph_write.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/formats/onnx/attribute.h"
#include "src/formats/onnx/value_info.h"
#include "src/models/onnx_types.h"

namespace windrow::internal {
namespace {

// Moves the elements of a list out of a message, by what `name` says of them.
template <class List, class Name>
auto take_by_name(List& list, const Name& name) {
  std::map<std::string, typename List::value_type> taken;
  for (auto& element : list) taken.emplace(name(element), std::move(element));
  list.Clear();
  return taken;
}

template <class Proto>
const std::string& name_of(const Proto& proto) {
  return proto.name();
}

Status write_bodies(const ModelNode& node, ConstantWriter& constants,
                    std::map<std::string, pb::AttributeProto>& kept, pb::NodeProto& proto) {
  pb::AttributeProto* several = nullptr;
  for (const NodeBody& body : node.bodies) {
    const std::size_t bracket = body.attribute.find('[');
    const std::string name = body.attribute.substr(0, bracket);
    pb::GraphProto* graph = nullptr;
    if (bracket == std::string::npos) {
      pb::AttributeProto& attribute = *proto.add_attribute();
      if (auto found = kept.extract(name); found) attribute = std::move(found.mapped());
      attribute.set_name(name);
      attribute.set_type(pb::AttributeProto::GRAPH);
      graph = attribute.mutable_g();
    } else {
      if (several == nullptr || several->name() != name) {
        several = proto.add_attribute();
        if (auto found = kept.extract(name); found) *several = std::move(found.mapped());
        several->set_name(name);
        several->set_type(pb::AttributeProto::GRAPHS);
        several->clear_graphs();
      }
      graph = several->add_graphs();
    }
    graph->Clear();
    Status status = write_graph(*body.graph, constants, *graph);
    if (!status) return status.with_context("'" + body.attribute + "'");
  }
  return {};
}

Status write_node(const ModelNode& node, ConstantWriter& constants, pb::NodeProto& proto) {
  if (Status status = parse_kept(node.kept, proto); !status) return status;
  auto kept = take_by_name(*proto.mutable_attribute(), name_of<pb::AttributeProto>);
  proto.set_name(node.name);
  proto.set_op_type(node.op_type);
  if (!node.domain.empty()) proto.set_domain(node.domain);
  for (const std::string& input : node.inputs) proto.add_input(input);
  for (const std::string& output : node.outputs) proto.add_output(output);
  for (const auto& [name, value] : node.attributes) {
    pb::AttributeProto& attribute = *proto.add_attribute();
    if (auto found = kept.extract(name); found) attribute = std::move(found.mapped());
    if (Status status = write_attribute(name, value, attribute); !status) return status;
  }
  if (Status status = write_bodies(node, constants, kept, proto); !status) return status;
  // What is kept of an attribute without a type belonged to a value that the node has no more.
  for (auto& [name, attribute] : kept) {
    if (attribute.type() != pb::AttributeProto::UNDEFINED || !attribute.ref_attr_name().empty())
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

using ValueProtos = google::protobuf::RepeatedPtrField<pb::ValueInfoProto>;

// Writes values, as they were where they still are what was kept of them, in the order of those
// that were kept.
class ValueWriter {
 public:
  explicit ValueWriter(ValueProtos& protos) : protos_(protos), kept_(std::move(protos)) {
    protos.Clear();
  }

  void add(const std::vector<ValueInfo>& values) {
    for (const ValueInfo& value : values) values_.emplace_back(&value, false);
  }

  void write_in_kept_order() {
    std::map<std::string_view, std::pair<const ValueInfo*, bool>*> by_name;
    for (auto& value : values_) by_name.emplace(value.first->name, &value);
    for (pb::ValueInfoProto& proto : kept_) {
      const auto found = by_name.find(proto.name());
      if (found == by_name.end() || found->second->second) continue;
      found->second->second = true;
      write(*found->second->first, proto);
    }
    for (const auto& [value, written] : values_) {
      if (!written) write_value_info(*value, *protos_.Add());
    }
  }

  void write_in_own_order() {
    std::map<std::string_view, pb::ValueInfoProto*> by_name;
    for (pb::ValueInfoProto& proto : kept_) by_name.emplace(proto.name(), &proto);
    for (const auto& [value, written] : values_) {
      const auto found = by_name.find(value->name);
      if (found == by_name.end()) {
        write_value_info(*value, *protos_.Add());
      } else {
        write(*value, *found->second);
      }
    }
  }

 private:
  void write(const ValueInfo& value, pb::ValueInfoProto& kept) {
    const ValueInfo read = read_value_info(kept);
    if (read.dtype == value.dtype && read.dims == value.dims) {
      *protos_.Add() = kept;
    } else {
      write_value_info(value, *protos_.Add());
    }
  }

  ValueProtos& protos_;
  ValueProtos kept_;
  std::vector<std::pair<const ValueInfo*, bool>> values_;  // and whether it is written
};

void write_values(const std::vector<ValueInfo>& values, ValueProtos& protos) {
  ValueWriter writer(protos);
  writer.add(values);
  writer.write_in_own_order();
}

Status write_initializers(const Graph& graph, ConstantWriter& constants, pb::GraphProto& proto) {
  auto kept = take_by_name(*proto.mutable_initializer(), name_of<pb::TensorProto>);
  for (const auto& [name, constant] : graph.constants) {
    pb::TensorProto& written = *proto.add_initializer();
    if (Status status = constants.write(name, constant, written); !status) return status;
    if (const auto rest = kept.extract(name); rest) written.MergeFrom(rest.mapped());
  }
  for (const auto& [name, why] : graph.opaque_constants) {
    if (auto opaque = kept.extract(name); opaque)
      *proto.add_initializer() = std::move(opaque.mapped());
  }
  return {};
}

}  // namespace

Status parse_kept(const std::string& kept, google::protobuf::MessageLite& message) {
  if (kept.empty() || message.ParsePartialFromString(kept)) return {};
  return {ErrorCode::kInvalidArgument, "what was kept of a file is not of ONNX"};
}

Status write_graph(const Graph& graph, ConstantWriter& constants, pb::GraphProto& proto) {
  if (Status status = check_types(graph); !status) return status;
  if (Status status = parse_kept(graph.kept, proto); !status) return status;
  if (!graph.name.empty()) proto.set_name(graph.name);
  if (Status status = write_nodes(graph, constants, proto); !status) return status;
  if (Status status = write_initializers(graph, constants, proto); !status) return status;
  ValueWriter inputs(*proto.mutable_input());
  inputs.add(graph.inputs);
  inputs.add(graph.default_inputs);
  inputs.write_in_kept_order();
  write_values(graph.outputs, *proto.mutable_output());
  write_values(graph.values, *proto.mutable_value_info());
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
