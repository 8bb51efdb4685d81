#ifndef WINDROW_PLUGINS_TORCH_OPERATORS_H_
#define WINDROW_PLUGINS_TORCH_OPERATORS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "plugins/torch/view.h"

// The operators on CPU tensors of any strides, with the meaning of torch's operators of these
// names. Results are row-major without gaps. Everything wrong throws std::runtime_error without the
// operator's name; a scatter in place has changed nothing then. Indices are int32 or int64;
// negative ones are refused, except by take, gather_nd and scatter_nd, where they count from the
// end.
namespace windrow::torch_plugin {

// index of rank 0 or 1.
Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index);
// index of any rank, its axes in place of `dim`; without dim: of the flattened tensor.
Tensor take(const Tensor& self, const Tensor& index, std::optional<int64_t> dim);
// Shape of index, which has self's rank and is nowhere larger than self off `dim`. An index without
// elements may have any shape and any type, here and in scatter and scatter_reduce.
Tensor gather(const Tensor& self, int64_t dim, const Tensor& index);
// indices of any rank. What only concerns gradients is not looked at.
Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t padding_idx,
                 bool scale_grad_by_freq);
// The last axis of index holds tuples of coordinates (int64) of the first axes of self.
Tensor gather_nd(const Tensor& self, const Tensor& index);

// index of rank 0 or 1. source has self's shape, with the number of indices along `dim`.
Tensor index_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source);
void index_add_in_place(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source);
// src has the shape of index, which is nowhere larger than self off `dim`. Of several elements for
// one place the last in row-major order stays.
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src);
void scatter_in_place(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src);
// The same shapes. reduce: "sum", "prod", "mean", "amax", "amin" (not of complex numbers); folded
// in row-major order.
Tensor scatter_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                      const std::string& reduce, bool include_self);
void scatter_reduce_in_place(const Tensor& self, int64_t dim, const Tensor& index,
                             const Tensor& src, const std::string& reduce, bool include_self);
// index as in gather_nd; src has the shape of what that reads. reduce: "none", "sum", "prod",
// "amax", "amin".
Tensor scatter_nd(const Tensor& self, const Tensor& index, const Tensor& src,
                  const std::string& reduce);
void scatter_nd_in_place(const Tensor& self, const Tensor& index, const Tensor& src,
                         const std::string& reduce);

}  // namespace windrow::torch_plugin

#endif  // WINDROW_PLUGINS_TORCH_OPERATORS_H_
