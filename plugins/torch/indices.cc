#include "plugins/torch/indices.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "plugins/torch/view.h"

namespace windrow::torch_plugin {
namespace {

struct Named {
  std::string_view name;
  int32_t value;
};
constexpr Named kPolicies[] = {{"error", WINDROW_OUT_OF_RANGE_ERROR},
                               {"zero", WINDROW_OUT_OF_RANGE_ZERO},
                               {"skip", WINDROW_OUT_OF_RANGE_SKIP},
                               {"clamp", WINDROW_OUT_OF_RANGE_CLAMP},
                               {"modulo", WINDROW_OUT_OF_RANGE_MODULO}};
constexpr Named kNegatives[] = {{"from_end", WINDROW_NEGATIVE_FROM_END},
                                {"out_of_range", WINDROW_NEGATIVE_OUT_OF_RANGE},
                                {"error", WINDROW_NEGATIVE_ERROR}};

int32_t value_of(const char* option, std::span<const Named> rows, const std::string& name) {
  const auto found = std::ranges::find(rows, std::string_view(name), &Named::name);
  if (found != rows.end()) return found->value;
  std::string names;
  for (const Named& row : rows)
    names += (names.empty() ? "'" : ", '") + std::string(row.name) + "'";
  fail(std::string(option) + " = '" + name + "' is none of " + names);
}

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

Reading::Reading(const std::string& out_of_range_name, const std::string& negative_name,
                 std::optional<int64_t> padding)
    : out_of_range(value_of("out_of_range", kPolicies, out_of_range_name)),
      negative(value_of("negative", kNegatives, negative_name)),
      padding_index(padding) {}

Index::Index(const Tensor& tensor, const Reading& reading, std::string_view name)
    : view(tensor), meaning{name, tensor.dim(), reading} {
  check_index_type(view, name);
}

Index::Index(const View& data, int64_t dim, const Reading& reading) noexcept
    : view(data), meaning{"index", data.rank, reading} {
  view.dtype = WINDROW_INT64;
  view.data = nullptr;
  view.shape[dim] = 0;
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

Index element_index(const Tensor& tensor, const View& data, int64_t dim, const Reading& reading) {
  if (tensor.numel() == 0) return {data, dim, reading};
  Index index(tensor, reading);
  check_fits(data, index, dim);
  return index;
}

void check_index_type(const View& index, std::string_view name) {
  if (index.dtype == WINDROW_INT64 || index.dtype == WINDROW_INT32) return;
  fail(std::string(name) + " has the element type " + windrow_dtype_name(index.dtype) +
       "; it must be int64 or int32");
}

}  // namespace windrow::torch_plugin
