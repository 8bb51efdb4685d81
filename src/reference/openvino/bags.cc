#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/reference/call.h"
#include "src/reference/element.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/openvino/operators.h"
#include "src/reference/reduction.h"

// Pooled look-ups and GatherTree, from their sections of docs/operators/openvino.md.
namespace windrow::internal::reference {
namespace {

constexpr std::array<NamedReduction, 2> kBagReductions = {
    {{"sum", Reduction::kAdd}, {"mean", Reduction::kMean}}};

// The inputs of one call; those that it lacks are absent views. `labels`: the rules on the shapes
// of default_index and of the weights, on the values of the bounds and of default_index, and on the
// indices.
struct BagCall {
  const Call& call;
  TensorView table;
  TensorView indices;
  TensorView bounds = {};
  TensorView default_index = {};
  TensorView weights = {};
  std::string bounds_name = {};
  std::array<const char*, 5> labels = {};
};

TensorView input_or_none(Inputs inputs, std::size_t number) {
  return number < inputs.size() ? inputs[number] : TensorView();
}

// T5.
Status check_index_type(const BagCall& bag, const std::string& name, const TensorView& view) {
  if (!is_given(view) || view.dtype == bag.indices.dtype) return {};
  return bag.call.error(
      ErrorCode::kType, "T5",
      name + " has another type than indices, " + std::string(dtype_name(bag.indices.dtype)));
}

Status check_types(const BagCall& bag) {
  Status status = check_index_type(bag, bag.bounds_name, bag.bounds);
  if (status) status = check_index_type(bag, "default_index", bag.default_index);
  return status;
}

Status check_table(const BagCall& bag) {
  if (bag.table.shape.rank() > 0) return {};
  return bag.call.shape("C1", "emb_table has rank 0, must have an axis");
}

Status check_options(const BagCall& bag) {
  if (is_given(bag.default_index) && bag.default_index.shape.rank() != 0)
    return bag.call.shape(
        bag.labels[0],
        "default_index has shape " + to_string(bag.default_index.shape) + ", must be a scalar");
  if (is_given(bag.weights) && bag.weights.shape != bag.indices.shape)
    return bag.call.shape(bag.labels[1],
                          "per_sample_weights have shape " + to_string(bag.weights.shape) +
                              ", must have that of indices, " + to_string(bag.indices.shape));
  return {};
}

IndexFault fault_of(const std::string& input, const TensorView& view, const Position& position,
                    std::int64_t extent) {
  IndexFault fault;
  fault.input = input;
  fault.position.assign(position.begin(), position.end());
  fault.value = read_index(view, position);
  fault.value_text = index_text(view, position);
  fault.extent = extent;
  fault.count = 1;
  return fault;
}

// The numbers that bound the bags: each in [0, last], none below the one before it.
Result<std::vector<std::int64_t>> read_bounds(const BagCall& bag, std::int64_t last,
                                              std::int64_t extent) {
  std::vector<std::int64_t> numbers;
  const std::int64_t total = bag.bounds.shape[0];
  for (std::int64_t i = 0; i < total; ++i) {
    const std::int64_t number = read_index(bag.bounds, {i});
    const std::string text =
        bag.bounds_name + to_string(Position{i}) + " is " + index_text(bag.bounds, {i});
    if (number < 0 || number > last) {
      IndexFault fault = fault_of(bag.bounds_name, bag.bounds, {i}, extent);
      for (std::int64_t other = i + 1; other < total; ++other)
        fault.count +=
            read_index(bag.bounds, {other}) < 0 || read_index(bag.bounds, {other}) > last;
      const std::string found = std::to_string(fault.count) + " of " + std::to_string(total);
      return bag.call.index(bag.labels[2],
                            text + ", must be in [0, " + std::to_string(last) + "]; " + found +
                                (fault.count == 1 ? " is" : " are") + " out of range",
                            std::move(fault));
    }
    if (!numbers.empty() && number < numbers.back())
      return bag.call.invalid(bag.labels[2], text + ", less than the one before it");
    numbers.push_back(number);
  }
  return numbers;
}

// The row of empty bags, if there is one.
Result<std::optional<std::int64_t>> read_default(const BagCall& bag) {
  using Row = std::optional<std::int64_t>;
  if (!is_given(bag.default_index)) return Row();
  const std::int64_t row = read_index(bag.default_index, {});
  const std::int64_t rows = bag.table.shape[0];
  if (row < -1 || row >= rows)
    return bag.call.index(bag.labels[3],
                          "default_index is " + index_text(bag.default_index, {}) +
                              ", must be in [-1, " + std::to_string(rows - 1) + "]",
                          fault_of("default_index", bag.default_index, {}, rows));
  return row < 0 ? Row() : Row(row);
}

// The positions in indices of each bag's samples.
using BagSamples = std::vector<std::vector<Position>>;

// One cell of the result.
Element fold_cell(const BagCall& bag, const IndexRule& rule, Reduction reduction,
                  const std::vector<Position>& samples, std::optional<std::int64_t> default_row,
                  const Position& cell) {
  const DType dtype = bag.table.dtype;
  if (samples.empty() && default_row)
    return read_element(bag.table, Position{*default_row} + tail(cell, 1));
  Element sum = zero_element(dtype);
  std::int64_t count = 0;
  for (const Position& sample : samples) {
    const auto row = coordinate(rule, bag.indices, sample);
    if (!row) continue;
    Element element = read_element(bag.table, Position{*row} + tail(cell, 1));
    if (is_given(bag.weights))
      element = combine(Reduction::kMul, element, read_element(bag.weights, sample));
    sum = combine(Reduction::kAdd, sum, element);
    ++count;
  }
  return reduction == Reduction::kMean && count > 0 ? divide(sum, count) : sum;
}

// `samples`: made once the bounds have been read.
Result<Tensor> fold_bags(const BagCall& bag, Reduction reduction, std::int64_t bags,
                         const std::function<Result<BagSamples>()>& samples) {
  const Shape shape = Shape{bags} + tail(bag.table.shape, 1);
  const Call& call = bag.call;
  const IndexUse use = {bag.labels[4], Negatives::kOutside};
  if (Status status = call.check_result(bag.table.dtype, shape); !status) return status;
  const IndexRule rule = index_rule(call, use, bag.table.shape, 0);
  const auto found = samples();
  if (!found) return found.error();
  const auto default_row = read_default(bag);
  if (!default_row) return default_row.error();
  if (Status status =
          check_indices(call, {bag.labels[4], "indices", "emb_table"}, bag.indices, rule);
      !status)
    return status;
  auto result = filled(call, zero_element(bag.table.dtype), shape);
  if (!result) return result;
  for_each_position(shape, [&](const Position& cell) {
    const auto& of_bag = (*found)[static_cast<std::size_t>(cell[0])];
    write_element(*result, cell, fold_cell(bag, rule, reduction, of_bag, *default_row, cell));
    return true;
  });
  return result;
}

Result<Tensor> fold_offsets(const BagCall& bag, Reduction reduction) {
  Status status = check_types(bag);
  if (status) status = check_table(bag);
  if (!status) return status;
  for (const auto& [name, view] :
       {std::pair{"indices", &bag.indices}, std::pair{"offsets", &bag.bounds}})
    if (view->shape.rank() != 1)
      return bag.call.shape("C2", std::string(name) + " have shape " + to_string(view->shape) +
                                      ", must have one axis");
  if (status = check_options(bag); !status) return status;
  const std::int64_t count = bag.indices.shape[0];
  return fold_bags(bag, reduction, bag.bounds.shape[0], [&]() -> Result<BagSamples> {
    const auto begins = read_bounds(bag, count, count);
    if (!begins) return begins.error();
    BagSamples samples(begins->size());
    for (std::size_t b = 0; b < begins->size(); ++b) {
      const std::int64_t end = b + 1 < begins->size() ? (*begins)[b + 1] : count;
      for (std::int64_t i = (*begins)[b]; i < end; ++i) samples[b].push_back({i});
    }
    return samples;
  });
}

Result<Tensor> fold_packed(const BagCall& bag, Reduction reduction) {
  if (Status status = check_table(bag); !status) return status;
  if (bag.table.shape.rank() == kMaxRank)
    return bag.call.shape(
        "C1", "emb_table has shape " + to_string(bag.table.shape) + ", must have fewer axes");
  const Shape& indices = bag.indices.shape;
  if (indices.rank() != 2)
    return bag.call.shape("C2",
                          "indices have shape " + to_string(indices) + ", must have two axes");
  if (Status status = check_options(bag); !status) return status;
  return fold_bags(bag, reduction, indices[0], [&]() -> Result<BagSamples> {
    BagSamples samples(static_cast<std::size_t>(indices[0]));
    for_each_position(indices, [&](const Position& position) {
      samples[static_cast<std::size_t>(position[0])].push_back(position);
      return true;
    });
    return samples;
  });
}

Result<Tensor> fold_segments(const BagCall& bag, const TensorView& num_segments) {
  Status status = check_index_type(bag, bag.bounds_name, bag.bounds);
  if (status) status = check_index_type(bag, "num_segments", num_segments);
  if (status) status = check_index_type(bag, "default_index", bag.default_index);
  if (status) status = check_table(bag);
  if (!status) return status;
  if (bag.indices.shape.rank() != 1 || bag.bounds.shape != bag.indices.shape)
    return bag.call.shape("C2", "indices and segment_ids have shapes " +
                                    to_string(bag.indices.shape) + " and " +
                                    to_string(bag.bounds.shape) + ", must have one axis each");
  if (num_segments.shape.rank() != 0)
    return bag.call.shape(
        "C3", "num_segments has shape " + to_string(num_segments.shape) + ", must be a scalar");
  const std::int64_t segments = read_index(num_segments, {});
  if (segments < 0)
    return bag.call.shape("C3", "num_segments is " + std::to_string(segments) + ", is negative");
  if (status = check_options(bag); !status) return status;
  return fold_bags(bag, Reduction::kAdd, segments, [&]() -> Result<BagSamples> {
    const auto ids = read_bounds(bag, segments - 1, segments);
    if (!ids) return ids.error();
    BagSamples samples(static_cast<std::size_t>(segments));
    for (std::size_t i = 0; i < ids->size(); ++i)
      samples[static_cast<std::size_t>((*ids)[i])].push_back({static_cast<std::int64_t>(i)});
    return samples;
  });
}

// A3 and A4.
Result<Reduction> read_reduction(const Call& call, const std::string& name,
                                 const TensorView& weights) {
  const auto any = [](DType, Reduction) { return true; };
  auto reduction = parse_reduction(call, name, kBagReductions, any);
  if (reduction && *reduction == Reduction::kMean && is_given(weights))
    return call.invalid("A4", "reduction is 'mean', and there are per_sample_weights");
  return reduction;
}

BagCall offset_call(const Call& call, Inputs inputs) {
  return {call,
          inputs[0],
          inputs[1],
          inputs[2],
          input_or_none(inputs, 3),
          input_or_none(inputs, 4),
          "offsets",
          {"C3", "C4", "C5", "C6", "C7"}};
}

BagCall packed_call(const Call& call, Inputs inputs) {
  return {.call = call,
          .table = inputs[0],
          .indices = inputs[1],
          .weights = input_or_none(inputs, 2),
          .labels = {"", "C3", "", "", "C4"}};
}

BagCall segment_call(const Call& call, Inputs inputs) {
  return {call,
          inputs[0],
          inputs[1],
          inputs[2],
          input_or_none(inputs, 4),
          input_or_none(inputs, 5),
          "segment_ids",
          {"C4", "C5", "C6", "C7", "C8"}};
}

// Checks the options of a call, reads its inputs with `read` and folds its bags with `fold`.
template <class Op, class Read, class Fold>
Result<Tensor> run_bags(const Op& op, std::string_view name, Inputs inputs,
                        const CallOptions& options, const Read& read, const Fold& fold) {
  const Call call("openvino", name, op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  const BagCall bag = read(call, inputs);
  if constexpr (requires { op.reduction; }) {
    const auto reduction = read_reduction(call, op.reduction, bag.weights);
    return reduction ? fold(bag, *reduction) : reduction.error();
  } else {
    return fold(bag, Reduction::kAdd);
  }
}

}  // namespace

Result<Tensor> run(const openvino::EmbeddingBagOffsetsSum& op, Inputs inputs,
                   const CallOptions& options) {
  return run_bags(op, "EmbeddingBagOffsetsSum", inputs, options, offset_call, fold_offsets);
}

Result<Tensor> run(const openvino::EmbeddingBagOffsets& op, Inputs inputs,
                   const CallOptions& options) {
  return run_bags(op, "EmbeddingBagOffsets", inputs, options, offset_call, fold_offsets);
}

Result<Tensor> run(const openvino::EmbeddingBagPackedSum& op, Inputs inputs,
                   const CallOptions& options) {
  return run_bags(op, "EmbeddingBagPackedSum", inputs, options, packed_call, fold_packed);
}

Result<Tensor> run(const openvino::EmbeddingBagPacked& op, Inputs inputs,
                   const CallOptions& options) {
  return run_bags(op, "EmbeddingBagPacked", inputs, options, packed_call, fold_packed);
}

Result<Tensor> run(const openvino::EmbeddingSegmentsSum& op, Inputs inputs,
                   const CallOptions& options) {
  const auto fold = [&](const BagCall& bag, Reduction /*sum*/) {
    return fold_segments(bag, inputs[3]);
  };
  return run_bags(op, "EmbeddingSegmentsSum", inputs, options, segment_call, fold);
}

namespace {

// The tensors of a GatherTree whose shapes have been checked.
struct Tree {
  const TensorView& steps;
  const TensorView& parents;
  const TensorView& lengths;
  const TensorView& end;
  IndexRule rule;

  std::int64_t length(std::int64_t batch) const {
    const std::int64_t length = read_index(lengths, {batch});
    return length < 0 ? 0 : length < steps.shape[0] ? length : steps.shape[0];
  }

  bool is_end(const Position& position) const {
    const Element token = read_element(end, {});
    const Element element = read_element(steps, position);
    if (dtype_kind(end.dtype) == DTypeKind::kFloat)
      return visit_real(end.dtype, [&](const auto& format) {
        return format.value(element) == format.value(token);
      });
    return element.bits == token.bits;
  }
};

// The steps of one beam, from the first one on, as positions in step_ids; fewer if a parent is
// illegal, whose position is then put into `illegal`.
std::vector<Position> walk(const Tree& tree, std::int64_t batch, std::int64_t beam,
                           std::vector<Position>& illegal) {
  std::vector<Position> back;
  for (std::int64_t time = tree.length(batch) - 1; time >= 0; --time) {
    const Position here = {time, batch, beam};
    back.push_back(here);
    if (time == 0) break;
    const std::int64_t parent = read_index(tree.parents, here);
    if (parent < tree.rule.low || parent > tree.rule.high) {
      illegal.push_back(here);
      break;
    }
    beam = *coordinate(tree.rule, parent);
  }
  return {back.rbegin(), back.rend()};
}

Status bad_parent(const Call& call, const Tree& tree, std::vector<Position> illegal) {
  const auto before = [](const Position& a, const Position& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  };
  std::sort(illegal.begin(), illegal.end(), before);
  illegal.erase(std::unique(illegal.begin(), illegal.end()), illegal.end());
  const Position& first = illegal.front();
  IndexFault fault = fault_of("parent_ids", tree.parents, first, tree.steps.shape[2]);
  fault.axis = 2;
  fault.count = static_cast<std::int64_t>(illegal.size());
  const std::string text = "parent_ids" + to_string(first) + " is " + fault.value_text;
  const bool refuses = call.negative() == NegativeIndex::kError;
  const std::string of_all = std::to_string(fault.count) + " of " +
                             std::to_string(element_count(tree.parents.shape).value()) +
                             " indices " + (fault.count == 1 ? "is" : "are") +
                             (refuses ? " refused" : " out of range");
  if (fault.value < 0 && refuses)
    return call.negative_index(text + ", negative, and the call says negative=error; " + of_all,
                               std::move(fault));
  const std::string beams = std::to_string(tree.steps.shape[2]);
  return call.index("C5",
                    text + ", out of range for axis 2 of step_ids with extent " + beams +
                        " (legal: " + std::to_string(tree.rule.low) + " to " +
                        std::to_string(tree.rule.high) + "); " + of_all,
                    std::move(fault));
}

Status check_tree(const Call& call, Inputs inputs) {
  const Shape& steps = inputs[0].shape;
  if (steps.rank() != 3)
    return call.shape("C1", "step_ids have shape " + to_string(steps) + ", must have three axes");
  if (inputs[1].shape != steps)
    return call.shape("C2", "parent_ids have shape " + to_string(inputs[1].shape) +
                                ", must have that of step_ids, " + to_string(steps));
  if (inputs[2].shape != Shape{steps[1]})
    return call.shape("C3", "max_seq_len has shape " + to_string(inputs[2].shape) +
                                ", must have one element for each batch entry");
  if (inputs[3].shape.rank() != 0)
    return call.shape("C4",
                      "end_token has shape " + to_string(inputs[3].shape) + ", must be a scalar");
  return {};
}

}  // namespace

Result<Tensor> run(const openvino::GatherTree& op, Inputs inputs, const CallOptions& options) {
  const Call call("openvino", "GatherTree", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  if (call.policy() != OutOfRange::kError)
    return call.unfit_policy("which GatherTree does not take: it takes error");
  if (Status status = call.check_padding(0); !status) return status;
  if (Status status = check_tree(call, inputs); !status) return status;
  const Shape& shape = inputs[0].shape;
  const Tree tree = {inputs[0], inputs[1], inputs[2], inputs[3],
                     index_rule(call, {"C5", Negatives::kOutside}, shape, 2)};
  if (Status status = call.check_result(inputs[0].dtype, shape); !status) return status;
  auto result = filled(call, read_element(tree.end, {}), shape);
  if (!result) return result;
  std::vector<Position> illegal;
  for (std::int64_t batch = 0; batch < shape[1]; ++batch) {
    for (std::int64_t beam = 0; beam < shape[2]; ++beam) {
      std::int64_t time = 0;
      for (const Position& step : walk(tree, batch, beam, illegal)) {
        write_element(*result, {time++, batch, beam}, read_element(tree.steps, step));
        if (tree.is_end(step)) break;
      }
    }
  }
  if (!illegal.empty()) return bad_parent(call, tree, std::move(illegal));
  return result;
}

}  // namespace windrow::internal::reference
