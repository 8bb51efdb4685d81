#ifndef WINDROW_ARRAY_ATTRIBUTES_H_
#define WINDROW_ARRAY_ATTRIBUTES_H_

#include <cstdint>
#include <string>

// The attributes of the operators that have NumPy's and the Array API's meaning. There is one
// version of each. Rules: docs/operators/array.md.
namespace windrow::array {

// data [d0..], indices of any rank. axis in [-r, r-1].
struct Take {
  std::int64_t axis = 0;
  int version = 1;
};

// data and indices of equal rank, which broadcast off the axis. axis in [-r, r-1].
struct TakeAlongAxis {
  std::int64_t axis = -1;
  int version = 1;
};

// As TakeAlongAxis, with values that broadcast to the shape of what is addressed.
struct PutAlongAxis {
  std::int64_t axis = -1;
  int version = 1;
};

// data, indices of rank 1, updates. axis in [-r, r-1].
struct IndexAdd {
  std::int64_t axis = 0;
  int version = 1;
};

// As IndexAdd. reduction "sum", "prod", "min", "max" or "mean"; use_init_val: whether a reduction
// starts with data's cell.
struct IndexReduce {
  std::int64_t axis = 0;
  std::string reduction = "sum";
  bool use_init_val = true;
  int version = 1;
};

// data [n, ..] with segment_ids [n], ascending, or with offsets [num_segments], the row with which
// each segment begins, or [num_segments + 1], the end of the last one behind them. num_segments,
// which must be given by name, is at least 0; reduction as in IndexReduce.
struct SegmentReduce {
  std::int64_t num_segments = 0;
  std::string reduction = "sum";
  int version = 1;
};

// table [rows, ..], ids and, where ids have rank 1, offsets; weights of the shape of ids. reduction
// "sum", "mean" or "max"; include_last_offset: the last offset is the end of the last bag;
// accumulate "" (sums are rounded to the table's type at every step) or "float32" (once, at the
// end; for floats of at most 32 bits).
struct EmbeddingBag {
  std::string reduction = "sum";
  bool include_last_offset = false;
  std::string accumulate = {};
  int version = 1;
};

// data, indices of any rank, scales, optional zero_points. `bits` of a value: 2, 4 or 8 in data of
// type uint8, else that of the type; 0: that of the type. block_size successive values along
// quantize_axis share a scale; 0: all of them. dtype: the type of the result, "float32", "float16"
// or "bfloat16"; "": that of scales.
struct TakeQuantized {
  std::int64_t axis = 0;
  std::int64_t quantize_axis = -1;
  std::int64_t block_size = 0;
  std::int64_t bits = 0;
  std::string dtype;
  int version = 1;
};

}  // namespace windrow::array

#endif  // WINDROW_ARRAY_ATTRIBUTES_H_
