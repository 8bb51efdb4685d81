#include "src/formats/onnx/attribute.h"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "src/formats/onnx/tensor_proto.h"
#include "src/models/text.h"

namespace windrow::internal {
namespace {

// ONNX's types by the index of a value's type in AttributeValue. ONNX has no Boolean attributes.
constexpr pb::AttributeProto::AttributeType kTypes[] = {
    pb::AttributeProto::INT,    pb::AttributeProto::FLOAT,  pb::AttributeProto::STRING,
    pb::AttributeProto::INTS,   pb::AttributeProto::FLOATS, pb::AttributeProto::STRINGS,
    pb::AttributeProto::TENSOR, pb::AttributeProto::INT};

// Sets the field that holds a value.
struct AttributeWriter {
  pb::AttributeProto& proto;

  void operator()(std::int64_t value) const { proto.set_i(value); }
  void operator()(bool value) const { proto.set_i(value ? 1 : 0); }
  void operator()(double value) const { proto.set_f(static_cast<float>(value)); }
  void operator()(const std::string& value) const { proto.set_s(value); }
  void operator()(const std::vector<std::int64_t>& values) const {
    proto.mutable_ints()->Add(values.begin(), values.end());
  }
  void operator()(const std::vector<double>& values) const {
    for (const double value : values) proto.add_floats(static_cast<float>(value));
  }
  void operator()(const std::vector<std::string>& values) const {
    for (const std::string& value : values) proto.add_strings(value);
  }
  void operator()(const std::shared_ptr<const Tensor>& /*value*/) const {
  }  // written by write_attribute(), since it may fail
};

}  // namespace

Result<AttributeValue> read_attribute(const pb::AttributeProto& proto, ExternalData& external) {
  if (!proto.ref_attr_name().empty())
    return format_error("a reference to a function's attribute outside a function");
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
      return format_error("it has no type");
    case pb::AttributeProto::GRAPH:
    case pb::AttributeProto::GRAPHS:
      return unsupported_error("graphs inside nodes are not supported");
    default:
      return unsupported_error("attribute type ", static_cast<int>(proto.type()),
                               " is not supported");
  }
}

Status write_attribute(const AttributeValue& value, pb::AttributeProto& proto) {
  proto.set_type(kTypes[value.index()]);
  std::visit(AttributeWriter{proto}, value);
  const auto* const tensor = std::get_if<std::shared_ptr<const Tensor>>(&value);
  if (tensor == nullptr) return {};
  return write_tensor_proto((*tensor)->view(), {}, *proto.mutable_t());
}

}  // namespace windrow::internal
