#include "src/formats/onnx/constant_writer.h"

#include <memory>

#include "src/formats/onnx/tensor_proto.h"
#include "src/models/onnx_types.h"

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

}  // namespace windrow::internal
