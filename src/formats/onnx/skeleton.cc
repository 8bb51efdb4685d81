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
#include "src/models/onnx_types.h"
#include "src/models/walk_model.h"
#include "windrow/models.h"

namespace windrow {
namespace {

// Constants of fewer bytes keep their elements: shapes and axes are such.
constexpr std::int64_t kMinElidedBytes = 1024;
constexpr std::size_t kMostBytes = std::size_t{50} << 20;

// A tensor whose elements stand in a file that is not there.
Status elide(const std::string& name, DType type, const Shape& shape,
             internal::pb::TensorProto& proto) {
  if (Status status = internal::check_onnx_type(type); !status) return status;
  if (!name.empty()) proto.set_name(name);
  proto.set_data_type(internal::onnx_of_dtype(type));
  for (const std::int64_t extent : shape) proto.add_dims(extent);
  proto.set_data_location(internal::pb::TensorProto::EXTERNAL);
  auto& entry = *proto.add_external_data();
  entry.set_key("location");
  entry.set_value("elided");
  return {};
}

// The names of nodes in the order of a walk: their paths.
class PathsWalk final : public internal::ModelWalk {
 public:
  void enter(const std::string& /*path*/, const Graph& /*graph*/) override {}
  void visit(const NodePlace& place, std::size_t /*position*/) override {
    paths_.push_back(place.path);
  }
  void leave() override {}
  std::string take_next() { return std::move(paths_[next_++]); }

 private:
  std::vector<std::string> paths_;
  std::size_t next_ = 0;
};

// Makes of each graph of a model one without claims and large constants, which stays writable: what
// a Graph has no place for goes into what it keeps of the file.
class SkeletonMaker {
 public:
  explicit SkeletonMaker(const Model& model) { internal::walk_model(model, paths_); }

  // `from` is copied but for what is left out. `is_body`: its inputs are claims too.
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
      to.opaque_constants.emplace(name, "its elements are left out");
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
      made.name = paths_.take_next();
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

  PathsWalk paths_;
};

// Of what the file says of the model, the version of the format alone.
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
    return Status(ErrorCode::kUnsupported,
                  "a model of dialect '" + model.dialect + "' is not one of ONNX");
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
    return Status(ErrorCode::kUnsupported,
                  "without its constants the model has " + std::to_string(proto->ByteSizeLong()) +
                      " bytes, more than the " + std::to_string(kMostBytes) +
                      " that are given to other programs");
  return proto->SerializePartialAsString();
}

}  // namespace windrow
