#ifndef WINDROW_REFERENCE_TUPLES_H_
#define WINDROW_REFERENCE_TUPLES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "src/reference/batches.h"
#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/positions.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Tuples of coordinates along the last axis of indices: GatherND and ScatterND.
namespace windrow::internal::reference {

// What the gathers by tuples disagree about.
struct TupleGather {
  BatchCount batch_count;
  Batches batches = Batches::kEqual;
  int shortest = 1;  // tuple
};

// C1, the number of batch axes, C2, C3, C4. Returns the result's shape, whose batch axes are not
// joined.
Result<Shape> check_tuple_gather(const Call& call, const TupleGather& gather, std::int64_t batch);

// C1, C2 (no more coordinates than data has axes, and at least `shortest`) of the scatters.
Status check_tuple_scatter(const Call& call, int shortest = 0);

// C3 of the scatters, without exception; nothing where the rank would exceed kMaxRank.
std::optional<Shape> tuple_updates_shape(const Call& call);
Status wrong_tuple_updates(const Call& call);

// Index tuples that address the axes of data from axis `first` on.
class Tuples {
 public:
  Tuples(const Call& call, const IndexUse& use, int first);

  // The last C rule, or S1.
  Status check(const Call& call) const;

  // The coordinates of the tuple at a position in indices[:-1]; nothing if one is outside.
  std::optional<Position> coordinates(const Position& tuple) const;

 private:
  std::vector<IndexRule> rules_;  // by coordinate
  std::string_view rule_;
  TensorView indices_;
};

// `result_shape` is that of check_tuple_gather(), or that shape with batch axes joined. These two
// check the size of the result and the indices; all else has been checked.
Result<Tensor> gather_tuples(const Call& call, const IndexUse& use, int batch,
                             const Shape& result_shape);
Result<Tensor> scatter_tuples(const Call& call, const IndexUse& use, const TensorView& updates,
                              const Fold& fold);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_TUPLES_H_
