#ifndef WINDROW_PORTABILITY_CELLS_H_
#define WINDROW_PORTABILITY_CELLS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "src/portability/node_view.h"

namespace windrow::internal {

// What the elements of index tensors address, if they are known one by one.

// The indices' elements, and where they are from; null: they are not all known. Those that the
// analysis of ranges knows one by one are a tensor of int64.
struct ExactElements {
  std::shared_ptr<const Tensor> tensor;
  Evidence evidence = Evidence::kConstant;
};
ExactElements exact_elements(const InputView& input);

// Whether two updates of a scatter are of the same cell.
struct Repeat {
  std::optional<bool> found;  // absent: not decided
  std::vector<std::int64_t> position =
      {};  // in indices, of the second update of the first such cell
};
// Indices out of range are left out. Takes at most 128 MiB; what would need more is not decided.
Repeat find_repeat(const NodeView& node, const Tensor& indices);

// The first update for which `visit(position in updates, position in data)` returns true, both in
// row-major order; nothing if there is none, if an index is out of range, or if the shapes do not
// fit. For ScatterElements and ScatterND.
std::optional<std::int64_t> find_update(
    const NodeView& node, const Tensor& indices, const Shape& data,
    const std::function<bool(std::int64_t, std::int64_t)>& visit);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_CELLS_H_
