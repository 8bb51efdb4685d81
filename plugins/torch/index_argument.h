#ifndef WINDROW_PLUGINS_TORCH_INDEX_ARGUMENT_H_
#define WINDROW_PLUGINS_TORCH_INDEX_ARGUMENT_H_

#include <cstdint>
#include <string_view>

#include "plugins/torch/indices.h"
#include "plugins/torch/view.h"

// What torch says about `dim` and index arguments. Everything wrong throws.
namespace windrow::torch_plugin {

// The index tensor, and how torch means it.
struct Index {
  View view;
  IndexMeaning meaning;

  // Throws unless its type is one of indices.
  Index(const Tensor& tensor, bool from_end, std::string_view name = "index");
  // Without elements, for an operator along `dim` of `data`.
  Index(const View& data, int64_t dim) noexcept;
};

// `dim` counted from the front.
int64_t wrap_dim(int64_t dim, const View& self);

// Throws if index has more than one axis.
void check_vector(const Index& index);

// The index of an operator that has one for every element. It has data's rank and is nowhere larger
// than data off `dim`; one without elements may have any shape and any type, as in torch.
Index element_index(const Tensor& tensor, const View& data, int64_t dim);

}  // namespace windrow::torch_plugin

#endif  // WINDROW_PLUGINS_TORCH_INDEX_ARGUMENT_H_
