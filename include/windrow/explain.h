#ifndef WINDROW_EXPLAIN_H_
#define WINDROW_EXPLAIN_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/attributes.h"
#include "windrow/export.h"
#include "windrow/operators.h"
#include "windrow/options.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// What one call of one operator does, as data: which element comes from where, and why. The direct
// tensor of a gather is its output and the indirect one its data; the direct tensor of a scatter is
// its updates and the indirect one its output.
namespace windrow {

// Where an axis of the direct tensor comes from.
enum class AxisOrigin : std::uint8_t {
  kBatch,   // an axis that the indirect tensor and an index tensor share
  kIndex,   // an axis of index tensors
  kSlice,   // an axis of the indirect tensor
  kRepeat,  // an axis of neither: the same cell is used again
};

// "batch", "index", "slice", "repeat"
WINDROW_EXPORT std::string_view axis_origin_name(AxisOrigin origin) noexcept;

// The result of placing a coordinate on its axis.
enum class Placing : std::uint8_t {
  kInside,   // the sum is the coordinate
  kClamped,  // the policy clamp took the nearest valid coordinate
  kWrapped,  // the policy modulo took the remainder
  kOutside,  // padding, and the policies zero and skip: there is no cell
  kIllegal,  // an index is outside its legal range: the call fails
};

// "inside", "clamped", "wrapped", "outside", "illegal"
WINDROW_EXPORT std::string_view placing_name(Placing placing) noexcept;

// An input, or the output.
struct ExplainedTensor {
  std::string name;              // the specification's
  DType dtype = DType::kAbsent;  // kAbsent: an omitted optional input
  Shape shape;
  bool has_values = false;  // whether more than type and shape is known
  // The texts of the elements in row-major order; empty if they are not known, if there are more
  // than ExplainOptions::most_values, and, for the output, if the call fails.
  std::vector<std::string> values;
};

// An axis of a tensor.
struct TensorAxis {
  std::string tensor;  // the specification's name of an input or the output
  int axis = 0;
};

// An axis of the direct tensor, which is a loop of the equation.
struct ExplainedAxis {
  std::string name;  // as in the equation: "i0"
  std::int64_t extent = 0;
  AxisOrigin origin = AxisOrigin::kRepeat;
  std::vector<TensorAxis> walks;  // axes of the indirect tensor and of index tensors that the same
                                  // counter walks, the indirect tensor's first
  std::string sentence;           // "goes along axis 0 of indices, one step for each index"
};

// An axis of the output and the origin of its extent.
struct ExplainedOutputAxis {
  std::int64_t extent = 0;
  std::vector<int> loops;  // gathers: the axes of the direct tensor that it is made of
  std::string sentence;    // "that of axis 0 of indices"
};

// An element of an index tensor that a point reads.
struct IndexRead {
  int input = 0;       // the number of the index tensor among the inputs
  Dims position;       // in the index tensor
  std::string stored;  // the element in decimal
  std::int64_t counted =
      // Its contribution to the coordinate: counted from the end, or the remainder.
      0;
  bool negative = false;  // the element is below 0
  bool legal = true;      // if not, the call fails because of this index
  bool padding = false;   // the element is the call's padding_index: there is no cell
};

// A counter of the loops as a summand of a coordinate.
struct CounterTerm {
  int loop = 0;  // an axis of the direct tensor
  std::int64_t coefficient = 1;
};

// The composition of one coordinate of the indirect tensor: base + counters + indices, to which the
// policy is then applied.
struct ExplainedCoordinate {
  std::int64_t extent = 0;  // of this axis of the indirect tensor
  std::int64_t base = 0;
  std::vector<CounterTerm> counters;
  std::vector<IndexRead> indices;
  std::int64_t sum = 0;  // saturates at the ends of int64
  Placing placing = Placing::kInside;
  std::optional<std::int64_t> value;  // absent: kOutside or kIllegal
};

// One element of the direct tensor and its cell.
struct ExplainedPoint {
  std::int64_t number = 0;  // in row-major order of the direct tensor, from 0
  Dims counters;            // one per ExplainedAxis
  // The position in the output (gather) or in the updates (scatter). Several points of bags have
  // the same: there they are added up.
  Dims direct;
  std::vector<ExplainedCoordinate> coordinates;  // one per axis of the indirect tensor
  // The position in data (gather) or in the output (scatter); absent if any coordinate is.
  std::optional<Dims> cell;
  std::string value;  // the element of the output (gather) or of the updates; empty: not known
  // Of a look-up in a quantised table, the parts of (code - zero_point) * scale, which is rounded
  // to `value`. Empty if they are not known or there is no cell; zero_point also if the call has
  // none.
  std::string code;
  std::string zero_point;
  std::string scale;
};

// The effect of a scatter at one point.
struct ExplainedWrite {
  ExplainedPoint point;
  std::string before;                   // the cell's value; empty: not known, or nothing is written
  std::string after;                    // of a mean: the sum so far
  std::optional<std::int64_t> earlier;  // the number of the previous write to the same cell
  std::optional<std::int64_t> later;    // the number of the next one
};

// A cell that a shown write reaches.
struct ExplainedCell {
  Dims cell;
  std::int64_t writes = 0;  // all that were searched, shown or not
  std::string initial;      // what the output holds before the first write; empty: not known
  std::string result;       // what the output holds; empty: not known
};

struct ExplainOptions {
  // The positions in the output to explain: the walk to each (gather), or the writes to each
  // (scatter). Empty: the first points in row-major order, or those of the corner.
  std::vector<Dims> elements;
  // Without `elements`: explains the points of a block at the direct tensor's beginning whose
  // extents are as equal as possible, for pictures.
  bool corner = false;
  std::int64_t most_points = 64;  // points shown; at least 1
  // The most updates of a scatter, and index tuples of any call, that are read; at least 1.
  std::int64_t most_searched = 65536;
  // The most elements of a tensor whose texts are kept; 0: none are.
  std::int64_t most_values = 1024;
};

struct Explanation {
  std::string operator_name;  // "onnx.Gather-13"
  Attributes attributes;      // as the caller gave them
  bool scatter = false;
  std::vector<ExplainedTensor> inputs;
  ExplainedTensor output;
  // Gather: data; scatter: the initial value of the output; negative: none.
  int indirect_input = -1;
  int updates_input = -1;  // negative for gathers
  int weights_input = -1;  // of bags: what each sample is multiplied by; negative: nothing
  // Of a quantised table with several values in a byte: data with its values counted one by one, as
  // the equation and the walks count them. kAbsent: data itself is counted.
  ExplainedTensor counted_data;
  std::string equation;  // "output[i0, i1] = data[indices[i0], i1]"
  std::vector<ExplainedAxis> axes;
  std::vector<ExplainedOutputAxis> output_axes;
  // One line of Python that computes `output` with NumPy from arrays with the inputs' names, for a
  // call that succeeds. Empty where NumPy's indexing cannot express the operator.
  std::string numpy;
  bool folds = false;               // with a reduction: no write replaces another
  bool refuses_duplicates = false;  // the call fails if two writes address one cell
  // What every cell of a scatter's output holds before the first write. Empty: each holds the
  // element of data at its position, or the value is not known.
  std::string initial;
  std::int64_t points = 0;  // elements of the direct tensor
  // The number of points that were read. For a gather: all points that are shown. For a scatter:
  // the first points in row-major order; `earlier`, `later`, and the cells' writes and results
  // cover only these.
  std::int64_t searched = 0;
  std::int64_t illegal = 0;  // number of the searched points that have an illegal index
  // Why the call fails, judged by the first most_searched index tuples and updates; empty if none
  // of them makes it fail. "indices[1] is 5, which must lie in -3 to 2 for axis 0 of data (extent
  // 3)"
  std::string failure;
  std::vector<ExplainedPoint> walks;   // gathers
  std::vector<ExplainedWrite> writes;  // scatters, in the order in which they take effect
  std::vector<ExplainedCell> cells;    // scatters, in row-major order
};

// Explains a call. If an input's `data` is null although it has elements, only its type and shape
// are known: without the values of the index tensors there are no walks or writes, and nothing that
// depends on another unknown input has a value. A call that would fail because of an index or a
// duplicate is explained, too. Errors: as for compile(); kInvalidArgument for an element outside
// the output, a limit below 1, or an unknown value that the output's shape depends on;
// kOutOfMemory.
WINDROW_EXPORT Result<Explanation> explain(const OperatorId& id, const Attributes& attributes,
                                           std::span<const TensorView> inputs,
                                           const CallOptions& call_options = {},
                                           const ExplainOptions& options = {});

// The explanation as readable lines, each ended by a line feed.
WINDROW_EXPORT std::string to_text(const Explanation& explanation);

// The inputs and attributes of one operator's call, converted to those of another operator.
struct TranslatedCall {
  OperatorId id;
  Attributes attributes;
  std::vector<Tensor> tensors;     // those that were made from attributes; a view may refer to one
  std::vector<TensorView> inputs;  // all other views are those that were given
};

// Converts a call to another operator. Inputs and attributes are matched by name; other inputs go,
// in order, to the inputs that are left; `axis` may change from an input to an attribute and back.
// Attributes that the call leaves out are passed with their default values. Reductions, cache
// modes and TensorRT's modes of Gather and Scatter get the other operator's names. `chosen`:
// attributes of the other operator that are used unchanged. Errors: kUnsupported (no such
// operator), kInvalidArgument (an input or an attribute has no counterpart in the other operator,
// unless it has its default value), kOutOfMemory.
WINDROW_EXPORT Result<TranslatedCall> translate_call(const OperatorId& from,
                                                     const Attributes& attributes,
                                                     std::span<const TensorView> inputs,
                                                     const OperatorId& to,
                                                     const Attributes& chosen = {});

// An element of the output that differs between two explanations.
struct Parting {
  Dims element;               // its position in the output
  std::string first;          // its value in the first explanation; empty: not known, or none
  std::string second;         // its value in the second explanation
  std::string first_reason;   // the first explanation's reason for it; empty: none
  std::string second_reason;  // the second explanation's reason
};

// Where and why the results of two calls differ.
struct Comparison {
  std::string first;              // the operators' names
  std::string second;             //
  std::string shapes;             // how shapes or types of the outputs differ; empty: they do not
  std::string first_failure;      // as Explanation::failure
  std::string second_failure;     //
  std::int64_t elements = 0;      // of the output
  std::int64_t compared = 0;      // of these, the elements that both explanations cover
  std::int64_t parting = 0;       // of the compared elements, those that differ
  std::vector<Parting> partings;  // the first of them in row-major order
};

// Whether anything differs: shapes, which of the calls fails, or an element.
WINDROW_EXPORT bool parts(const Comparison& comparison) noexcept;

// Compares two explanations of similar calls, whose data is the same, element by element of their
// outputs: by the elements' values where both are known, else by the cells or the updates that they
// come from. A cell that one call does not write has its initial value there. Elements that the
// explanations do not cover are not compared. Keeps at most `most` partings.
WINDROW_EXPORT Comparison compare(const Explanation& first, const Explanation& second,
                                  std::int64_t most = 16);

// The comparison as readable lines, each ended by a line feed.
WINDROW_EXPORT std::string to_text(const Comparison& comparison);

// Converts a call to another operator, explains both and compares the explanations, up to 65536
// elements or updates. `call_options` apply to both calls. Of `options` only `elements` is used;
// the other output need not have these. Errors: those of translate_call() and explain().
WINDROW_EXPORT Result<Comparison> compare_operators(
    const OperatorId& id, const Attributes& attributes, std::span<const TensorView> inputs,
    const OperatorId& other, const Attributes& chosen = {}, const CallOptions& call_options = {},
    const ExplainOptions& options = {}, std::int64_t most = 16);

// Pictures of an explanation: its tensors as grids, cropped around the points that it holds, with
// the same colour and letter for an index, its source and its destination. Their size is bounded.

// A self-contained SVG image, in the light or the dark scheme that the reader's settings ask for.
WINDROW_EXPORT std::string to_svg(const Explanation& explanation);

// A self-contained HTML document that loads nothing. A cell under the pointer or the keyboard focus
// shows where its elements come from, and the writes of a scatter can be stepped through.
// `comparisons` of this call with others are described below the picture.
WINDROW_EXPORT std::string to_html(const Explanation& explanation,
                                   std::span<const Comparison> comparisons = {});

struct TerminalOptions {
  int width = 80;       // most characters in a line, if the cells allow it; at least 20
  bool colour = false;  // with escape sequences for colours
};

// The explanation for a terminal, in lines that each end with a line feed.
WINDROW_EXPORT std::string to_terminal(const Explanation& explanation,
                                       const TerminalOptions& options = {});

}  // namespace windrow

#endif  // WINDROW_EXPLAIN_H_
