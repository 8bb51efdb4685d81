#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_CONSTANTS_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_CONSTANTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "src/formats/byte_source.h"
#include "src/formats/openvino_ir/ir_document.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Reads the constants of a model from its .bin file. Constants of the same bytes share memory, so
// that a small file can't ask for much.
class IrConstants {
 public:
  // `bin` is null where there is no such file; `missing` then says why.
  IrConstants(const ByteSource* bin, Status missing) : bin_(bin), missing_(std::move(missing)) {}

  // The value of a Const layer. Errors: kFormat, kUnsupported, kIo, kOutOfMemory.
  Result<std::shared_ptr<const Tensor>> read(const IrLayer& layer);

 private:
  // Where a blob stands: offset, bytes, and of strings the number of elements.
  struct Place {
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
    std::int64_t strings = -1;
    friend bool operator<(const Place& a, const Place& b) {
      return std::tie(a.offset, a.bytes, a.strings) < std::tie(b.offset, b.bytes, b.strings);
    }
  };

  Result<std::shared_ptr<Tensor>> load(const Place& place, DType type, const Shape& shape);
  Status check_place(const Place& place);
  Result<Tensor> read_elements(const Place& place, DType type, const Shape& shape) const;

  const ByteSource* bin_;
  Status missing_;
  std::map<Place, std::shared_ptr<Tensor>> loaded_;
  std::int64_t loaded_bytes_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_CONSTANTS_H_
