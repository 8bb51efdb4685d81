#ifndef WINDROW_REFERENCE_LOOPS_H_
#define WINDROW_REFERENCE_LOOPS_H_

#include <functional>
#include <optional>
#include <string_view>

#include "src/reference/call.h"
#include "src/reference/element.h"
#include "src/reference/positions.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// The two loops that every operator is made of. All shapes and indices have been checked.
namespace windrow::internal::reference {

// A position in data for a position of the result (gather) or of the updates (scatter); nothing if
// the index is outside.
using Address = std::function<std::optional<Position>(const Position&)>;

// result[i] = data[address(i)], or zero.
Result<Tensor> gather(const Call& call, const TensorView& data, const Shape& result_shape,
                      const Address& address);

// A tensor of that shape with `element` everywhere.
Result<Tensor> filled(const Call& call, const Element& element, const Shape& shape);

// How updates become a cell.
struct Fold {
  Reduction reduction = Reduction::kNone;
  bool use_init_val = true;     // whether a reduction starts with data's cell
  bool counts_init_val = true;  // whether that cell is a summand of a mean
};

// result = data; for every i in row-major order: result[address(i)] = combine(that cell,
// updates[i]). Checks rule D1.
Result<Tensor> scatter(const Call& call, const TensorView& data, const TensorView& updates,
                       std::string_view updates_name, const Fold& fold, const Address& address);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_LOOPS_H_
