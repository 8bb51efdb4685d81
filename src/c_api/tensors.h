#ifndef WINDROW_SRC_C_API_TENSORS_H_
#define WINDROW_SRC_C_API_TENSORS_H_

#include <cstddef>
#include <vector>

#include "windrow/c.h"
#include "windrow/tensor.h"

// Converts C tensors to C++ tensors. Errors: kType (a number that is not a type), kShape (rank,
// extents), kInvalidArgument (null pointers, strides of a 4-bit tensor).
namespace windrow::internal {

// A view of the caller's memory. The strides of strings are those of windrow_string elements.
// `needs_data` refuses null data where there are elements.
Result<MutableTensorView> read_tensor(const windrow_tensor& tensor, bool needs_data);

Result<std::vector<TensorSpec>> read_specs(const windrow_tensor* inputs, std::size_t count);

// Inputs of a run; string tensors are dense copies with std::string elements.
struct Inputs {
  std::vector<TensorView> views;
  std::vector<Tensor> strings;
};
Result<Inputs> read_inputs(const windrow_tensor* inputs, std::size_t count);

// A tensor of std::string elements with the text of windrow_string elements.
Result<Tensor> copy_strings(const TensorView& from);

// Makes the windrow_string elements of `to` refer to the text in `from`, a string tensor of its
// shape.
void refer_to_strings(const Tensor& from, const MutableTensorView& to) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_SRC_C_API_TENSORS_H_
