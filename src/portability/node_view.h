#ifndef WINDROW_PORTABILITY_NODE_VIEW_H_
#define WINDROW_PORTABILITY_NODE_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/ranges/ranges.h"
#include "windrow/check.h"

// A gather or scatter node in one form for all dialects.
namespace windrow::internal {

// Operators that are alike in all dialects; bits of a set.
enum OperatorFamily : unsigned {
  kGather = 1U,
  kGatherElements = 2U,
  kGatherND = 4U,
  kScatterUpdate = 8U,
  kScatterElements = 16U,
  kScatterND = 32U,
  kTensorScatter = 64U,  // with TensorRT's KVCacheUpdate
  kOneHot = 128U,
  kFeatureExtractor = 256U,
  // Operators that are judged by their rows in indexing_operators.cc. The library computes none but
  // those of kOutsideEquation.
  kQuantizedGather = 512U,
  kForeignGatherND = 1024U,
  kEmbedding = 2048U,
  kRotaryPositions = 4096U,
  kBatchIndices = 8192U,
  kClasses = 16384U,
  kReversedLengths = 32768U,
  kValidLengths = 65536U,
  kEmbeddingBag = 131072U,
  kGatherTree = 262144U,
  // Operators that the library computes and of which no rule of the others holds.
  kSegmentMax = 524288U,
  kSliceScatter = 1048576U,
  // Further inputs of kEmbeddingBag that address something.
  kBagOffsets = 2097152U,
  kSegmentIds = 4194304U,
  kDefaultIndex = 8388608U,
};
inline constexpr unsigned kGathers = kGather | kGatherElements | kGatherND;
inline constexpr unsigned kScatters = kScatterUpdate | kScatterElements | kScatterND;
inline constexpr unsigned kTupled = kGatherND | kScatterND;
inline constexpr unsigned kElementwise = kGatherElements | kScatterElements;
inline constexpr unsigned kReducing = kScatterElements | kScatterND;
// Every family that the library computes by its equation.
inline constexpr unsigned kEveryFamily = 511U | kSegmentMax | kSliceScatter;
// Those that it computes otherwise, and judges by their rows in indexing_operators.cc.
inline constexpr unsigned kOutsideEquation = kEmbeddingBag | kGatherTree | kQuantizedGather;

// Dialects; bits of a set.
enum Dialect : unsigned { kOnnx = 1U, kOpenvino = 2U, kTensorrt = 4U };
Dialect dialect_named(std::string_view name);
inline constexpr unsigned kEveryDialect = 7U;

// One input of a node.
struct InputView {
  std::size_t position = 0;                // among the node's inputs
  std::string_view name;                   // the specification's; empty if the input is omitted
  ValueFact fact;                          // for an observed value, its type and extents
  std::shared_ptr<const Tensor> elements;  // observed in a run; else null
  bool is_observed = false;
  // Whether this is a constant without elements that the runtime may take for another value. Its
  // shape is that of the file, its elements are not known.
  bool is_misread = false;
  // The only element of an input of integers, if it is known; `fact` has its premises.
  std::optional<std::int64_t> value;

  bool is_given() const noexcept { return !name.empty(); }
  // Takes the place of what is known: the type, the shape and the elements are those of a run.
  void observe(std::shared_ptr<const Tensor> seen);
  // The number of elements; nothing if an extent is not known or the number is above 2^63-1.
  std::optional<std::int64_t> count() const;
  bool is_empty() const;
  // Whether there is at least one element in every run.
  bool has_elements() const;
  // The extent of an axis counted from the front; nothing if it is not known.
  std::optional<std::int64_t> extent(std::size_t axis) const;
  std::optional<std::size_t> rank() const;
};

// An axis of data that one column of the indices addresses.
struct IndexColumn {
  std::size_t axis = 0;
  Dim extent;
};

struct IndexingOperator;

// A node in the form in which rules judge it.
struct NodeView {
  const NodePlace* place = nullptr;
  const NodeOperator* op = nullptr;  // null if the library does not compute the operator
  // The row of an operator that the library does not compute, and the operator's name.
  const IndexingOperator* indexing = nullptr;
  std::string foreign_name = {};
  std::optional<std::int64_t> ignored = std::nullopt;  // its index that addresses nothing
  Extents* extents = nullptr;
  OperatorFamily family = kGather;
  Dialect dialect = kOnnx;
  bool is_scatter = false;
  // Whether verdicts of kCannot are shown. Most verdicts are kCannot, so their texts are made only
  // then.
  bool shows_cannot = false;

  InputView data;  // OneHot: values, or on_value
  InputView indices;
  InputView updates;     // OneHot: off_value, if it is an input of its own
  InputView axis_input;  // OpenVINO: axis; OneHot: depth; SegmentMax: num_segments
  InputView scales;      // of a quantised look-up, as zero_points are
  InputView zero_points;
  // SliceScatter: those of start, stop, step and axes that are given, in this order.
  std::vector<InputView> slices;
  std::vector<ValueFact> outputs;

  // The same node without the types and shapes that are based on premises; null if no premise is
  // about them. `form_premises` are these premises.
  std::shared_ptr<NodeView> without_premises;
  Premises form_premises;

  // The axis of data, counted from the front; nothing if it is not known or the operator has none.
  std::optional<std::size_t> axis;
  std::int64_t batch_dims = 0;
  // ONNX's name of the reduction ("none", "add", "mul", "min", "max"), or "mean" or "sub", or
  // whatever else the attribute says.
  std::string reduction = "none";
  bool has_reduction_attribute = false;
  bool use_init_val = true;
  bool is_circular = false;  // TensorScatter: whether the mode is "circular"
  // The axes that the indices address: for index tuples one for each position of their last axis,
  // else one. Nothing if they are not known. An unknown extent is a Dim without a number.
  std::optional<std::vector<IndexColumn>> columns;
  // What the axis and the columns rest on, and so every judgement of the node.
  Premises premises;

  int version() const noexcept { return op->info.since_version; }
  bool reduces() const noexcept { return reduction != "none"; }
  // Whether the reduction computes new values; min and max choose among those that are there.
  bool computes() const noexcept {
    return reduction == "add" || reduction == "mul" || reduction == "sub" || reduction == "mean";
  }
  bool takes_extreme() const noexcept { return reduction == "min" || reduction == "max"; }
  // "onnx.Gather-13"
  std::string operator_name() const;
  // The name of the value that an input reads.
  const std::string& value_of(const InputView& input) const {
    return place->node.inputs[input.position];
  }
  // The input's name in messages: "indices".
  std::string text_of(const InputView& input) const { return std::string(input.name); }
};

// A node's input, which the operator calls `name`; not given if the node omits it. `observed` may
// be null.
InputView input_of(const NodeFacts& facts, std::size_t position, std::string_view name,
                   Extents& extents, const ObservedNode* observed);

// The only element of an input of integers, if it is known.
std::optional<std::int64_t> single_value(const InputView& input);

// The node of these facts; nothing if it is not a gather or scatter. `observed` may be null.
std::optional<NodeView> view_node(const NodeFacts& facts, Extents& extents,
                                  const ObservedNode* observed);

// The elements of an input that is a constant or was observed; else null. Errors: those of reading
// a constant.
Result<std::shared_ptr<const Tensor>> elements_of(const InputView& input);
// The same, but null if they cannot be read.
std::shared_ptr<const Tensor> known_elements(const InputView& input);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_NODE_VIEW_H_
