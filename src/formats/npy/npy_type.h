#ifndef WINDROW_FORMATS_NPY_NPY_TYPE_H_
#define WINDROW_FORMATS_NPY_NPY_TYPE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "windrow/dtype.h"
#include "windrow/status.h"

namespace windrow::internal {

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

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_NPY_NPY_TYPE_H_
