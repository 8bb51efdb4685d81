#ifndef WINDROW_PLUGINS_TORCH_VIEW_H_
#define WINDROW_PLUGINS_TORCH_VIEW_H_

#include <torch/csrc/stable/tensor.h>

#include <cstdint>
#include <span>

#include "windrow/c.h"

namespace windrow::torch_plugin {

using torch::stable::Tensor;

// More than the axes of any torch tensor, plus one for the parts of complex numbers.
inline constexpr int kMostAxes = 65;

// A torch tensor as Windrow sees it. Does not own the memory. Its axes may be changed.
struct View {
  windrow_dtype dtype;
  int32_t rank;
  void* data;
  int64_t shape[kMostAxes];
  int64_t strides[kMostAxes];  // in bytes

  // A tensor of rank 0 becomes one of shape [1]. Throws if Windrow does not have the element type.
  explicit View(const Tensor& tensor);

  // Valid as long as the view.
  windrow_tensor c() const noexcept;
  std::span<const int64_t> extents() const noexcept {
    return {shape, static_cast<std::size_t>(rank)};
  }
  bool empty() const noexcept;

  void append_axis(int64_t extent, int64_t byte_stride) noexcept;
  // Turns complex numbers into pairs of real ones, along a new last axis.
  void split_complex() noexcept;
};

// An uninitialised tensor, row-major without gaps, of the type and device of `like`.
Tensor make_output(const Tensor& like, std::span<const int64_t> shape);

// The tensor's shape in torch; [] for rank 0.
inline std::span<const int64_t> shape_of(const Tensor& tensor) {
  const auto sizes = tensor.sizes();
  return {sizes.data(), sizes.size()};
}

}  // namespace windrow::torch_plugin

#endif  // WINDROW_PLUGINS_TORCH_VIEW_H_
