#ifndef WINDROW_FORMATS_SAFETENSORS_SAFETENSORS_H_
#define WINDROW_FORMATS_SAFETENSORS_SAFETENSORS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/dtype.h"
#include "windrow/shape.h"
#include "windrow/status.h"

namespace windrow::internal {

// What the header of a .safetensors file says of one tensor.
struct SafeTensor {
  std::string name;
  std::string dtype;  // the format's name, "F32"
  Shape shape;
  std::int64_t begin = 0;  // of its bytes, from the end of the header on
  std::int64_t end = 0;
};

// The tensors of a header, as JSON, in its order. What else the header holds ("__metadata__") is
// checked to be texts and dropped. Errors: kFormat, kShape (rank), kOutOfMemory.
Result<std::vector<SafeTensor>> parse_safetensors_header(std::string_view json);

// The element type of that name; kAbsent if none here has it.
DType safetensors_type(std::string_view name) noexcept;
// The format's name of an element type; empty if it has none.
std::string_view safetensors_name(DType type) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_SAFETENSORS_SAFETENSORS_H_
