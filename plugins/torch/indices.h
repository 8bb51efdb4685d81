#ifndef WINDROW_PLUGINS_TORCH_INDICES_H_
#define WINDROW_PLUGINS_TORCH_INDICES_H_

#include <cstdint>
#include <string_view>

#include "plugins/torch/view.h"
#include "windrow/c.h"

namespace windrow::torch_plugin {

// How torch means an index tensor.
struct IndexMeaning {
  std::string_view name = "index";  // the argument's name
  int64_t rank = 0;                 // as torch sees it
  bool from_end = false;            // whether negative indices count from the end
};

// Throws unless the type is int32 or int64, the types of indices that torch has.
void check_index_type(const View& index, std::string_view name);

// Throws if an index is negative: Windrow would count it from the end. dim, extent: what the
// indices address.
void refuse_negative(const View& index, const IndexMeaning& meaning, int64_t dim, int64_t extent,
                     const windrow_threads& threads);

}  // namespace windrow::torch_plugin

#endif  // WINDROW_PLUGINS_TORCH_INDICES_H_
