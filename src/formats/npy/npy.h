#ifndef WINDROW_FORMATS_NPY_NPY_H_
#define WINDROW_FORMATS_NPY_NPY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/formats/byte_source.h"
#include "src/formats/tensor_place.h"
#include "windrow/dtype.h"
#include "windrow/shape.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Reads a .npy file of format version 1 to 3. Fortran order becomes row-major order. Allocates no
// more than a small multiple of the source's size. `expected`: see parse_npy_type. Errors: kFormat,
// kUnsupported, kShape, kOutOfMemory, kIo.
Result<Tensor> read_npy(const ByteSource& source, DType expected);

// Finds the elements of a .npy file. They must be in row-major order; a tensor of at most one axis
// of more than one element is in both orders. `expected` as above. Errors: kFormat, kUnsupported
// (strings, 4-bit types, which take a byte each, and column-major order), kShape, kIo.
Result<TensorPlace> place_npy(const ByteSource& source, DType expected);

// Writes header and elements. Errors: kUnsupported (a string that .npy can't hold), kOutOfMemory,
// kIo.
Status write_npy(const TensorView& tensor, ByteSink& file);

enum class NpyText : std::uint8_t { kNone, kBytes, kUtf32 };

// How the elements of a .npy file are stored and what they become.
struct NpyType {
  std::int64_t item_bytes = 0;
  NpyText text = NpyText::kNone;
  DType stored = DType::kAbsent;  // a type of item_bytes bytes; kString for text
  DType result =
      DType::kAbsent;  // as wide as `stored`, or a 4-bit type (one value per stored byte)
};

// From a header's descr ("<f4", "|b1", "<U7", "<V2"). `expected` decides what bits without a type
// of NumPy's are: |V1 and |V2, uint8 and int8 (8-bit floats, 4-bit types), uint16 (bfloat16).
// Errors: kUnsupported, kFormat.
Result<NpyType> parse_npy_type(std::string_view descr, DType expected);

// The descr under which elements of a type other than string are written. Types that NumPy does not
// have are written as ml_dtypes does (bfloat16 "<V2", 8-bit floats "<V1"), 4-bit types as one int8
// or uint8 per value.
std::string npy_descr(DType type);

// The header of a .npy file, which precedes the elements.
struct NpyHeader {
  std::string descr;  // NumPy's name of the element type, "<f4"
  bool fortran_order = false;
  Shape shape;
  std::int64_t data_offset = 0;
};

// Reads and checks the header alone. Errors: kFormat, kUnsupported (format versions, structured
// types), kShape (rank), kIo.
Result<NpyHeader> read_npy_header(const ByteSource& source);

// The bytes of a header of format version 1, padded as NumPy does, for elements in row-major order.
std::string make_npy_header(std::string_view descr, const Shape& shape);

// Appends one code point. Returns false if it is not one (a surrogate, or above 0x10ffff).
bool append_utf8(std::uint32_t code_point, std::string& text);

bool is_utf8(std::string_view text) noexcept;

// The code points of a text; nothing if it is not valid UTF-8.
std::optional<std::vector<std::uint32_t>> decode_utf8(std::string_view text);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_NPY_NPY_H_
