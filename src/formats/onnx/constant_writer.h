#ifndef WINDROW_FORMATS_ONNX_CONSTANT_WRITER_H_
#define WINDROW_FORMATS_ONNX_CONSTANT_WRITER_H_

#include <string>
#include <utility>

#include "src/formats/aside_file.h"
#include "src/formats/onnx/schema.h"
#include "windrow/constant.h"

namespace windrow::internal {

// Writes initializers into a model's message, or their elements into a file beside it.
class ConstantWriter {
 public:
  // All elements go into the message.
  ConstantWriter() = default;
  // Elements of at least 1 KiB go into `data`, whose name in the model's folder is `location`.
  ConstantWriter(AsideFile& data, std::string location)
      : data_(&data), location_(std::move(location)) {}

  // Errors: kUnsupported (a type that ONNX does not have), kIo, kOutOfMemory, and those of
  // Constant::tensor().
  Status write(const std::string& name, const Constant& constant, pb::TensorProto& proto);

 private:
  Status write_external(const Tensor& tensor, pb::TensorProto& header);

  AsideFile* data_ = nullptr;
  std::string location_;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_CONSTANT_WRITER_H_
