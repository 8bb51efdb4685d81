#ifndef WINDROW_EXECUTE_PADDING_H_
#define WINDROW_EXECUTE_PADDING_H_

#include <cstddef>
#include <cstdint>

#include "src/kernels/registry.h"
#include "windrow/dtype.h"

namespace windrow::internal {

// Reads `count` indices, `step` bytes apart, each once. values[j] becomes the value of index j, of
// a uint64 its bits, and padded[j] whether that is `padding`, which an index of the type can hold.
// Returns whether any is.
inline bool load_padded(const KernelTable& kernels, DType dtype, std::int64_t padding,
                        const std::byte* first, std::int64_t step, std::int64_t count,
                        std::int64_t* values, bool* padded) {
  const DType loaded = dtype == DType::kUint64 ? DType::kInt64 : dtype;
  kernels.of_type<Family::kLoad>(loaded)(first, step, count, values);
  bool any = false;
  for (std::int64_t j = 0; j < count; ++j) {
    padded[j] = values[j] == padding;
    any |= padded[j];
  }
  return any;
}

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_PADDING_H_
