#include <limits>
#include <string>
#include <utility>

#include "src/arrow/input.h"
#include "src/base/integers.h"
#include "src/base/memory.h"

namespace windrow::arrow {
namespace {

using windrow::internal::checked_add;
using windrow::internal::checked_mul;
using windrow::internal::read_once;

// Larger counts of rows have no bytes that 63 bits could count.
constexpr std::int64_t kMostRows = std::int64_t{1} << 58;

// The smallest and the largest number of buffers that an array of the layout has. A null column may
// have the validity bitmap that Arrow 0.x gave it and Polars still gives it; it is not read.
std::pair<std::int64_t, std::int64_t> buffer_counts(Layout layout) {
  switch (layout) {
    case Layout::kNull:
      return {0, 1};
    case Layout::kList:
    case Layout::kStruct:
      return {1, 1};
    case Layout::kBits:
    case Layout::kFixed:
      return {2, 2};
    case Layout::kText:
    case Layout::kLargeText:
      return {3, 3};
    case Layout::kViews:
      return {3, std::numeric_limits<std::int32_t>::max()};
  }
  return {0, 0};
}

std::string buffer_counts_text(Layout layout) {
  const auto [least, most] = buffer_counts(layout);
  if (least == most) return std::to_string(least);
  if (layout == Layout::kNull) return "0 or 1";
  return "at least " + std::to_string(least);
}

Status check_counts(const Field& field, const ArrowArray& array, const Place& place) {
  const auto wrong = [&](const char* what, std::int64_t is, const std::string& must) {
    return contradiction(place,
                         std::string(what) + " is " + std::to_string(is) + ", must be " + must);
  };
  if (array.length < 0 || array.length > kMostRows)
    return wrong("length", array.length, "from 0 to 2^58");
  if (array.offset < 0 || array.offset > kMostRows)
    return wrong("offset", array.offset, "from 0 to 2^58");
  if (array.null_count < -1 || array.null_count > array.length)
    return wrong("null_count", array.null_count, "from -1 to the length");
  const auto [least, most] = buffer_counts(field.type.layout);
  if (array.n_buffers < least || array.n_buffers > most)
    return wrong("n_buffers", array.n_buffers, buffer_counts_text(field.type.layout));
  if (array.n_buffers > 0 && array.buffers == nullptr)
    return contradiction(place, "the buffers are a null pointer");
  if (array.n_children != static_cast<std::int64_t>(field.children.size()))
    return wrong("n_children", array.n_children, std::to_string(field.children.size()));
  if (array.n_children > 0 && array.children == nullptr)
    return contradiction(place, "the children are a null pointer");
  if (array.dictionary != nullptr)
    return contradiction(place, "the array has a dictionary, its schema has none");
  return {};
}

const std::byte* buffer(const ArrowArray& array, std::int64_t number) {
  return static_cast<const std::byte*>(array.buffers[number]);
}

Status read_view_buffers(const ArrowArray& array, const Place& place, Chunk& chunk) {
  const std::int64_t count = array.n_buffers - 3;
  const std::byte* const sizes = buffer(array, array.n_buffers - 1);
  if (count > 0 && sizes == nullptr)
    return contradiction(place, "the sizes of the view buffers are a null pointer");
  for (std::int64_t i = 0; i < count; ++i) {
    const ViewBuffer one{
        buffer(array, 2 + i),
        read_once<std::int64_t>(sizes + i * static_cast<std::int64_t>(sizeof(std::int64_t)))};
    if (one.bytes < 0 || (one.bytes > 0 && one.data == nullptr))
      return contradiction(place, "view buffer " + std::to_string(i) + " has " +
                                      std::to_string(one.bytes) + " bytes" +
                                      (one.data == nullptr ? " at a null pointer" : ""));
    chunk.buffers.push_back(one);
  }
  return {};
}

Status read_buffers(const Field& field, const ArrowArray& array, const Place& place, Chunk& chunk) {
  const Layout layout = field.type.layout;
  if (layout == Layout::kNull) return {};
  if (array.null_count != 0) chunk.validity = buffer(array, 0);
  if (array.null_count > 0 && chunk.validity == nullptr)
    return contradiction(place, "null_count is " + std::to_string(array.null_count) +
                                    ", but there is no validity bitmap");
  if (array.n_buffers < 2) return {};
  if (layout == Layout::kFixed && !checked_mul(chunk.first + chunk.length, field.type.width))
    return contradiction(place, "the rows have more than 2^63-1 bytes");
  chunk.data = buffer(array, 1);
  const bool needs_data = chunk.length > 0 && (layout != Layout::kFixed || field.type.width > 0);
  if (needs_data && chunk.data == nullptr)
    return contradiction(place, "buffer 1 is a null pointer");
  if (layout == Layout::kText || layout == Layout::kLargeText) chunk.text = buffer(array, 2);
  if (layout == Layout::kViews) return read_view_buffers(array, place, chunk);
  return {};
}

Status read_children(const Field& field, const ArrowArray& array, const Place& place,
                     Chunk& chunk) {
  const std::int64_t times = field.type.layout == Layout::kList ? field.type.list_size : 1;
  const auto skip = checked_mul(chunk.first, times);
  const auto count = checked_mul(chunk.length, times);
  if (!skip || !count) return contradiction(place, "the lists have more than 2^63-1 rows");
  for (std::size_t i = 0; i < field.children.size(); ++i) {
    const ArrowArray* const child = array.children[i];
    const Place child_place = place.child(field.children[i].name);
    if (child == nullptr) return contradiction(child_place, "the array is a null pointer");
    Result<Chunk> rows = read_chunk(field.children[i], *child, *skip, *count, child_place);
    if (!rows) return rows.error();
    chunk.children.push_back(*std::move(rows));
  }
  return {};
}

}  // namespace

Result<Chunk> read_chunk(const Field& field, const ArrowArray& array, std::int64_t skip,
                         std::int64_t count, const Place& place) {
  if (array.release == nullptr) return contradiction(place, "the array has been released");
  if (Status status = check_counts(field, array, place); !status) return status;
  const auto end = checked_add(skip, count);
  if (!end || *end > array.length)
    return contradiction(place, "length is " + std::to_string(array.length) +
                                    ", less than the rows " + std::to_string(skip) + " to " +
                                    std::to_string(skip) + "+" + std::to_string(count) +
                                    " that its parent has");
  Chunk chunk;
  chunk.length = count;
  chunk.first = array.offset + skip;
  if (Status status = read_buffers(field, array, place, chunk); !status) return status;
  if (Status status = read_children(field, array, place, chunk); !status) return status;
  return chunk;
}

}  // namespace windrow::arrow
