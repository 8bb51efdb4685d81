#ifndef WINDROW_PLUGINS_TORCH_INDICES_H_
#define WINDROW_PLUGINS_TORCH_INDICES_H_

#include <cstdint>
#include <string_view>

#include "plugins/torch/view.h"
#include "windrow/c.h"

namespace windrow::torch_plugin {

// The meaning of an index tensor in torch.
struct IndexMeaning {
  std::string_view name = "index";  // the argument's name
  int64_t rank = 0;                 // its rank in torch
  bool from_end = false;            // whether negative indices count from the end
};

// Throws if the type is not int32 or int64, which are torch's index types.
void check_index_type(const View& index, std::string_view name);

// Throws if an index is negative, because Windrow would count it from the end. dim, extent: the
// axis that the indices address.
void refuse_negative(const View& index, const IndexMeaning& meaning, int64_t dim, int64_t extent,
                     const windrow_threads& threads);

}  // namespace windrow::torch_plugin

#endif  // WINDROW_PLUGINS_TORCH_INDICES_H_
