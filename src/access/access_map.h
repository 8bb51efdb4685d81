#ifndef WINDROW_ACCESS_ACCESS_MAP_H_
#define WINDROW_ACCESS_ACCESS_MAP_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "windrow/dtype.h"
#include "windrow/options.h"
#include "windrow/shape.h"
#include "windrow/status.h"

namespace windrow::internal {

// How an index becomes a coordinate.
enum class Normalise : std::uint8_t {
  kAsIs,           // the index itself
  kNegativeWraps,  // a negative index counts from the end: index + extent
};

// `loop` times `coefficient`, a summand of a coordinate.
struct LoopTerm {
  int loop = 0;
  std::int64_t coefficient = 1;
};

// Where one axis of an index tensor stands for a loop point: at that loop's counter (loop >= 0), or
// at a fixed position.
struct IndexCoordinate {
  int loop = -1;
  std::int64_t fixed = 0;
};

// The indices [low, high], but none of [gap, -1]: negative ones by which a sequence that begins
// there would go beyond the end.
struct IndexRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t gap = 0;  // 0 or above: nothing is left out

  bool has_gap() const noexcept { return gap < 0; }
  bool contains(std::int64_t index) const noexcept {
    return low <= index && index <= high && (index < gap || index >= 0);
  }
};

// "-5 to 4", "-5 to -2 and 0 to 3"; empty if no index is in the range.
std::string to_string(const IndexRange& range);

// One element of an index tensor, as a summand of a coordinate.
struct IndexTerm {
  int input = 0;                             // the operator's input that is the index tensor
  std::vector<IndexCoordinate> coordinates;  // one per axis of the index tensor
  Normalise normalise = Normalise::kAsIs;
  // The legal indices; another one is an error whatever the axis's policy is. Absent: any is legal.
  std::optional<IndexRange> legal;
  // An index that equals it is padding: legal, and outside under every policy. Absent: none is.
  std::optional<std::int64_t> padding;
};

// One axis of the indirect tensor: coordinate = base + loops + index terms, then the policy.
struct AxisMap {
  std::int64_t extent = 0;
  std::int64_t base = 0;
  std::vector<LoopTerm> loops;
  std::vector<IndexTerm> terms;
  // What a coordinate outside [0, extent) means. kError: the legal ranges of the terms leave none
  // outside, except for padding.
  OutOfRange policy = OutOfRange::kError;
};

// The addresses of one call: for every loop point (an element of the direct tensor, in row-major
// order of `loops`) the position in the indirect tensor.
struct AccessMap {
  Shape loops;                // the direct tensor's shape
  std::vector<AxisMap> axes;  // one per axis of the indirect tensor
};

// How a scatter combines a cell with an update. kMean folds a sum; at the end each cell that was
// written is divided by the number of its updates, with which its own value is counted if the fold
// started with it.
enum class Combine : std::uint8_t { kAssign, kAdd, kSub, kMul, kMin, kMax, kMean };

// A pooled look-up: the points of a gather's map are not written but added up, bag by bag. A sample
// is an element of the index tensor, and its row of data is one of the map's. A bag holds
// successive samples in row-major order, which are folded from the left by the operation's combine:
// kAdd, kMean (the sum divided by the number of its samples) or kMax. A sum starts with zeros, and
// so does the maximum of no samples end. A sample that is outside is left out.
struct Bags {
  enum class Bounds : std::uint8_t {
    kRows,      // a row of the index tensor, of rank 2, is a bag
    kOffsets,   // an input holds the number of each bag's first sample
    kSegments,  // an input holds the number of each sample's bag; the numbers must not fall
  };
  Bounds bounds = Bounds::kRows;
  int bounds_input = -1;       // kOffsets, kSegments: of rank 1
  bool first_is_zero = false;  // kOffsets: the first offset must be 0
  bool has_end = false;        // kOffsets: one more offset is the end of the last bag
  int default_input = -1;      // a scalar, the number of the row that empty bags take; -1: zeros
  int weights_input = -1;      // of the shape of the index tensor; absent: all are 1
  // Rows of 16- and 8-bit floats are summed in float32, multiplied and divided there too, and
  // rounded once, at the end. The weights then have the type of data or are float32.
  bool in_float32 = false;
  std::string bounds_constraint;   // label of the rule that an offset or a segment id breaks
  std::string default_constraint;  // label of the rule that a bad default index breaks
};

// Beams that are walked back through their parents (GatherTree): step ids and parents [T, B, W],
// lengths [B], an end token; the result [T, B, W]. The map is that of one step: loops [T, B, W], of
// whose axes the last one is indexed by the parents.
struct Beams {
  int lengths_input = 2;
  int end_input = 3;
};

// A quantised look-up: the values that a gather takes are codes, and a code becomes a number,
// (code - zero point) * scale. The map is that of the values, each counted as one element of data,
// also where data packs several into a byte along its last axis.
struct Dequantise {
  int scales_input = 2;
  int zero_points_input = 3;     // packed as data is, along its own last axis
  bool has_zero_points = false;  // if false, each zero point is `zero`
  std::int64_t zero = 0;
  int bits = 8;            // of a code
  int gather_axis = 0;     // of data, counted from the front
  int quantise_axis = 0;   // the same
  std::int64_t block = 1;  // successive values along quantise_axis that share a scale; above 0
  DType dtype = DType::kAbsent;  // of the result
};

// What a cell that no update reaches holds where a reduction has no data: the fold of nothing, the
// lowest (max) or largest (min) finite value, or zero.
enum class UntouchedCell : std::uint8_t { kIdentity, kNeutral, kZero };

// What an operator's builder makes of attributes and input specs: everything the plan needs.
struct Operation {
  AccessMap map;
  // What else than the map says what the operation does: at most one of them.
  std::optional<Bags> bags = {};
  std::optional<Beams> beams = {};
  std::optional<Dequantise> dequantise = {};
  // Of a scatter into segments: the segments are those of offsets (kOffsets), and the map's only
  // index tensor, which is no input of the call, holds the segment of each row. A run makes it of
  // the offsets; rows of no segment are outside.
  std::optional<Bags> segments = {};
  bool scatter = false;
  // Gather: the indirect tensor; scatter: what the output starts as; negative: a reduction whose
  // cells that are written start with its identity, where from_data must be false.
  int data_input = 0;
  UntouchedCell untouched = UntouchedCell::kIdentity;  // where data_input is negative
  int updates_input = 0;                               // scatter: the direct tensor
  // The updates have another shape than the loops, to which they broadcast by NumPy's rules.
  bool updates_broadcast = false;
  Combine combine = Combine::kAssign;
  // A reduction starts with the cell of data; else with the reduction's neutral value, and a mean
  // does not count the cell.
  bool from_data = true;
  bool refuse_duplicates = false;
  // The call's options refuse negative indices: the rule that one breaks is CALL-O3.
  bool refuse_negative = false;
  DType dtype = DType::kAbsent;  // of data, updates and result
  Shape result_shape;            // may regroup the direct shape (gather)
  // A scatter whose output starts as one element of data everywhere, and whose points all take one
  // element of updates (OneHot's values); negative: the tensors themselves.
  std::int64_t data_element = -1;
  std::int64_t updates_element = -1;
  bool elements_are_scalars = false;  // those two are the elements of tensors of rank 0
  int ascending_input = -1;  // an index tensor of rank 1 whose values must not fall; negative: none
  // Inputs whose value the addresses depend on: a run must give the value of their spec.
  std::vector<int> fixed_inputs;
  std::vector<std::string> notes;
  std::vector<std::string> input_names;  // the specification's, for messages
  std::string operator_name;             // "onnx.Gather-13"
  std::string index_constraint;          // label of the rule that a bad index breaks
  std::string duplicate_constraint;      // label of the rule that a duplicate breaks
  std::string order_constraint;          // label of the rule that a falling index breaks
};

// Whether the output of a scatter starts as its data, so that it may run in place.
inline bool starts_as_data(const Operation& operation) noexcept {
  return operation.scatter && operation.data_input >= 0 && operation.data_element < 0;
}

// Whether the map alone does not say what the operation does.
inline bool is_outside_equation(const Operation& operation) noexcept {
  return operation.bags.has_value() || operation.beams.has_value() ||
         operation.dequantise.has_value();
}

// Where data_element or updates_element stands in its tensor.
Dims element_position(const Operation& operation, std::int64_t element);

// The same behind the tensor's name: "[1]"; nothing for a tensor of rank 0.
std::string element_place(const Operation& operation, std::int64_t element);

// The operation as one line in the style of the equation:
//   output[i0, i1, i2] = data[i0, indices[i1], i2]
//   output[indices[i0, 0], indices[i0, 1]] += updates[i0]
//   output[bag of i0, i1] += emb_table[indices[i0], i1] * per_sample_weights[i0]
//   output[i0, i1] = (data[indices[i0], i1] - 8) * scales[indices[i0], i1 / 32]
//   output[segment_ids[i0], i1] += data[i0, i1], segment_ids by offsets
// i0, i1, .. are the loops, outermost first. An index that counts from the end is written like any
// other.
std::string equation(const Operation& operation);

// The sum that is an axis's coordinate before its policy, as the equation has it: "indices[i0, 0]",
// "write_indices[i0] + i1".
std::string sum_text(const AxisMap& axis, const Operation& operation);

}  // namespace windrow::internal

#endif  // WINDROW_ACCESS_ACCESS_MAP_H_
