#ifndef WINDROW_ARROW_OUTPUT_H_
#define WINDROW_ARROW_OUTPUT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/arrow/field.h"
#include "windrow/arrow.h"

namespace windrow::arrow {

// Memory of a result, which several arrays may share. Null data: the array has no such buffer.
struct Buffer {
  std::shared_ptr<const void> owner;
  const std::byte* data = nullptr;

  explicit operator bool() const noexcept { return data != nullptr; }
};

// A new buffer that is still being written.
struct NewBuffer {
  std::shared_ptr<void> owner;
  std::byte* data = nullptr;
  bool is_recycled = false;  // whether another result used it: its pages have been touched

  Buffer finish() const noexcept { return {owner, data}; }
};

// More than `bytes` bytes, a multiple of 64, aligned to 64. The last 64 are 0; the others are not
// initialised. From a megabyte on from the pool of results, and returned there. Errors:
// kOutOfMemory. May throw std::bad_alloc.
Result<NewBuffer> new_buffer(std::int64_t bytes);

// A result's array, or a child of it.
struct Made {
  std::int64_t length = 0;
  std::int64_t null_count = 0;
  std::vector<Buffer> buffers;
  std::vector<Made> children;
};

// What an Output consists of.
struct OutputState {
  Field field;
  bool is_table = false;
  Made array;
};

// Fills in `out`, which owns copies of the field. Fields become nullable where the array has nulls.
// Errors: kOutOfMemory.
Status write_schema(const Field& field, const Made& array, ArrowSchema* out);

}  // namespace windrow::arrow

#endif  // WINDROW_ARROW_OUTPUT_H_
