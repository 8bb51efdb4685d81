#ifndef WINDROW_PLUGINS_TORCH_INDICES_H_
#define WINDROW_PLUGINS_TORCH_INDICES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "plugins/torch/view.h"
#include "windrow/c.h"

namespace windrow::torch_plugin {

// How indices are read: the options that every operator of torch.ops.windrow has.
struct Reading {
  int32_t out_of_range;  // WINDROW_OUT_OF_RANGE_...
  int32_t negative;      // WINDROW_NEGATIVE_...
  std::optional<int64_t> padding_index;

  // By the names of the options' values, which throw where there are none.
  Reading(const std::string& out_of_range_name, const std::string& negative_name,
          std::optional<int64_t> padding);
};

// The meaning of an index tensor in torch.
struct IndexMeaning {
  std::string_view name = "index";  // the argument's name
  int64_t rank = 0;                 // its rank in torch
  Reading reading;
  int64_t copies = 1;  // how often each index stands in the tensor that Windrow sees
};

// Throws if the type is not int32 or int64, which are torch's index types.
void check_index_type(const View& index, std::string_view name);

// torch's rules for `dim` and index arguments. Violations throw.

// The index tensor, and its meaning in torch.
struct Index {
  View view;
  IndexMeaning meaning;

  // Throws if the type is not one of torch's index types.
  Index(const Tensor& tensor, const Reading& reading, std::string_view name = "index");
  // An index without elements, for an operator along `dim` of `data`.
  Index(const View& data, int64_t dim, const Reading& reading) noexcept;
};

// `dim` counted from the front.
int64_t wrap_dim(int64_t dim, const View& self);

// Throws if index has more than one axis.
void check_vector(const Index& index);

// The index of an operator that has an index for every element. It has data's rank and, off `dim`,
// is nowhere larger than data. An index without elements may have any shape and any type, as in
// torch.
Index element_index(const Tensor& tensor, const View& data, int64_t dim, const Reading& reading);

}  // namespace windrow::torch_plugin

#endif  // WINDROW_PLUGINS_TORCH_INDICES_H_
