#ifndef WINDROW_PLUGINS_TORCH_OPERATORS_H_
#define WINDROW_PLUGINS_TORCH_OPERATORS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "plugins/torch/view.h"

// The operators on CPU tensors of any strides, with the meaning of torch's operators of these
// names. Results are row-major without gaps. All errors throw std::runtime_error without the
// operator's name; an in-place scatter has then changed nothing. Indices are int32 or int64.
// Negative ones are refused, except by take, gather_nd and scatter_nd, where they count from the
// end.
namespace windrow::torch_plugin {

// out_of_range, negative and padding_index are those of docs/options.md, by name.

// index has rank 0 or 1.
Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index,
                    const std::string& out_of_range, const std::string& negative,
                    std::optional<int64_t> padding_index);
// index may have any rank; its axes replace `dim`. Without dim, self is flattened.
Tensor take(const Tensor& self, const Tensor& index, std::optional<int64_t> dim,
            const std::string& out_of_range, const std::string& negative,
            std::optional<int64_t> padding_index);
// The result has the shape of index, which has self's rank and, off `dim`, is nowhere larger than
// self. An index without elements may have any shape and any type, here and in scatter and
// scatter_reduce.
Tensor gather(const Tensor& self, int64_t dim, const Tensor& index, const std::string& out_of_range,
              const std::string& negative, std::optional<int64_t> padding_index);
// indices may have any rank. Arguments that only concern gradients are ignored.
Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t padding_idx,
                 bool scale_grad_by_freq, const std::string& out_of_range,
                 const std::string& negative, std::optional<int64_t> padding_index);
// The rows of weight, of rank 1 or more, folded by bags: indices of rank 2 have a bag per row,
// those of rank 1 have offsets, which begin with 0 and do not fall; with include_last_offset the
// last one is the end of the last bag. mode: "sum", "mean" or "max"; a bag without rows holds
// zeros. per_sample_weights have the shape of indices and are for sums only. accumulate: "float32"
// (floats of at most 32 bits are summed in it and rounded once) or "" (every step is rounded).
// Arguments that only concern gradients are ignored.
Tensor embedding_bag(const Tensor& weight, const Tensor& indices,
                     const std::optional<Tensor>& offsets, const std::string& mode,
                     const std::optional<Tensor>& per_sample_weights, bool include_last_offset,
                     bool scale_grad_by_freq, const std::string& accumulate,
                     const std::string& out_of_range, const std::string& negative,
                     std::optional<int64_t> padding_index);
// The last axis of index holds tuples of coordinates (int64) of the first axes of self.
Tensor gather_nd(const Tensor& self, const Tensor& index, const std::string& out_of_range,
                 const std::string& negative, std::optional<int64_t> padding_index);

// index has rank 0 or 1. source has self's shape, with the number of indices along `dim`.
Tensor index_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                 const std::string& out_of_range, const std::string& negative,
                 std::optional<int64_t> padding_index);
void index_add_in_place(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                        const std::string& out_of_range, const std::string& negative,
                        std::optional<int64_t> padding_index);
// src has the shape of index, which off `dim` is nowhere larger than self. Of several elements for
// one place, the last in row-major order remains.
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
               const std::string& out_of_range, const std::string& negative,
               std::optional<int64_t> padding_index);
void scatter_in_place(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                      const std::string& out_of_range, const std::string& negative,
                      std::optional<int64_t> padding_index);
// Shapes as in scatter. reduce: "sum", "prod", "mean", "amax", "amin" (the last two not for complex
// numbers); folded in row-major order.
Tensor scatter_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                      const std::string& reduce, bool include_self, const std::string& out_of_range,
                      const std::string& negative, std::optional<int64_t> padding_index);
void scatter_reduce_in_place(const Tensor& self, int64_t dim, const Tensor& index,
                             const Tensor& src, const std::string& reduce, bool include_self,
                             const std::string& out_of_range, const std::string& negative,
                             std::optional<int64_t> padding_index);
// index as in gather_nd; src has the shape of the result of gather_nd. reduce: "none", "sum",
// "prod", "amax", "amin".
Tensor scatter_nd(const Tensor& self, const Tensor& index, const Tensor& src,
                  const std::string& reduce, const std::string& out_of_range,
                  const std::string& negative, std::optional<int64_t> padding_index);
void scatter_nd_in_place(const Tensor& self, const Tensor& index, const Tensor& src,
                         const std::string& reduce, const std::string& out_of_range,
                         const std::string& negative, std::optional<int64_t> padding_index);

}  // namespace windrow::torch_plugin

#endif  // WINDROW_PLUGINS_TORCH_OPERATORS_H_
