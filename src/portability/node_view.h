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

// What an operator is alike in all dialects; bits of a set.
enum OperatorFamily : unsigned {
  kGather = 1U,
  kGatherElements = 2U,
  kGatherND = 4U,
  kScatterUpdate = 8U,
  kScatterElements = 16U,
  kScatterND = 32U,
  kTensorScatter = 64U,  // and TensorRT's KVCacheUpdate
  kOneHot = 128U,
  kFeatureExtractor = 256U,
};
inline constexpr unsigned kGathers = kGather | kGatherElements | kGatherND;
inline constexpr unsigned kScatters = kScatterUpdate | kScatterElements | kScatterND;
inline constexpr unsigned kTupled = kGatherND | kScatterND;
inline constexpr unsigned kElementwise = kGatherElements | kScatterElements;
inline constexpr unsigned kReducing = kScatterElements | kScatterND;
inline constexpr unsigned kEveryFamily = 511U;

// Dialects; bits of a set.
enum Dialect : unsigned { kOnnx = 1U, kOpenvino = 2U, kTensorrt = 4U };
inline constexpr unsigned kEveryDialect = 7U;

// One input of a node.
struct InputView {
  std::size_t position = 0;                // among the node's inputs
  std::string_view name;                   // the operator's own
  ValueFact fact;                          // of an observed value its type and extents
  std::shared_ptr<const Tensor> elements;  // if a run saw them; else null
  bool is_observed = false;
  // Of integers: the only element, if it is known.
  std::optional<std::int64_t> value;

  bool is_given() const noexcept { return !name.empty(); }
  // The number of elements; nothing if an extent is not known or the number is above 2^63-1.
  std::optional<std::int64_t> count() const;
  bool is_empty() const { return count() == 0; }
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

// A node as rules look at it.
struct NodeView {
  const NodePlace* place = nullptr;
  const NodeOperator* op = nullptr;
  Extents* extents = nullptr;
  OperatorFamily family = kGather;
  Dialect dialect = kOnnx;
  bool is_scatter = false;
  // Whether verdicts of kCannot are shown. Their words are only made then: most verdicts are these.
  bool shows_cannot = false;

  InputView data;  // of OneHot: values
  InputView indices;
  InputView updates;
  InputView axis_input;  // of OpenVINO; of OneHot: depth
  std::vector<ValueFact> outputs;

  // The axis of data counted from the front, of operators that have one; nothing if not known.
  std::optional<std::size_t> axis;
  std::int64_t batch_dims = 0;
  // ONNX's names: "none", "add", "mul", "min", "max"; and "mean", "sub", and what else stands
  // there.
  std::string reduction = "none";
  bool has_reduction_attribute = false;
  bool use_init_val = true;
  // What the indices address: of tuples one column for each position of their last axis, else one.
  // Nothing: not known. An extent that is not known is a Dim without a number.
  std::optional<std::vector<IndexColumn>> columns;

  int version() const noexcept { return op->info.since_version; }
  bool reduces() const noexcept { return reduction != "none"; }
  // "onnx.Gather-13"
  std::string operator_name() const;
  // The input's name in messages: "indices".
  std::string text_of(const InputView& input) const { return std::string(input.name); }
};

// The node of these facts; nothing if it is no gather or scatter. `observed` may be null.
std::optional<NodeView> view_node(const NodeFacts& facts, Extents& extents,
                                  const ObservedNode* observed);

// The elements of an input, if it is a constant or was observed; else null. Reads a constant.
// Errors: those of reading it.
Result<std::shared_ptr<const Tensor>> elements_of(const InputView& input);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_NODE_VIEW_H_
