#ifndef WINDROW_REFERENCE_BATCHES_H_
#define WINDROW_REFERENCE_BATCHES_H_

#include <cstdint>
#include <string_view>

#include "src/reference/call.h"
#include "src/reference/positions.h"
#include "windrow/shape.h"
#include "windrow/status.h"

// Leading axes that data and indices are walked along together; an extent of 1 on one side stands
// for all positions of the other.
namespace windrow::internal::reference {

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

#endif  // WINDROW_REFERENCE_BATCHES_H_
