#ifndef WINDROW_OPERATORS_BAGS_FIXTURE_H_
#define WINDROW_OPERATORS_BAGS_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "src/operators/every_way_fixture.h"
#include "src/operators/test_support.h"

// What the tests of pooled look-ups share.
namespace windrow::internal {

using Ids = std::vector<std::int64_t>;

inline Tensor ids(const Ids& values) {
  return Tensor::from<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

// A tensor of random numbers of a type, whose elements lie as `layout` says: 0 row-major, 1 with
// gaps, 2 transposed, 3 backwards.
class Drawn {
 public:
  Drawn(DType dtype, const Shape& shape, int layout, std::minstd_rand& random)
      : memory_(static_cast<std::size_t>(element_count(shape).value() * 24 + 64)) {
    const std::int64_t width = dtype_bits(dtype) / 8;
    view_ = TensorView(dtype, shape, memory_.data());
    Strides strides = row_major_strides(shape, width);
    const int last = shape.rank() - 1;
    if (layout == 1)
      for (std::int64_t& stride : strides) stride *= 2;
    if (layout == 2 && shape.rank() > 1) {
      std::int64_t step = width;
      for (int axis = 0; axis <= last; ++axis) {
        strides[axis] = step;
        step *= shape[axis];
      }
    }
    std::byte* first = memory_.data();
    if (layout == 3 && shape.rank() > 0 && shape[0] > 0) {
      first += strides[0] * (shape[0] - 1);
      strides[0] = -strides[0];
    }
    if (!is_packed(dtype)) view_ = TensorView(dtype, shape, strides, first);
    for (std::byte& byte : memory_) byte = static_cast<std::byte>(random());
  }

  void set(const Ids& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::int64_t rest = static_cast<std::int64_t>(i);
      std::int64_t offset = 0;
      for (int axis = view_.shape.rank(); axis-- > 0;) {
        offset += rest % view_.shape[axis] * view_.strides[axis];
        rest /= view_.shape[axis];
      }
      std::byte* const at = static_cast<std::byte*>(const_cast<void*>(view_.data)) + offset;
      const auto narrow = static_cast<std::int32_t>(values[i]);
      if (view_.dtype == DType::kInt64) std::memcpy(at, &values[i], sizeof(std::int64_t));
      if (view_.dtype == DType::kInt32) std::memcpy(at, &narrow, sizeof narrow);
    }
  }
  const TensorView& view() const { return view_; }

 private:
  std::vector<std::byte> memory_;
  TensorView view_;
};

// What a test of drawn calls draws from.
class DrawnNumbers {
 protected:
  explicit DrawnNumbers(unsigned seed) : random_(seed) {}

  std::int64_t number(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<unsigned>(high - low + 1));
  }
  Ids draw(std::int64_t count, std::int64_t low, std::int64_t high) {
    Ids values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(number(low, high));
    return values;
  }
  int layout() { return static_cast<int>(random_() % 4); }

  std::minstd_rand random_;
};

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_BAGS_FIXTURE_H_
