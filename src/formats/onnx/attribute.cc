#include "src/formats/onnx/attribute.h"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "src/formats/onnx/tensor_proto.h"

namespace windrow::internal {
namespace {

// Sets the fields of a proto by the type of the value.
struct AttributeWriter {
  pb::AttributeProto& proto;

  Status operator()(std::int64_t value) const {
    proto.set_type(pb::AttributeProto::INT);
    proto.set_i(value);
    return {};
  }
  Status operator()(double value) const {
    proto.set_type(pb::AttributeProto::FLOAT);
    proto.set_f(static_cast<float>(value));
    return {};
  }
  Status operator()(const std::string& value) const {
    proto.set_type(pb::AttributeProto::STRING);
    proto.set_s(value);
    return {};
  }
  Status operator()(const std::vector<std::int64_t>& values) const {
    proto.set_type(pb::AttributeProto::INTS);
    proto.mutable_ints()->Add(values.begin(), values.end());
    return {};
  }
  Status operator()(const std::vector<double>& values) const {
    proto.set_type(pb::AttributeProto::FLOATS);
    for (const double value : values) proto.add_floats(static_cast<float>(value));
    return {};
  }
  Status operator()(const std::vector<std::string>& values) const {
    proto.set_type(pb::AttributeProto::STRINGS);
    for (const std::string& value : values) proto.add_strings(value);
    return {};
  }
  // ONNX has no truth values.
  Status operator()(bool value) const { return (*this)(std::int64_t{value}); }
  Status operator()(const std::shared_ptr<const Tensor>& value) const {
    Result<pb::TensorProto> tensor = make_tensor_proto(value->view(), {});
    if (!tensor) return tensor.error();
    proto.set_type(pb::AttributeProto::TENSOR);
    *proto.mutable_t() = *std::move(tensor);
    return {};
  }
};

}  // namespace

Result<AttributeValue> read_attribute(const pb::AttributeProto& proto, ExternalData& external) {
  if (!proto.ref_attr_name().empty())
    return Status(ErrorCode::kFormat, "a reference to a function's attribute outside a function");
  switch (proto.type()) {
    case pb::AttributeProto::INT:
      return AttributeValue(proto.i());
    case pb::AttributeProto::FLOAT:
      return AttributeValue(static_cast<double>(proto.f()));
    case pb::AttributeProto::STRING:
      return AttributeValue(proto.s());
    case pb::AttributeProto::INTS:
      return AttributeValue(std::vector<std::int64_t>(proto.ints().begin(), proto.ints().end()));
    case pb::AttributeProto::FLOATS:
      return AttributeValue(std::vector<double>(proto.floats().begin(), proto.floats().end()));
    case pb::AttributeProto::STRINGS:
      return AttributeValue(
          std::vector<std::string>(proto.strings().begin(), proto.strings().end()));
    case pb::AttributeProto::TENSOR: {
      Result<Tensor> tensor = read_tensor(proto.t(), external);
      if (!tensor) return tensor.error();
      return AttributeValue(std::make_shared<const Tensor>(*std::move(tensor)));
    }
    case pb::AttributeProto::UNDEFINED:
      return Status(ErrorCode::kFormat, "it has no type");
    case pb::AttributeProto::GRAPH:
    case pb::AttributeProto::GRAPHS:
      return Status(ErrorCode::kUnsupported, "graphs inside nodes are not supported");
    default:
      return Status(ErrorCode::kUnsupported,
                    "attribute type " + std::to_string(proto.type()) + " is not supported");
  }
}

Status write_attribute(const std::string& name, const AttributeValue& value,
                       pb::AttributeProto& proto) {
  proto.set_name(name);
  return std::visit(AttributeWriter{proto}, value);
}

}  // namespace windrow::internal
