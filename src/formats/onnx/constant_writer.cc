#include "src/formats/onnx/constant_writer.h"

#include <memory>

#include "src/formats/onnx/tensor_proto.h"
#include "src/models/onnx_types.h"

namespace windrow::internal {
namespace {

// Initializers of fewer bytes stay in the model file.
constexpr std::int64_t kMinExternalBytes = 1024;
// Where external tensors begin, so that they can be mapped.
constexpr std::int64_t kPageBytes = 4096;

}  // namespace

// Puts the bytes at the end of the file and says so in the header.
Status ConstantWriter::write_external(const Tensor& tensor, pb::TensorProto& header) {
  const std::string padding(static_cast<std::size_t>(-data_->size() & (kPageBytes - 1)), '\0');
  if (Status status = data_->write(padding); !status) return status;
  header.set_data_location(pb::TensorProto::EXTERNAL);
  const std::pair<std::string, std::string> entries[] = {
      {"location", location_},
      {"offset", std::to_string(data_->size())},
      {"length", std::to_string(tensor.byte_count())}};
  for (const auto& [key, value] : entries) {
    auto& entry = *header.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
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
  if (external) {
    proto = make_tensor_header(**tensor, name);
    return write_external(**tensor, proto);
  }
  Result<pb::TensorProto> written = make_tensor_proto(**tensor, name);
  if (!written) return written.error();
  proto = *std::move(written);
  return {};
}

}  // namespace windrow::internal
