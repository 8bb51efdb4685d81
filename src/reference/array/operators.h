#ifndef WINDROW_REFERENCE_ARRAY_OPERATORS_H_
#define WINDROW_REFERENCE_ARRAY_OPERATORS_H_

#include <cstdint>
#include <string_view>

#include "src/reference/call.h"
#include "src/reference/element.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// One index for every element along an axis, data and indices being repeated off it where they have
// extent 1.
namespace windrow::internal::reference {

// C1, A1 and C2. Returns the axis, counted from the front.
Result<int> check_along_axis(const Call& call, std::int64_t axis);

// The shape of what is addressed.
Shape addressed_shape(const Call& call, int axis);

// The position in data for one in that shape.
Address broadcast_address(const Call& call, const IndexRule& rule);

// IndexAdd and IndexReduce from C1 on.
Result<Tensor> fold_rows(const Call& call, std::int64_t axis, const Fold& fold);

// How the operators with an axis read their indices: a negative one counts from the end, but clamp
// takes it as below the first element. A bad one breaks `rule`.
inline IndexUse array_indices(const Call& call, std::string_view rule) {
  const bool clamps = call.policy() == OutOfRange::kClamp;
  return {rule, clamps ? Negatives::kOutside : Negatives::kCountFromEnd};
}

// The reduction of that name, if the table "Reductions" of docs/operators/array.md gives it a
// meaning for the type of data, a type of R19: rule A3.
Result<Reduction> parse_array_reduction(const Call& call, std::string_view name);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_ARRAY_OPERATORS_H_
