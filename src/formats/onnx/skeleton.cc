#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "src/formats/onnx/constant_writer.h"
#include "src/formats/onnx/graph_write.h"
#include "src/formats/onnx/model_proto.h"
#include "src/formats/onnx/tensor_proto.h"
#include "src/models/text.h"
#include "windrow/models.h"

namespace windrow {
namespace {

// Constants of fewer bytes, such as shapes and axes, keep their elements.
constexpr std::int64_t kMinElidedBytes = 1024;
constexpr std::size_t kMostBytes = std::size_t{50} << 20;

// Makes a tensor whose elements are in a file that does not exist.
Status elide(const std::string& name, DType type, const Shape& shape,
             internal::pb::TensorProto& proto) {
  Status status = internal::write_tensor_header(type, shape, name, proto);
  internal::set_external({{"location", "elided"}}, proto);
  return status;
}

// Makes a copy of each graph of a model without claims and large constants. The copy can be
// written: what a Graph has no place for goes into what it keeps of the file.
class SkeletonMaker {
 public:
  explicit SkeletonMaker(const Model& model) {
    model.visit_nodes([this](const NodePlace& place) { paths_.push_back(place.path); });
  }

  // Copies `from` except what is left out. `is_body`: whether the types of its inputs are claims
  // too.
  Status make(const Graph& from, bool is_body, Graph& to) {
    internal::pb::GraphProto kept;
    if (Status status = internal::parse_kept(from.kept, kept); !status) return status;
    kept.clear_value_info();
    kept.clear_output();
    kept.clear_doc_string();
    kept.clear_sparse_initializer();
    for (auto& opaque : *kept.mutable_initializer()) opaque.clear_raw_data();
    if (is_body) {
      for (auto& input : *kept.mutable_input()) input.clear_type();
    }
    to.name = from.name;
    to.inputs = is_body ? untyped(from.inputs) : from.inputs;
    to.default_inputs = is_body ? untyped(from.default_inputs) : from.default_inputs;
    to.outputs = untyped(from.outputs);
    to.opaque_constants = from.opaque_constants;
    for (const auto& [name, constant] : from.constants) {
      if (constant.byte_count() < kMinElidedBytes) {
        to.constants.emplace(name, constant);
        continue;
      }
      to.opaque_constants.emplace(name, OpaqueConstant{"its elements are left out", {}});
      Status status = elide(name, constant.dtype(), constant.shape(), *kept.add_initializer());
      if (!status) return status.with_context("initializer '" + name + "'");
    }
    to.kept = kept.SerializePartialAsString();
    return make_nodes(from, to);
  }

  Status make_function(const ModelFunction& from, ModelFunction& to) {
    to.domain = from.domain;
    to.opset_imports = from.opset_imports;
    to.attributes = from.attributes;
    to.graph.name = from.graph.name;
    to.graph.inputs = untyped(from.graph.inputs);
    to.graph.outputs = untyped(from.graph.outputs);
    internal::pb::FunctionProto kept;
    if (Status status = internal::parse_kept(from.graph.kept, kept); !status) return status;
    kept.mutable_unknown_fields()->Clear();  // newer versions of ONNX have claims there
    to.graph.kept = kept.SerializePartialAsString();
    return make_nodes(from.graph, to.graph);
  }

 private:
  static std::vector<ValueInfo> untyped(const std::vector<ValueInfo>& values) {
    std::vector<ValueInfo> names;
    names.reserve(values.size());
    for (const ValueInfo& value : values)
      names.push_back({value.name, DType::kAbsent, std::nullopt});
    return names;
  }

  Status make_nodes(const Graph& from, Graph& to) {
    to.nodes.reserve(from.nodes.size());
    for (const ModelNode& node : from.nodes) {
      ModelNode& made = to.nodes.emplace_back();
      made.name = std::move(paths_[next_path_++]);
      made.domain = node.domain;
      made.op_type = node.op_type;
      made.inputs = node.inputs;
      made.outputs = node.outputs;
      made.kept = node.kept;
      if (Status status = make_attributes(node, made); !status)
        return status.with_context("node '" + node.name + "'");
      for (const NodeBody& body : node.bodies) {
        auto graph = std::make_shared<Graph>();
        if (Status status = make(*body.graph, true, *graph); !status) return status;
        made.bodies.push_back({body.attribute, std::move(graph)});
      }
    }
    return {};
  }

  static Status make_attributes(const ModelNode& from, ModelNode& to) {
    internal::pb::NodeProto kept;
    for (const auto& [name, value] : from.attributes) {
      const auto* const tensor = std::get_if<std::shared_ptr<const Tensor>>(&value);
      if (tensor == nullptr || (*tensor)->byte_count() < kMinElidedBytes) {
        to.attributes.emplace(name, value);
        continue;
      }
      if (kept.attribute().empty()) {
        if (Status status = internal::parse_kept(from.kept, kept); !status) return status;
      }
      internal::pb::AttributeProto& attribute = *kept.add_attribute();
      attribute.set_name(name);
      attribute.set_type(internal::pb::AttributeProto::TENSOR);
      Status status = elide({}, (*tensor)->dtype(), (*tensor)->shape(), *attribute.mutable_t());
      if (!status) return status;
    }
    if (!kept.attribute().empty()) to.kept = kept.SerializePartialAsString();
    return {};
  }

  std::vector<std::string> paths_;  // of all nodes, in the order in which they are made
  std::size_t next_path_ = 0;
};

// Keeps only the version of the format of what the file says about the model.
Result<std::string> kept_version(const std::string& kept_model) {
  if (kept_model.empty()) return std::string();
  internal::pb::ModelProto kept;
  if (Status status = internal::parse_kept(kept_model, kept); !status) return status;
  internal::pb::ModelProto version;
  version.set_ir_version(kept.ir_version());
  return version.SerializePartialAsString();
}

}  // namespace

Result<std::string> onnx_skeleton(const Model& model) {
  if (model.dialect != "onnx")
    return internal::unsupported_error("a model of dialect '", model.dialect,
                                       "' is not one of ONNX");
  Model skeleton;
  skeleton.opset_imports = model.opset_imports;
  Result<std::string> version = kept_version(model.kept_model);
  if (!version) return version.error();
  skeleton.kept_model = *std::move(version);
  SkeletonMaker maker(model);
  if (Status status = maker.make(model, false, skeleton); !status) return status;
  for (const ModelFunction& function : model.functions) {
    Status status = maker.make_function(function, skeleton.functions.emplace_back());
    if (!status) return status;
  }
  internal::ConstantWriter constants;
  const Result<internal::pb::ModelProto> proto = internal::make_model_proto(skeleton, constants);
  if (!proto) return proto.error();
  if (proto->ByteSizeLong() > kMostBytes)
    return internal::unsupported_error("without its constants the model has ",
                                       proto->ByteSizeLong(), " bytes, more than the ", kMostBytes,
                                       " that are given to other programs");
  return proto->SerializePartialAsString();
}

}  // namespace windrow
