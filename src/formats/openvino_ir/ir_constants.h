#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_CONSTANTS_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_CONSTANTS_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "src/formats/byte_source.h"
#include "src/formats/openvino_ir/ir_document.h"
#include "windrow/constant.h"
#include "windrow/models.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Where a constant's bytes stand in the .bin file.
struct IrBlob {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
};

// Writes the .bin file: constants one after another, where constants of equal bytes are written
// once.
class IrBin {
 public:
  using Append = std::function<Status(std::string_view)>;

  explicit IrBin(Append append) : append_(std::move(append)) {}

  // `tensor` must outlive the writer. Errors: kIo, kUnsupported.
  Result<IrBlob> add(const Tensor& tensor);
  // `bytes` must outlive the writer. Errors: kIo.
  Result<IrBlob> add(std::string_view bytes);

 private:
  struct Written {
    std::string_view bytes;
    std::int64_t offset = 0;
  };

  Append append_;
  std::int64_t size_ = 0;
  std::deque<std::string> texts_;                          // packed strings
  std::unordered_multimap<std::size_t, Written> written_;  // by hash
};

// The type and shape of a constant.
ValueInfo constant_info(const std::string& name, const Constant& constant);

// Reads the constants of a model from its .bin file. Errors do not name the layer.
class IrConstants {
 public:
  // `bin` is null where there is no such file; `missing` then says why.
  IrConstants(const ByteSource* bin, Status missing) : bin_(bin), missing_(std::move(missing)) {}

  // The value of a Const layer. Errors: kFormat, kUnsupported (a type or rank that the library does
  // not have), kIo, kOutOfMemory.
  Result<Constant> read(const IrLayer& layer);

  // What a Const layer says of its value, and where its bytes stand, which may be outside of the
  // file. Errors: kFormat, kUnsupported (as above).
  struct Described {
    DType type = DType::kAbsent;
    Shape shape;
    IrBlob blob;               // of no more bytes than the elements take, but for strings
    std::string text() const;  // "f32[2, 3]"
  };
  static Result<Described> describe(const IrLayer& layer);

  // Where the bytes of a Const layer stand, which may be outside of the file. Errors: kFormat.
  static Result<IrBlob> place(const IrLayer& layer);
  // The bytes of a Const layer, whatever they mean. Errors: kFormat, kIo.
  Result<std::string> read_bytes(const IrLayer& layer);

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
