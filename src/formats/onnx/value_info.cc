#include "src/formats/onnx/value_info.h"

#include <algorithm>

#include "src/models/onnx_types.h"

namespace windrow::internal {

ValueInfo read_value_info(const pb::ValueInfoProto& proto) {
  ValueInfo value{proto.name(), DType::kAbsent, std::nullopt};
  if (!proto.type().has_tensor_type()) return value;
  const pb::TypeProto::Tensor& type = proto.type().tensor_type();
  value.dtype = dtype_of_onnx(type.elem_type());
  value.other_type = other_type_of_onnx(type.elem_type());
  // Nothing is kept of a rank that no tensor can have: inference would copy it from node to node.
  if (!type.has_shape() || type.shape().dim_size() > kMaxRank) return value;
  value.dims.emplace();
  for (const auto& dim : type.shape().dim())
    value.dims->push_back(dim.has_dim_value() ? Dim{std::max<std::int64_t>(dim.dim_value(), -1), {}}
                                              : Dim{-1, dim.dim_param()});
  return value;
}

bool is_plain(const pb::ValueInfoProto& proto) {
  pb::ValueInfoProto again;
  write_value_info(read_value_info(proto), again);
  return again.ByteSizeLong() == proto.ByteSizeLong() &&
         again.SerializePartialAsString() == proto.SerializePartialAsString();
}

void write_value_info(const ValueInfo& value, pb::ValueInfoProto& proto) {
  proto.set_name(value.name);
  if (value.dtype == DType::kAbsent) return;
  pb::TypeProto::Tensor& type = *proto.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx_of_dtype(value.dtype));
  if (!value.dims) return;
  pb::TensorShapeProto& shape = *type.mutable_shape();
  for (const Dim& dim : *value.dims) {
    auto& written = *shape.add_dim();
    if (dim.is_known()) {
      written.set_dim_value(dim.value);
    } else if (!dim.symbol.empty()) {
      written.set_dim_param(dim.symbol);
    }
  }
}

}  // namespace windrow::internal
