#ifndef WINDROW_REFERENCE_LOOPS_H_
#define WINDROW_REFERENCE_LOOPS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "src/reference/call.h"
#include "src/reference/element.h"
#include "windrow/shape.h"
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

// Leading axes that data and indices are walked along together; an extent of 1 on one side stands
// for all positions of the other.

// How a call names the number of its batch axes.
struct BatchCount {
  std::string_view rule;  // that a bad one breaks: "A1"
  std::string_view name = "batch_dims";
};

// The number of batch axes, which is in [0, most].
Result<int> check_batch_count(const Call& call, const BatchCount& names, std::int64_t count,
                              int most);

enum class Batches : std::uint8_t { kEqual, kRepeated };

// C2: each pair of the first `batch` extents is equal or, where they are repeated, has a 1.
Status check_batches(const Call& call, Batches batches, int batch);

// The batch extents of the result.
Shape batch_shape(const Shape& data, const Shape& indices, int batch);

// The batch position to read in a tensor of `shape` for the position `p` of the result.
Position batch_position(const Shape& shape, const Position& p, int batch);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_LOOPS_H_
