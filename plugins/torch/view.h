#ifndef WINDROW_PLUGINS_TORCH_VIEW_H_
#define WINDROW_PLUGINS_TORCH_VIEW_H_

#include <torch/csrc/stable/tensor.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "windrow/c.h"

// Errors reach torch as std::runtime_error, the only kind that its stable interface has; Python
// sees RuntimeError. registration.cc puts the operator's name in front.
namespace windrow::torch_plugin {

[[noreturn]] void fail(const std::string& text);

// A shape as text: "(2, 3)".
std::string shape_text(std::span<const int64_t> shape);

// An index that is out of range, in torch's terms.
struct BadIndex {
  std::string_view input;  // the argument's name
  std::span<const int64_t> position;
  int64_t value;
  int64_t dim;
  int64_t first;  // the smallest legal index: 0, or -extent
  int64_t extent;
  int64_t count;  // number of indices that are out of range
  std::string_view rule;
};
[[noreturn]] void fail(const BadIndex& bad);

// Throws the text of *error and frees it. index_name: torch's name of the index tensor; index_rank:
// its rank in torch; copies: how often each index stands in the tensor that Windrow sees;
// first_is_negative: whether indices may count from the end. Offsets, which torch names as Windrow
// does, keep Windrow's text.
[[noreturn]] void fail(windrow_error* error, std::string_view index_name, int64_t index_rank,
                       int64_t copies, bool first_is_negative);

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
