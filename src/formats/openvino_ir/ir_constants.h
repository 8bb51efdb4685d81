#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_CONSTANTS_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_CONSTANTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "src/formats/byte_source.h"
#include "src/formats/constant_blobs.h"
#include "src/formats/openvino_ir/ir_bin.h"
#include "src/formats/openvino_ir/ir_document.h"
#include "windrow/constant.h"

namespace windrow::internal {

// Reads the constants of a model from its .bin file.
class IrConstants {
 public:
  // `bin` is null where there is no such file; `missing` then says why.
  IrConstants(const ByteSource* bin, Status missing) : bin_(bin), missing_(std::move(missing)) {}

  // The value of a Const layer. Errors: kFormat, kUnsupported, kIo, kOutOfMemory.
  Result<Constant> read(const IrLayer& layer);

 private:
  Result<Constant> read_blob(const IrBlob& blob, DType type, const Shape& shape);

  const ByteSource* bin_;
  Status missing_;
  ConstantBlobs blobs_{"the .bin file"};
  // Unpacked strings by offset, bytes and number of elements.
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::shared_ptr<Tensor>> strings_;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_CONSTANTS_H_
