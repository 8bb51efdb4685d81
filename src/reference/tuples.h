#ifndef WINDROW_REFERENCE_TUPLES_H_
#define WINDROW_REFERENCE_TUPLES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "src/reference/call.h"
#include "src/reference/element.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "windrow/shape.h"
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

// C3: the number of elements that an input holds, of rank at most `highest_rank`.
Result<std::int64_t> read_count(const Call& call, std::string_view name, const TensorView& count,
                                int highest_rank);

// What the inputs of a OneHot are, whatever their order in the dialect.
struct OneHotInputs {
  TensorView indices;
  TensorView values;  // [off, on]
  TensorView depth;
};

// The result of a OneHot: indices with one more axis, counted from the front.
struct OneHotForm {
  Shape shape;
  int axis = 0;
};

// C1, A1, C2 and C3. `depth_rank` is the highest rank of depth.
Result<OneHotForm> check_one_hot(const Call& call, std::int64_t axis, const OneHotInputs& inputs,
                                 int depth_rank);

// Checks the size of the result and the indices; all else has been checked.
Result<Tensor> one_hot(const Call& call, const IndexUse& use, const OneHotInputs& inputs,
                       const OneHotForm& form);

// Updates written into a cache along one axis: TensorScatter and KVCacheUpdate.

enum class CacheMode : std::uint8_t { kLinear, kCircular };

// The cache and the update are the first two inputs of `call`, both of one rank.

// They have the same extents except on `axis`. Errors call the cache `name`.
Status check_off_axis(const Call& call, std::string_view rule, std::string_view name, int axis);

// There is one write index for each batch entry (axis 0).
Status check_write_indices(const Call& call, std::string_view rule, const Shape& write_indices);

// Each batch entry is written from its own write index on; absent write indices are zeros. The
// write indices are checked here, by the rule and under the names in `names`.
Result<Tensor> write_cache(const Call& call, const IndexNames& names, CacheMode mode, int axis,
                           const TensorView& write_indices);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_TUPLES_H_
