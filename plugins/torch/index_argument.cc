#include "plugins/torch/index_argument.h"

#include <string>

#include "plugins/torch/errors.h"

namespace windrow::torch_plugin {
namespace {

// Off `dim` an index tensor may be smaller than self; the elements beyond it are not read.
void check_fits(const View& self, const Index& index, int64_t dim) {
  bool fits = self.rank == index.view.rank;
  for (int32_t axis = 0; fits && axis < self.rank; ++axis) {
    fits = axis == dim || index.view.shape[axis] <= self.shape[axis];
  }
  if (fits) return;
  fail("index has the shape " + shape_text(index.view.extents()) + " and self " +
       shape_text(self.extents()) + "; they must have as many axes, and off dim = " +
       std::to_string(dim) + " index must not be larger");
}

}  // namespace

Index::Index(const Tensor& tensor, bool from_end, std::string_view name)
    : view(tensor), meaning{name, tensor.dim(), from_end} {
  check_index_type(view, name);
}

Index::Index(const View& data, int64_t dim) noexcept : view(data) {
  view.dtype = WINDROW_INT64;
  view.data = nullptr;
  view.shape[dim] = 0;
  meaning.rank = data.rank;
}

int64_t wrap_dim(int64_t dim, const View& self) {
  if (dim < -self.rank || dim >= self.rank) {
    fail("dim = " + std::to_string(dim) + " is out of range: it must be from " +
         std::to_string(-self.rank) + " to " + std::to_string(self.rank - 1));
  }
  return dim < 0 ? dim + self.rank : dim;
}

void check_vector(const Index& index) {
  if (index.meaning.rank <= 1) return;
  fail("index has the shape " + shape_text(index.view.extents()) +
       "; it must have at most one axis");
}

Index element_index(const Tensor& tensor, const View& data, int64_t dim) {
  if (tensor.numel() == 0) return {data, dim};
  Index index(tensor, false);
  check_fits(data, index, dim);
  return index;
}

}  // namespace windrow::torch_plugin
