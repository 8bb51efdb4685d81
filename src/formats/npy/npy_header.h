#ifndef WINDROW_FORMATS_NPY_NPY_HEADER_H_
#define WINDROW_FORMATS_NPY_NPY_HEADER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "src/formats/byte_source.h"
#include "windrow/shape.h"
#include "windrow/status.h"

namespace windrow::internal {

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

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_NPY_NPY_HEADER_H_
