#ifndef WINDROW_REFERENCE_TUPLES_H_
#define WINDROW_REFERENCE_TUPLES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/positions.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Tuples of coordinates along the last axis of indices: GatherND and ScatterND.
namespace windrow::internal::reference {

// C1 of all of them.
Status check_tuple_ranks(const Call& call, const Shape& data, const Shape& indices);

// C4 of the gathers.
Status check_result_rank(const Call& call, int rank);

// C2 of the scatters: no more coordinates than data has axes, and at least `least`.
Status check_tuple_length(const Call& call, const Shape& data, const Shape& indices,
                          std::int64_t least = 0);

// C3 of the scatters, without exception; nothing where the rank would exceed kMaxRank.
std::optional<Shape> tuple_updates_shape(const Shape& data, const Shape& indices);
Status wrong_tuple_updates(const Call& call, const Shape& data, const Shape& indices,
                           const Shape& updates);

// Index tuples that address the axes of `data` from axis `first` on.
class Tuples {
 public:
  Tuples(const Call& call, const IndexUse& use, const Shape& data, int first,
         const TensorView& indices);

  // The last C rule, or S1.
  Status check(const Call& call) const;

  // The coordinates of the tuple at a position in indices[:-1]; nothing if one is outside.
  std::optional<Position> coordinates(const Position& tuple) const;

 private:
  std::vector<IndexRule> rules_;  // by coordinate
  std::string_view rule_;
  TensorView indices_;
};

// The result's shape of a gather whose first `batch` axes are walked together, repeated where one
// side has extent 1.
Shape tuple_result_shape(const Shape& data, const Shape& indices, int batch);

// `result_shape` is that shape, or that shape with batch axes joined. These two check the size of
// the result and the indices; all else has been checked.
Result<Tensor> gather_tuples(const Call& call, const IndexUse& use, const TensorView& data,
                             const TensorView& indices, int batch, const Shape& result_shape);
Result<Tensor> scatter_tuples(const Call& call, const IndexUse& use, const TensorView& data,
                              const TensorView& indices, const TensorView& updates,
                              const Fold& fold);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_TUPLES_H_
