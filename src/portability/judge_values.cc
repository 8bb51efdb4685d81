#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <memory>
#include <utility>

#include "src/models/host_ops/host_ops.h"
#include "src/portability/cells.h"
#include "src/portability/contracts.h"
#include "src/portability/given_values.h"
#include "src/portability/judges.h"
#include "src/ranges/distinct.h"
#include "src/ranges/extents.h"
#include "src/ranges/floats.h"
#include "windrow/counted.h"

namespace windrow::internal {
namespace {

// Whether the node takes the minimum or maximum of floats.
bool takes_extreme_of_floats(const NodeView& node) {
  return node.takes_extreme() && dtype_kind(node.data.fact.dtype) == DTypeKind::kFloat;
}

Judgement found_at(const InputView& input, const Tensor& elements, std::int64_t position,
                   const std::string& why) {
  Judgement judgement;
  judgement.verdict = Verdict::kHappens;
  judgement.input = &input;
  judgement.position = unravel(position, elements.shape());
  judgement.value = element_text(elements, position);
  judgement.evidence = input.is_observed ? Evidence::kInputs : Evidence::kConstant;
  judgement.what =
      std::string(input.name) + position_text(judgement.position) + " is " + judgement.value + why;
  return judgement;
}

// Whether intervals prove that no element is NaN.
bool has_no_nan(const InputView& input) {
  const std::vector<FloatInterval>& floats = input.fact.range.floats;
  return !floats.empty() && std::none_of(floats.begin(), floats.end(),
                                         [](const auto& interval) { return interval.may_be_nan; });
}

// The elements of an input if they are known and of a type that find_float() visits; else null.
std::shared_ptr<const Tensor> known_floats(const InputView& input) {
  const auto elements = known_elements(input);
  return elements != nullptr && has_float_intervals(elements->dtype()) ? elements : nullptr;
}

// Joins the judgements of several inputs, each of which `judge_input` judges. `proved` is the text
// of kCannot.
template <class JudgeInput>
Judgement judge_each(std::initializer_list<const InputView*> inputs, const JudgeInput& judge_input,
                     std::string proved) {
  Judgement open = cannot(std::move(proved));
  for (const InputView* input : inputs) {
    if (!input->is_given() || input->is_empty()) continue;
    Judgement judgement = judge_input(*input);
    if (judgement.verdict == Verdict::kHappens) return judgement;
    if (judgement.evidence == Evidence::kRange) open.evidence = Evidence::kRange;
    if (judgement.verdict == Verdict::kCannot) {
      open.premises = united(open.premises, judgement.premises);
      open.premises = united(open.premises, input->fact.range.premises);
      continue;
    }
    if (open.verdict == Verdict::kCannot) {
      open.verdict = Verdict::kCan;
      open.input = judgement.input;
      open.what = judgement.what;
    }
    for (DemandOn& asked : judgement.demands) asked.what = judgement.what;
    open.demands.insert(open.demands.end(), judgement.demands.begin(), judgement.demands.end());
  }
  if (open.verdict != Verdict::kCannot) open.premises.clear();
  return open;
}

Judgement judge_nan_in(const InputView& input) {
  const std::string name(input.name);
  if (const auto elements = known_floats(input)) {
    const auto found =
        find_float(*elements, [](std::int64_t, double value) { return std::isnan(value); });
    return found ? found_at(input, *elements, *found, "") : cannot(name + " has no NaN");
  }
  // A change of the graph helps, so that nothing is demanded of the caller.
  Judgement judgement =
      verdict_by_range(input, has_no_nan(input), "nothing proves that " + name + " has no NaN", {});
  judgement.demands.clear();
  return judgement;
}

constexpr std::int64_t kLow32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kHigh32 = std::numeric_limits<std::int32_t>::max();

// Values of extents are small under the premise that tensors fit in memory.
Judgement judge_wide_in(const InputView& input, Extents& extents) {
  const auto is_wide = [](std::int64_t low, std::int64_t high) {
    return low < kLow32 || high > kHigh32;
  };
  const std::string name(input.name);
  if (const auto elements = known_elements(input)) {
    const auto found = find_integer(
        *elements, [&](std::int64_t, std::int64_t value) { return is_wide(value, value); });
    return found ? found_at(input, *elements, *found, ", which no int32 holds")
                 : cannot("int32 holds all " + name);
  }
  const std::vector<Interval>& intervals = input.fact.range.integers;
  bool is_proved = !intervals.empty();
  bool is_certain = false;
  Premises premises;
  for (const Interval& interval : intervals) {
    is_certain = is_certain || interval.low > kHigh32 || interval.high < kLow32;
    is_proved = is_proved && (!is_wide(interval.low, interval.high) ||
                              (extents.assume_below(interval, kHigh32, premises) &&
                               extents.assume_above_minus(interval, kHigh32, premises)));
  }
  if (const auto certain = premises_of_certain(input, extents); is_certain && certain) {
    Judgement judgement = happens("int32 does not hold all elements of " + name);
    judgement.input = &input;
    judgement.evidence = Evidence::kRange;
    judgement.premises = *certain;
    return judgement;
  }
  Judgement judgement = verdict_by_range(
      input, is_proved,
      "nothing proves that int32 holds all elements of " + name + ", which is " +
          std::string(dtype_name(input.fact.dtype)),
      {.low = Bound{"", false, kLow32}, .high = Bound{"", false, kHigh32}, .is_of_interval = true});
  if (is_proved) judgement.premises = std::move(premises);
  return judgement;
}

// Whether intervals prove that no element is a zero.
bool has_no_zero(const InputView& input) {
  const std::vector<FloatInterval>& floats = input.fact.range.floats;
  return !floats.empty() && std::all_of(floats.begin(), floats.end(), [](const auto& interval) {
    return interval.low > 0 || interval.high < 0;
  });
}

// The signs of the zeros of an input whose elements are known.
struct Zeros {
  std::shared_ptr<const Tensor> elements;
  bool has_plus = false;
  bool has_minus = false;
};

Zeros zeros_of(const InputView& input) {
  Zeros zeros;
  zeros.elements = known_floats(input);
  if (zeros.elements == nullptr) return zeros;
  find_float(*zeros.elements, [&zeros](std::int64_t, double value) {
    if (value == 0) (std::signbit(value) ? zeros.has_minus : zeros.has_plus) = true;
    return zeros.has_minus && zeros.has_plus;
  });
  return zeros;
}

// Finds the first update that is a zero where its cell is a zero of the other sign.
std::optional<Judgement> find_both_zeros(const NodeView& node, const Tensor& updates,
                                         const Tensor& data) {
  const ExactElements indices = exact_elements(node.indices);
  if (indices.tensor == nullptr) return std::nullopt;
  const std::int64_t most = updates.element_count();
  const auto found =
      find_update(node, *indices.tensor, data.shape(), [&](std::int64_t update, std::int64_t cell) {
        if (update >= most) return false;
        const double a = float_at(updates, update);
        const double b = float_at(data, cell);
        return a == 0 && b == 0 && std::signbit(a) != std::signbit(b);
      });
  if (!found) return std::nullopt;
  return found_at(node.updates, updates, *found, ", and the cell is a zero of the other sign");
}

}  // namespace

std::optional<Judgement> judge_nan(const NodeView& node) {
  if (!takes_extreme_of_floats(node)) return std::nullopt;
  return judge_each({&node.data, &node.updates}, judge_nan_in, "neither data nor updates are NaN");
}

std::optional<Judgement> judge_both_zeros(const NodeView& node) {
  if (!takes_extreme_of_floats(node)) return std::nullopt;
  if (has_no_zero(node.updates)) {
    Judgement judgement = cannot("no update is a zero");
    judgement.evidence = Evidence::kRange;
    judgement.premises = node.updates.fact.range.premises;
    return judgement;
  }
  const Zeros updates = zeros_of(node.updates);
  if (updates.elements && !updates.has_plus && !updates.has_minus)
    return cannot("no update is a zero");
  const Zeros data = zeros_of(node.data);
  if (updates.elements && data.elements) {
    if (!(updates.has_plus || data.has_plus) || !(updates.has_minus || data.has_minus))
      return cannot("all zeros of data and updates have one sign");
    if (auto judgement = find_both_zeros(node, *updates.elements, *data.elements)) return judgement;
  }
  Judgement judgement = can("a cell may get a 0 and a -0: no proof was found that it does not");
  judgement.evidence = Evidence::kRange;
  judgement.demands = {{&node.updates, {.words = "must not hold zeros of both signs"}}};
  return judgement;
}

std::optional<Judgement> judge_wide_data(const NodeView& node) {
  const DType dtype = node.data.fact.dtype;
  if (dtype == DType::kAbsent) return std::nullopt;
  // Inputs of uint32 are copied bit by bit.
  const bool is_copied = dtype == DType::kUint32 && !node.reduces() &&
                         node.data.fact.constant == nullptr &&
                         node.updates.fact.constant == nullptr;
  if ((dtype != DType::kInt64 && dtype != DType::kUint64 && dtype != DType::kUint32) || is_copied)
    return cannot("data is " + std::string(dtype_name(dtype)));
  Judgement judgement = judge_each(
      {&node.data, &node.updates},
      [&node](const InputView& input) { return judge_wide_in(input, *node.extents); },
      "int32 holds all data and updates");
  if (judgement.verdict == Verdict::kCannot && node.computes()) {
    judgement = can("nothing proves that int32 holds all results of " + node.reduction);
    judgement.evidence = Evidence::kRange;
  }
  if (node.computes()) judgement.demands.clear();  // bounds on elements do not bound their sums
  return judgement;
}

namespace {

// The numbers of updates and of cells in each group of updates that shares no cell with another
// group: the whole node, or for ScatterElements one line of indices along the axis. Nothing if not
// known.
struct Counts {
  std::optional<std::int64_t> updates;
  std::optional<std::int64_t> cells;
};

Counts count_updates(const NodeView& node) {
  Counts counts;
  const auto rank = node.indices.rank();
  if (!rank) return counts;
  if (node.family == kScatterElements) {
    if (!node.axis) return counts;
    return {node.indices.extent(*node.axis), node.data.extent(*node.axis)};
  }
  const bool is_tupled = node.family == kScatterND;
  if (is_tupled && *rank == 0) return counts;
  counts.updates = count_of(*node.indices.fact.dims, 0, is_tupled ? *rank - 1 : *rank);
  if (node.columns && !node.columns->empty()) {
    const std::size_t first = node.columns->front().axis;
    counts.cells = count_of(*node.data.fact.dims, first, first + node.columns->size());
  }
  if (node.columns && node.columns->empty()) counts.cells = 1;
  return counts;
}

// The axes of indices along which the updates stand that may share cells, or nothing if not known.
// Only those of ScatterElements stand along one axis; index tuples fill the last one.
std::optional<Axes> axes_of_updates(const NodeView& node) {
  const auto rank = node.indices.rank();
  if (!rank || *rank == 0 || *rank > kMaxRank) return std::nullopt;
  if (node.family == kScatterUpdate) return bit(*rank) - 1;
  if (node.family == kScatterElements)
    return node.axis && *node.axis < *rank ? std::optional(bit(*node.axis)) : std::nullopt;
  const bool has_tuples =
      node.family == kScatterND && node.indices.extent(*rank - 1).value_or(0) > 0;
  return has_tuples ? std::optional(bit(*rank - 1) - 1) : std::nullopt;
}

// The intervals of the indices by which updates differ.
std::vector<Interval> differing_intervals(const NodeView& node, bool is_by_column) {
  const std::vector<Interval>& all = node.indices.fact.range.integers;
  if (!is_by_column) return all;
  std::vector<Interval> needed;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i >= 64 || (node.indices.fact.distinct.columns >> i & 1) != 0) needed.push_back(all[i]);
  return needed;
}

// Whether no two indices by which updates differ count from different ends of an axis, and an int32
// holds all of them.
bool count_from_one_end(const NodeView& node, Premises& premises) {
  const ValueRange& range = node.indices.fact.range;
  const bool is_by_column = node.family == kScatterND && range.grain == ValueRange::Grain::kAxis &&
                            static_cast<std::size_t>(range.axis) + 1 == node.indices.rank();
  const std::vector<Interval> needed = differing_intervals(node, is_by_column);
  const auto is_negative = [](const Interval& interval) { return interval.high < 0; };
  const auto is_one_sided = [](const Interval& interval) {
    return interval.low >= 0 || interval.high < 0;
  };
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  for (const Interval& interval : needed) {
    if (!is_one_sided(interval) || !node.extents->assume_below(interval, kMost, premises) ||
        !node.extents->assume_above_minus(interval, kMost, premises))
      return false;
  }
  const auto negative = std::count_if(needed.begin(), needed.end(), is_negative);
  return !needed.empty() &&
         (is_by_column || negative == 0 || negative == static_cast<std::ptrdiff_t>(needed.size()));
}

// A proof that all indices address different cells because they differ; nothing if there is none.
std::optional<Judgement> prove_by_differences(const NodeView& node) {
  const Distinct& distinct = node.indices.fact.distinct;
  const std::optional<Axes> wanted = axes_of_updates(node);
  if (!wanted || distinct.along == 0) return std::nullopt;
  const std::size_t last = *node.indices.rank() - 1;
  const Axes ones = axes_of_one(*node.indices.fact.dims);
  const bool is_whole = !distinct.tuple_axis || (ones & bit(*distinct.tuple_axis)) != 0 ||
                        (node.family == kScatterND && distinct.tuple_axis == last);
  if (!is_whole || (*wanted & ~(distinct.along | ones)) != 0) return std::nullopt;
  Premises premises = united(distinct.premises, node.indices.fact.range.premises);
  if (!count_from_one_end(node, premises)) return std::nullopt;
  Judgement judgement = cannot("all " + node.text_of(node.indices) + " differ");
  judgement.input = &node.indices;
  judgement.evidence = Evidence::kRange;
  judgement.premises = std::move(premises);
  return judgement;
}

Judgement judge_repeats(const NodeView& node) {
  const InputView& indices = node.indices;
  const Counts counts = count_updates(node);
  if (indices.is_empty()) return cannot("there are no updates");
  if (counts.updates && *counts.updates <= 1) return cannot("no cell has a second update");
  const ExactElements known = exact_elements(indices);
  if (known.tensor != nullptr) {
    const Repeat repeat = find_repeat(node, *known.tensor);
    if (repeat.found) {
      Judgement judgement =
          *repeat.found ? happens(node.text_of(indices) + position_text(repeat.position) +
                                  " addresses a cell that an earlier one addresses, too")
                        : cannot("all " + node.text_of(indices) + " address different cells");
      judgement.input = &indices;
      judgement.position = repeat.position;
      judgement.evidence = known.evidence;
      if (known.evidence == Evidence::kRange) judgement.premises = indices.fact.range.premises;
      return judgement;
    }
  }
  if (auto proof = prove_by_differences(node)) return *proof;
  if (counts.updates && counts.cells && *counts.updates > *counts.cells && *counts.cells > 0 &&
      indices.has_elements())
    return happens(counted(*counts.updates, "update is of", "updates are of") + " " +
                   counted(*counts.cells, "cell"));
  return verdict_by_range(
      indices, false,
      "nothing proves that all " + node.text_of(indices) + " address different cells",
      {.words = "must not address a cell twice"});
}

}  // namespace

std::optional<Judgement> judge_duplicates(const NodeView& node) {
  if (node.reduces()) return std::nullopt;
  return judge_repeats(node);
}

// Reductions exist to address cells repeatedly, so there is no demand on the caller.
std::optional<Judgement> judge_reduced_duplicates(const NodeView& node) {
  if (!node.reduces()) return std::nullopt;
  Judgement judgement = judge_repeats(node);
  judgement.demands.clear();
  return judgement;
}

std::optional<Judgement> judge_float_sums(const NodeView& node) {
  if (!node.computes() || dtype_kind(node.data.fact.dtype) != DTypeKind::kFloat)
    return std::nullopt;
  return judge_reduced_duplicates(node);
}

// Gathers whose indices a Range counts, of which ONNX Runtime makes slices.

namespace {

// Whether a Range of the node's own graph gives the value and no other node reads it.
bool is_range_for_one_reader(const Graph& graph, const std::string& value) {
  bool is_range = false;
  std::ptrdiff_t readers = 0;
  for (const ModelNode& node : graph.nodes) {
    const bool gives = !node.outputs.empty() && node.outputs.front() == value;
    is_range |= gives && is_standard(node, "Range");
    readers += std::count(node.inputs.begin(), node.inputs.end(), value);
  }
  return is_range && readers == 1;
}

// Whether all indices are certain to lie below the extent.
bool are_below(const NodeView& node, Premises& premises) {
  if (!node.columns || node.indices.fact.range.integers.empty()) return false;
  const std::vector<Interval>& all = node.indices.fact.range.integers;
  premises = united(premises, premises_of_values(node.indices.fact));
  return std::all_of(all.begin(), all.end(), [&](const Interval& one) {
    return node.extents->is_below(one, node.columns->front().extent, premises);
  });
}

// Whether an index is certain to lie beyond the extent.
bool is_one_beyond(const NodeView& node) {
  if (!node.columns || !node.indices.has_elements()) return false;
  const Dim& extent = node.columns->front().extent;
  const std::vector<Interval>& all = node.indices.fact.range.integers;
  return extent.is_known() && std::any_of(all.begin(), all.end(), [&extent](const Interval& one) {
           return one.low >= extent.value;
         });
}

}  // namespace

std::optional<Judgement> judge_range_indices(const NodeView& node) {
  const std::optional<RangeEnds>& ends = node.indices.fact.range_ends;
  if (!ends || !is_range_for_one_reader(node.place->graph, node.value_of(node.indices)))
    return std::nullopt;
  const std::string range = "the Range that gives indices ";
  if (ends->start.high < 0) return happens(range + "starts at a negative number");
  if (ends->limit.high < 0) return happens(range + "has a negative limit");
  Judgement judgement;
  if (is_one_beyond(node)) {
    judgement = happens(range + "has an index beyond the axis");
    judgement.premises = premises_of_values(node.indices.fact);
    return judgement;
  }
  const bool is_negative = ends->start.low < 0 || ends->limit.low < 0;
  Premises premises;
  if (!is_negative && are_below(node, premises)) {
    judgement = cannot(range + "counts positions on the axis");
    judgement.premises = std::move(premises);
    return judgement;
  }
  return can(range + (is_negative ? "may have a negative start or limit"
                                  : "may have an index beyond the axis"));
}

}  // namespace windrow::internal
