#ifndef WINDROW_PLUGINS_TORCH_INDEX_ARGUMENT_H_
#define WINDROW_PLUGINS_TORCH_INDEX_ARGUMENT_H_

#include <cstdint>
#include <string_view>

#include "plugins/torch/indices.h"
#include "plugins/torch/view.h"

// torch's rules for `dim` and index arguments. Violations throw.
namespace windrow::torch_plugin {

// The index tensor, and its meaning in torch.
struct Index {
  View view;
  IndexMeaning meaning;

  // Throws if the type is not one of torch's index types.
  Index(const Tensor& tensor, bool from_end, std::string_view name = "index");
  // An index without elements, for an operator along `dim` of `data`.
  Index(const View& data, int64_t dim) noexcept;
};

// `dim` counted from the front.
int64_t wrap_dim(int64_t dim, const View& self);

// Throws if index has more than one axis.
void check_vector(const Index& index);

// The index of an operator that has an index for every element. It has data's rank and, off `dim`,
// is nowhere larger than data. An index without elements may have any shape and any type, as in
// torch.
Index element_index(const Tensor& tensor, const View& data, int64_t dim);

}  // namespace windrow::torch_plugin

#endif  // WINDROW_PLUGINS_TORCH_INDEX_ARGUMENT_H_
