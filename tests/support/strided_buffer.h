#ifndef WINDROW_TESTS_SUPPORT_STRIDED_BUFFER_H_
#define WINDROW_TESTS_SUPPORT_STRIDED_BUFFER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "windrow/tensor.h"

namespace windrow::tests {

// How a tensor lies in memory. The default is dense and aligned.
struct Layout {
  struct Axis {
    int axis = 0;
    std::int64_t gap = 0;   // unused units after the axis's elements
    bool reversed = false;  // negative stride
    bool repeated = false;  // stride 0: every position reads the same memory
  };
  std::vector<Axis> axes;      // innermost first, each axis of the tensor once
  std::int64_t gap_bytes = 1;  // a unit of `gap`; strings and 4-bit types take whole elements
  std::int64_t base = 0;       // bytes by which the memory is off its alignment
};

Layout dense_layout(int rank);

// Memory with a layout, surrounded by and interleaved with guard bytes.
class StridedBuffer {
 public:
  // Packed types are dense whatever the layout says; strings stay aligned.
  StridedBuffer(DType type, const Shape& shape, const Layout& layout);
  // A copy of `source` in that layout, which must not repeat an axis.
  StridedBuffer(const TensorView& source, const Layout& layout);
  StridedBuffer(const StridedBuffer& other);
  StridedBuffer& operator=(const StridedBuffer&) = delete;

  TensorView view() const noexcept { return view_; }
  MutableTensorView mutable_view() noexcept { return view_; }
  // Whether nothing but the tensor's own elements was written.
  bool guards_intact() const;

 private:
  void allocate(std::int64_t bytes, std::int64_t base);
  void mark_elements();
  // The start of the memory that owned_ describes.
  const unsigned char* memory() const noexcept;

  MutableTensorView view_;
  std::vector<unsigned char> bytes_;
  std::vector<std::string> strings_;
  std::vector<bool> owned_;  // by byte, or by string: belongs to an element
};

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_SUPPORT_STRIDED_BUFFER_H_
