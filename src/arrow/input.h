#ifndef WINDROW_ARROW_INPUT_H_
#define WINDROW_ARROW_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/arrow/field.h"
#include "windrow/arrow.h"

namespace windrow::arrow {

// Owns one structure of the C interface and releases it once. The structure that it is made of is
// left released.
template <class Structure>
class Owned {
 public:
  Owned() noexcept : held_{} {}
  explicit Owned(Structure* from) noexcept : held_(*from) { from->release = nullptr; }
  Owned(Owned&& other) noexcept : Owned(&other.held_) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (held_.release != nullptr) held_.release(&held_);
  }

  Structure& operator*() noexcept { return held_; }
  const Structure& operator*() const noexcept { return held_; }
  Structure* operator->() noexcept { return &held_; }

 private:
  Structure held_;
};

// One of the buffers of a column of views.
struct ViewBuffer {
  const std::byte* data = nullptr;
  std::int64_t bytes = 0;
};

// An array of a producer, as far as the C interface lets it be checked: counts are consistent, and
// pointers are not null where memory is needed. What the memory holds is checked by whoever reads
// it.
struct Chunk {
  std::int64_t length = 0;              // rows
  std::int64_t first = 0;               // the place of row 0 in the buffers, in rows
  const std::byte* validity = nullptr;  // bits; null: no row is null
  const std::byte* data = nullptr;      // rows, bits, views or offsets
  const std::byte* text = nullptr;      // kText, kLargeText: what the offsets point into
  std::vector<ViewBuffer> buffers;      // kViews
  std::vector<Chunk> children;
};

// Checks an array of type `field` and returns its rows [skip, skip + count). Errors:
// kInvalidArgument.
Result<Chunk> read_chunk(const Field& field, const ArrowArray& array, std::int64_t skip,
                         std::int64_t count, const Place& place);

// What an Input consists of.
struct InputState {
  Place place;
  Field field;
  std::vector<Chunk> chunks;         // those with rows
  std::vector<std::int64_t> starts;  // the number of the first row of each chunk, then length
  std::vector<Owned<ArrowArray>> arrays;
  std::int64_t length = 0;
};

}  // namespace windrow::arrow

#endif  // WINDROW_ARROW_INPUT_H_
