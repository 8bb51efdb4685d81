#include "src/formats/onnx/tensor_proto.h"
#include "src/models/onnx_types.h"

namespace windrow::internal {

Status write_tensor_header(DType type, const Shape& shape, const std::string& name,
                           pb::TensorProto& proto) {
  if (Status status = check_onnx_type(type); !status) return status;
  proto.Clear();
  for (const std::int64_t extent : shape) proto.add_dims(extent);
  proto.set_data_type(onnx_of_dtype(type));
  if (!name.empty()) proto.set_name(name);
  return {};
}

void set_external(const std::vector<std::pair<std::string, std::string>>& entries,
                  pb::TensorProto& proto) {
  proto.set_data_location(pb::TensorProto::EXTERNAL);
  for (const auto& [key, value] : entries) {
    auto& entry = *proto.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
}

Status write_tensor_proto(const TensorView& tensor, const std::string& name,
                          pb::TensorProto& proto) {
  if (!tensor.is_dense()) {
    const Result<Tensor> dense = Tensor::copy_of(tensor);
    return dense ? write_tensor_proto(dense->view(), name, proto) : dense.error();
  }
  Status status = write_tensor_header(tensor.dtype, tensor.shape, name, proto);
  if (!status) return status;
  if (tensor.dtype == DType::kString) {
    const auto* const texts = static_cast<const std::string*>(tensor.data);
    const std::int64_t count = element_count(tensor.shape).value_or(0);
    for (std::int64_t i = 0; i < count; ++i) proto.add_string_data(texts[i]);
  } else {
    const std::int64_t bytes = dense_byte_count(tensor.dtype, tensor.shape).value_or(0);
    proto.set_raw_data(tensor.data, static_cast<std::size_t>(bytes));
  }
  return {};
}

}  // namespace windrow::internal
