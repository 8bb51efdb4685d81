#ifndef WINDROW_PORTABILITY_CELLS_H_
#define WINDROW_PORTABILITY_CELLS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "src/portability/node_view.h"

namespace windrow::internal {

// The cells that the elements of index tensors address, where each element is known.

// The elements of indices and how they are known; null if not all are known. Elements that the
// analysis of ranges knows become a tensor of int64.
struct ExactElements {
  std::shared_ptr<const Tensor> tensor;
  Evidence evidence = Evidence::kConstant;
};
ExactElements exact_elements(const InputView& input);

// Whether two updates of a scatter have the same cell.
struct Repeat {
  std::optional<bool> found;  // absent: undecided
  // The position in indices of the second update of the first such cell.
  std::vector<std::int64_t> position = {};
};
// Ignores indices that are out of range. Uses at most 128 MiB; a case that would need more stays
// undecided.
Repeat find_repeat(const NodeView& node, const Tensor& indices);

// The first update for which `visit(position in updates, position in data)` returns true, both in
// row-major order; nothing if there is none, if an index is out of range, or if the shapes do not
// fit. For ScatterElements and ScatterND.
std::optional<std::int64_t> find_update(
    const NodeView& node, const Tensor& indices, const Shape& data,
    const std::function<bool(std::int64_t, std::int64_t)>& visit);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_CELLS_H_
