#include "src/formats/onnx/tensor_proto.h"
#include "src/models/onnx_types.h"

namespace windrow::internal {

pb::TensorProto make_tensor_header(const TensorView& tensor, const std::string& name) {
  pb::TensorProto proto;
  for (const std::int64_t extent : tensor.shape) proto.add_dims(extent);
  proto.set_data_type(onnx_of_dtype(tensor.dtype));
  if (!name.empty()) proto.set_name(name);
  return proto;
}

Result<pb::TensorProto> make_tensor_proto(const TensorView& tensor, const std::string& name) {
  if (!tensor.is_dense()) {
    const Result<Tensor> dense = Tensor::copy_of(tensor);
    if (!dense) return dense.error();
    return make_tensor_proto(dense->view(), name);
  }
  if (Status status = check_onnx_type(tensor.dtype); !status) return status;
  pb::TensorProto proto = make_tensor_header(tensor, name);
  if (tensor.dtype == DType::kString) {
    const auto* const texts = static_cast<const std::string*>(tensor.data);
    const std::int64_t count = element_count(tensor.shape).value_or(0);
    for (std::int64_t i = 0; i < count; ++i) proto.add_string_data(texts[i]);
  } else {
    const std::int64_t bytes = dense_byte_count(tensor.dtype, tensor.shape).value_or(0);
    proto.set_raw_data(tensor.data, static_cast<std::size_t>(bytes));
  }
  return proto;
}

}  // namespace windrow::internal
