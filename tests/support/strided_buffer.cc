#include "tests/support/strided_buffer.h"

#include <algorithm>

#include "tests/support/elements.h"

namespace windrow::tests {
namespace {

constexpr unsigned char kGuardByte = 0xA5;
constexpr std::int64_t kMargin = 64;  // guard bytes (or as many strings / 8) on both sides
const char* const kGuardText = "guard";

std::int64_t element_bytes(DType type) { return dtype_bits(type) / 8; }

}  // namespace

Layout dense_layout(int rank) {
  Layout layout;
  for (int axis = rank - 1; axis >= 0; --axis) layout.axes.push_back({axis, 0, false, false});
  return layout;
}

StridedBuffer::StridedBuffer(DType type, const Shape& shape, const Layout& layout) {
  if (is_packed(type)) {
    allocate(dense_byte_count(type, shape).value_or(0), layout.base);
    view_ = MutableTensorView(type, shape, bytes_.data() + kMargin + layout.base);
    mark_elements();
    return;
  }
  const bool text = type == DType::kString;
  const bool is_empty = element_count(shape).value_or(0) == 0;  // its extents may be any
  Strides strides = Dims::filled(shape.rank(), 0);
  std::int64_t running = element_bytes(type);
  std::int64_t origin = 0;
  for (const Layout::Axis& axis : layout.axes) {
    if (axis.repeated) continue;
    const std::int64_t extent = is_empty ? 1 : shape[axis.axis];
    strides[axis.axis] = axis.reversed ? -running : running;
    if (axis.reversed) origin += running * (extent - 1);
    running = running * extent + axis.gap * (text ? element_bytes(type) : layout.gap_bytes);
  }
  if (text) {
    strings_.assign(static_cast<std::size_t>((running + 2 * kMargin) / element_bytes(type) + 2),
                    kGuardText);
    const auto first = static_cast<std::size_t>(kMargin / element_bytes(type));
    void* memory = reinterpret_cast<unsigned char*>(&strings_[first]) + origin;
    view_ = MutableTensorView(type, shape, strides, memory);
  } else {
    allocate(running, layout.base);
    view_ = MutableTensorView(type, shape, strides, bytes_.data() + kMargin + layout.base + origin);
  }
  mark_elements();
}

StridedBuffer::StridedBuffer(const TensorView& source, const Layout& layout)
    : StridedBuffer(source.dtype, source.shape, layout) {
  if (element_count(source.shape).value_or(0) == 0) return;
  Dims position = Dims::filled(source.shape.rank(), 0);
  do {
    write_element(view_, position, read_element(source, position));
  } while (next_position(source.shape, position));
}

StridedBuffer::StridedBuffer(const StridedBuffer& other)
    : view_(other.view_), bytes_(other.bytes_), strings_(other.strings_), owned_(other.owned_) {
  const auto* data = static_cast<const unsigned char*>(other.view_.data);
  view_.data = const_cast<unsigned char*>(memory()) + (data - other.memory());
}

const unsigned char* StridedBuffer::memory() const noexcept {
  return view_.dtype == DType::kString ? reinterpret_cast<const unsigned char*>(strings_.data())
                                       : bytes_.data();
}

void StridedBuffer::allocate(std::int64_t bytes, std::int64_t base) {
  bytes_.assign(static_cast<std::size_t>(bytes + base + 2 * kMargin), kGuardByte);
}

void StridedBuffer::mark_elements() {
  const bool text = view_.dtype == DType::kString;
  owned_.assign(text ? strings_.size() : bytes_.size(), false);
  if (element_count(view_.shape).value_or(0) == 0) return;
  const unsigned char* start = memory();
  const auto* data = static_cast<const unsigned char*>(view_.data);
  if (is_packed(view_.dtype)) {
    const auto count = dense_byte_count(view_.dtype, view_.shape).value_or(0);
    std::fill_n(owned_.begin() + (data - start), count, true);
    return;
  }
  const std::int64_t size = element_bytes(view_.dtype);
  Dims position = Dims::filled(view_.shape.rank(), 0);
  do {
    const std::int64_t offset = data - start + byte_offset(view_.strides, position);
    if (text) {
      owned_[static_cast<std::size_t>(offset / size)] = true;
    } else {
      std::fill_n(owned_.begin() + offset, size, true);
    }
  } while (next_position(view_.shape, position));
}

bool StridedBuffer::guards_intact() const {
  for (std::size_t i = 0; i < owned_.size(); ++i) {
    if (owned_[i]) continue;
    if (view_.dtype == DType::kString ? strings_[i] != kGuardText : bytes_[i] != kGuardByte)
      return false;
  }
  return true;
}

}  // namespace windrow::tests
