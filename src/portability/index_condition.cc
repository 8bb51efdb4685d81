#include "src/portability/index_condition.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "src/models/host_ops/host_ops.h"
#include "src/portability/cells.h"
#include "src/portability/contracts.h"
#include "src/portability/given_values.h"
#include "src/portability/indexing_operators.h"
#include "src/portability/judges.h"
#include "src/ranges/extents.h"

namespace windrow::internal {
namespace {

// An unknown axis, for indices that address one.
const IndexColumn kAnyColumn;

const IndexColumn& column_at(const NodeView& node, std::size_t element) {
  if (!node.columns || node.columns->empty()) return kAnyColumn;
  return (*node.columns)[element % node.columns->size()];
}

std::string axis_text(const NodeView& node, const IndexColumn& column) {
  if (node.family == kOneHot) return "depth";
  if ((node.family & (kSegmentMax | kSegmentIds)) != 0) return "axis 0 of the result";
  if (!node.columns || node.columns->empty()) return "the axis";
  return "axis " + std::to_string(column.axis) + " of " + node.text_of(node.data);
}

// "axis 0 of data takes -4 to 3"; without bounds "axis 0 of data has an unknown extent", or the
// words of the demand: "target must lie in 0 to 3, or be -1".
std::string demand_text(const NodeView& node, const IndexColumn& column, const Demand& demand) {
  if (!demand.low && !demand.high && !demand.words.empty())
    return node.text_of(node.indices) + " " + demand.words;
  std::string text = axis_text(node, column);
  if (demand.low && demand.high)
    return text + " takes " + to_string(*demand.low) + " to " + to_string(*demand.high);
  if (demand.low) return text + " takes none below " + to_string(*demand.low);
  return text + " has an unknown extent";
}

// The intervals in which the indices lie, each with its column.
class Intervals {
 public:
  // The intervals of the elements, if they are given; else those that the analysis of ranges found.
  Intervals(const NodeView& node, const Tensor* elements) : node_(&node) {
    if (elements != nullptr) {
      add_hulls(*elements);
    } else {
      add_facts();
    }
  }

  const std::vector<std::pair<Interval, const IndexColumn*>>& list() const { return list_; }
  bool are_unknown() const {
    return std::all_of(list_.begin(), list_.end(), [](const auto& item) {
      return item.first.low == Interval::kLowest && item.first.high == Interval::kHighest &&
             !item.first.above && !item.first.below;
    });
  }

  // "indices lie in 0 to 99", "indices lie in 0 to ids.shape[1] - 1"; of one column if it is given.
  std::string text(const IndexColumn* only = nullptr) const {
    Interval hull{Interval::kHighest, Interval::kLowest};
    for (const auto& [interval, column] : list_) {
      if (only != nullptr && column != only) continue;
      if (interval.low <= hull.low) hull.above = interval.above;
      if (interval.high >= hull.high) hull.below = interval.below;
      hull.low = std::min(hull.low, interval.low);
      hull.high = std::max(hull.high, interval.high);
    }
    const std::string name = node_->text_of(node_->indices);
    const std::string low = end_text(hull.low, hull.above);
    const std::string high = end_text(hull.high, hull.below);
    if (low.empty() && high.empty()) return "nothing is known of " + name;
    if (high.empty()) return name + " are at least " + low;
    if (low.empty()) return name + " are at most " + high;
    return name + " lie in " + low + " to " + high;
  }

 private:
  std::size_t column_count() const {
    return node_->columns ? std::max<std::size_t>(node_->columns->size(), 1) : 1;
  }

  // An end of an interval: the bound by an extent if the number follows from the largest extent
  // alone; empty if there is no bound.
  std::string end_text(std::int64_t number, const std::optional<ExtentBound>& bound) const {
    const bool is_vague = number <= -Extents::kLargest / 2 || number >= Extents::kLargest / 2;
    if (is_vague && bound)
      return to_string({node_->extents->text_of(*bound), bound->factor < 0, bound->offset});
    if (number == Interval::kLowest || number == Interval::kHighest) return "";
    return std::to_string(number);
  }

  // Adds one interval for each column: the hull of its elements.
  void add_hulls(const Tensor& elements) {
    const std::size_t count = column_count();
    std::vector<Interval> hulls(count, {Interval::kHighest, Interval::kLowest});
    std::size_t column = 0;
    find_integer(elements, [&](std::int64_t, std::int64_t value) {
      hulls[column].low = std::min(hulls[column].low, value);
      hulls[column].high = std::max(hulls[column].high, value);
      if (++column == count) column = 0;
      return false;
    });
    for (std::size_t i = 0; i < count; ++i) list_.emplace_back(hulls[i], &column_at(*node_, i));
  }

  void add_facts() {
    const ValueFact& fact = node_->indices.fact;
    const ValueRange& range = fact.range;
    const std::size_t count = column_count();
    const bool is_by_column = count == 1 || range.grain == ValueRange::Grain::kElement ||
                              (range.grain == ValueRange::Grain::kAxis && fact.dims &&
                               static_cast<std::size_t>(range.axis) + 1 == fact.dims->size());
    if (range.integers.empty()) {
      for (std::size_t i = 0; i < count; ++i) list_.emplace_back(Interval(), &column_at(*node_, i));
    }
    for (std::size_t i = 0; i < range.integers.size(); ++i) {
      if (is_by_column && range.integers.size() > 1) {
        list_.emplace_back(range.integers[i], &column_at(*node_, i));
        continue;
      }
      for (std::size_t column = 0; column < count; ++column)
        list_.emplace_back(range.integers[i], &column_at(*node_, column));
    }
  }

  const NodeView* node_;
  std::vector<std::pair<Interval, const IndexColumn*>> list_;
};

// The first element that certainly meets the condition.
void find_first(const NodeView& node, const IndexCondition& condition, const Tensor& elements,
                Judgement& judgement) {
  std::size_t element = 0;
  const auto found = find_integer(elements, [&](std::int64_t, std::int64_t value) {
    return condition.is_certain({value, value}, column_at(node, element++).extent);
  });
  if (!found) return;
  const IndexColumn& column = column_at(node, static_cast<std::size_t>(*found));
  judgement.verdict = Verdict::kHappens;
  judgement.position = unravel(*found, elements.shape());
  judgement.value = element_text(elements, *found);
  const Demand demand = condition.demand(column.extent, *node.extents);
  judgement.what = node.text_of(node.indices) + position_text(judgement.position) + " is " +
                   judgement.value + condition.met_text(demand_text(node, column, demand));
}

Evidence evidence_of(const NodeView& node, const Tensor* elements) {
  if (elements == nullptr && node.indices.fact.constant == nullptr) return Evidence::kRange;
  return node.indices.is_observed ? Evidence::kInputs : Evidence::kConstant;
}

// Judges indices whose elements are not known: the condition is met if all of one interval meets
// it.
void judge_certain(const NodeView& node, const IndexCondition& condition,
                   const Intervals& intervals, Judgement& judgement) {
  const std::optional<Premises> premises = premises_of_certain(node.indices, *node.extents);
  if (!premises) return;
  for (std::size_t i = 0; i < intervals.list().size(); ++i) {
    const auto& [interval, column] = intervals.list()[i];
    if (!condition.is_certain(interval, column->extent)) continue;
    judgement.verdict = Verdict::kHappens;
    judgement.premises = *premises;
    if (interval.low == interval.high) judgement.value = std::to_string(interval.low);
    const Demand demand = condition.demand(column->extent, *node.extents);
    judgement.what =
        intervals.text(column) + condition.met_text(demand_text(node, *column, demand));
    return;
  }
}

// Names the first element that meets the condition, where intervals give each element.
void name_exact(const NodeView& node, const IndexCondition& condition, Judgement& judgement) {
  const ExactElements exact = exact_elements(node.indices);
  if (exact.tensor == nullptr) return;
  find_first(node, condition, *exact.tensor, judgement);
  if (judgement.verdict == Verdict::kHappens) judgement.premises = node.indices.fact.range.premises;
}

// The first column whose indices may meet the condition; null if there is none.
const IndexColumn* find_open(const NodeView& node, const IndexCondition& condition,
                             const Intervals& intervals, Premises& premises) {
  for (const auto& [interval, column] : intervals.list()) {
    if (!condition.is_excluded(interval, column->extent, *node.extents, premises)) return column;
  }
  return nullptr;
}

// The demand that no index meets the condition: bounds, or, if the columns of index tuples have
// different bounds, those of each column.
Demand demand_of(const NodeView& node, const IndexCondition& condition, const IndexColumn& open) {
  Demand demand = condition.demand(open.extent, *node.extents);
  demand.is_of_interval = true;
  if (!node.columns || node.columns->size() < 2) return demand;
  std::vector<ColumnBounds> columns;
  bool are_equal = true;
  for (const IndexColumn& column : *node.columns) {
    const Demand one = condition.demand(column.extent, *node.extents);
    are_equal = are_equal && one.low == demand.low && one.high == demand.high;
    columns.push_back({one.low, one.high});
  }
  if (are_equal) return demand;
  return {.columns = std::move(columns), .is_of_interval = true};
}

}  // namespace

Judgement judge_indices(const NodeView& node, const IndexCondition& condition) {
  const InputView& indices = node.indices;
  if (indices.is_empty() && !indices.is_misread)
    return cannot(node.text_of(indices) + " has no elements");
  Judgement judgement;
  judgement.input = &indices;
  Intervals intervals(node, nullptr);
  const Tensor* known = nullptr;
  Result<std::shared_ptr<const Tensor>> elements = std::shared_ptr<const Tensor>();
  Premises premises = indices.fact.range.premises;
  const IndexColumn* open = find_open(node, condition, intervals, premises);
  // The elements are read if the intervals do not suffice. OneHot may have indices of floats.
  if (open != nullptr && is_integer(indices.fact.dtype)) {
    elements = elements_of(indices);
    known = elements ? elements->get() : nullptr;
  }
  if (known != nullptr) {
    intervals = Intervals(node, known);
    premises.clear();
    open = find_open(node, condition, intervals, premises);
  }
  judgement.evidence = evidence_of(node, known);
  if (open == nullptr) {
    judgement.verdict = Verdict::kCannot;
    judgement.premises = std::move(premises);
    if (node.shows_cannot) judgement.what = intervals.text();
    return judgement;
  }
  judgement.knows_nothing = intervals.are_unknown();
  judgement.demands = {{&indices, demand_of(node, condition, *open)}};
  judgement.what =
      intervals.text(open) +
      condition.open_text(demand_text(node, *open, condition.demand(open->extent, *node.extents)));
  if (!elements) judgement.what += " (" + elements.error().message() + ")";
  if (known != nullptr) {
    find_first(node, condition, *known, judgement);
  } else {
    judgement.premises = node.extents->assumptions_among(indices.fact.range.premises);
    judge_certain(node, condition, intervals, judgement);
    name_exact(node, condition, judgement);
  }
  return judgement;
}

namespace {

// The extent, or minus the extent, plus an offset; nothing if the extent has no name.
std::optional<Bound> bound_at(const Dim& dim, bool is_minus, std::int64_t offset,
                              const Extents& extents) {
  if (dim.is_known()) return Bound{"", false, (is_minus ? -dim.value : dim.value) + offset};
  if (extents.find(dim.symbol) < 0) return std::nullopt;
  return Bound{dim.symbol, is_minus, offset};
}

// Condition: the index addresses no element of the axis.
class OutOfRangeIndex final : public IndexCondition {
 public:
  // `counts_from_end`: whether -s to -1 address elements.
  explicit OutOfRangeIndex(bool counts_from_end) : counts_from_end_(counts_from_end) {}

  bool is_certain(const Interval& interval, const Dim& extent) const override {
    const std::int64_t beyond = most(extent);
    return interval.low >= beyond || interval.high < (counts_from_end_ ? -beyond : 0);
  }
  bool is_excluded(const Interval& interval, const Dim& extent, Extents& extents,
                   Premises& premises) const override {
    Premises used = premises;
    if (!extents.is_below(interval, extent, used)) return false;
    if (interval.low < 0 &&
        (!counts_from_end_ || !extents.is_at_least_minus(interval, extent, used)))
      return false;
    premises = std::move(used);
    return true;
  }
  Demand demand(const Dim& extent, const Extents& extents) const override {
    Demand demand;
    demand.low = counts_from_end_ ? bound_at(extent, true, 0, extents) : Bound{};
    demand.high = bound_at(extent, false, -1, extents);
    return demand;
  }

 private:
  bool counts_from_end_;
};

// Condition: the index is negative; if `on_dynamic_axis`, also that the extent of its axis is not
// fixed.
class NegativeIndex final : public IndexCondition {
 public:
  explicit NegativeIndex(bool on_dynamic_axis) : on_dynamic_axis_(on_dynamic_axis) {}

  bool is_certain(const Interval& interval, const Dim& extent) const override {
    return interval.high < 0 && applies_to(extent);
  }
  bool is_excluded(const Interval& interval, const Dim& extent, Extents&,
                   Premises&) const override {
    return interval.low >= 0 || !applies_to(extent);
  }
  Demand demand(const Dim&, const Extents&) const override { return {.low = Bound{}}; }
  std::string met_text(const std::string&) const override {
    return on_dynamic_axis_ ? ", which is negative, and the extent of its axis is not fixed"
                            : ", which is negative";
  }
  std::string open_text(const std::string&) const override {
    return std::string(", so that some may be negative") +
           (on_dynamic_axis_ ? ", and the extent of their axis is not fixed" : "");
  }

 private:
  bool applies_to(const Dim& extent) const { return !on_dynamic_axis_ || !extent.is_known(); }

  bool on_dynamic_axis_;
};

// Condition: the index is negative, or a position in a cache after which the updates do not fit.
class CachePosition final : public IndexCondition {
 public:
  // `length` is the updates' extent on the axis, or nothing in circular mode, where every position
  // that is not negative is legal.
  explicit CachePosition(std::optional<Dim> length) : length_(std::move(length)) {}

  bool is_certain(const Interval& interval, const Dim& extent) const override {
    if (interval.high < 0) return true;
    if (!length_ || !extent.is_known() || !length_->is_known()) return false;
    return interval.low > extent.value - length_->value;
  }
  bool is_excluded(const Interval& interval, const Dim& extent, Extents&,
                   Premises&) const override {
    if (interval.low < 0) return false;
    if (!length_) return true;
    return extent.is_known() && length_->is_known() &&
           interval.high <= extent.value - length_->value;
  }
  Demand demand(const Dim& extent, const Extents&) const override {
    Demand demand{.low = Bound{}};
    if (length_ && extent.is_known() && length_->is_known())
      demand.high = Bound{"", false, extent.value - length_->value};
    if (length_ && !demand.high) demand.words = "must leave room for the updates in the cache";
    return demand;
  }

 private:
  std::optional<Dim> length_;
};

// Condition: the index is out of range and does not fit in int32.
class WideIndex final : public IndexCondition {
 public:
  explicit WideIndex(bool counts_from_end) : out_of_range_(counts_from_end) {}

  bool is_certain(const Interval& interval, const Dim& extent) const override {
    return (interval.low > kHigh || interval.high < kLow) &&
           out_of_range_.is_certain(interval, extent);
  }
  bool is_excluded(const Interval& interval, const Dim& extent, Extents& extents,
                   Premises& premises) const override {
    if (interval.low >= kLow && interval.high <= kHigh) return true;
    if (out_of_range_.is_excluded(interval, extent, extents, premises)) return true;
    // Adds the premise that no axis has more than 2^31 - 1 elements, which is not worth a finding.
    Premises used = premises;
    if (!extents.assume_below(interval, kHigh, used) ||
        !extents.assume_above_minus(interval, kHigh, used))
      return false;
    premises = std::move(used);
    return true;
  }
  Demand demand(const Dim& extent, const Extents& extents) const override {
    Demand demand = out_of_range_.demand(extent, extents);
    if (!demand.low) demand.low = Bound{"", false, kLow};
    if (!demand.high) demand.high = Bound{"", false, kHigh};
    return demand;
  }
  std::string met_text(const std::string&) const override {
    return ", which no int32 holds, and out of range";
  }
  std::string open_text(const std::string&) const override {
    return ", so that some may be out of range by more than an int32 holds";
  }

 private:
  static constexpr std::int64_t kLow = std::numeric_limits<std::int32_t>::min();
  static constexpr std::int64_t kHigh = std::numeric_limits<std::int32_t>::max();

  OutOfRangeIndex out_of_range_;
};

// Condition: the index is illegal by the row of an operator that the library does not compute.
class ForeignIndex final : public IndexCondition {
 public:
  // `ignored`: an index that addresses nothing and is legal.
  ForeignIndex(const IndexingOperator& row, std::optional<std::int64_t> ignored)
      : row_(row), out_of_range_(row.counts_from_end), ignored_(ignored) {}

  bool is_certain(const Interval& interval, const Dim& extent) const override {
    if (ignored_ && interval.low <= *ignored_ && *ignored_ <= interval.high) return false;
    return out_of_range_.is_certain(shifted(interval), extent);
  }
  bool is_excluded(const Interval& interval, const Dim& extent, Extents& extents,
                   Premises& premises) const override {
    if (ignored_ && interval.low == *ignored_ && interval.high == *ignored_) return true;
    return (row_.counts_from_end || interval.low >= 0) &&
           out_of_range_.is_excluded(shifted(interval), extent, extents, premises);
  }
  Demand demand(const Dim& extent, const Extents& extents) const override {
    Demand demand = out_of_range_.demand(extent, extents);
    if (demand.high) demand.high->offset += row_.beyond;
    if (!ignored_) return demand;
    return {.words = "must lie in 0 to " +
                     (demand.high ? to_string(*demand.high) : std::string("the axis's last")) +
                     ", or be " + std::to_string(*ignored_)};
  }

 private:
  // The interval of indices by which the last legal one is the last of the axis. Negative indices
  // stay so.
  Interval shifted(Interval interval) const {
    if (row_.beyond == 0) return interval;
    if (interval.low >= row_.beyond)
      interval.low -= row_.beyond;
    else if (interval.low >= 0)
      interval.low = 0;
    if (interval.high >= row_.beyond && interval.high != Interval::kHighest)
      interval.high -= row_.beyond;
    interval.above.reset();
    if (interval.below) interval.below->offset -= row_.beyond;
    return interval;
  }

  const IndexingOperator& row_;
  OutOfRangeIndex out_of_range_;
  std::optional<std::int64_t> ignored_;
};

// Whether negative indices count from the end by the operator's specification or by what runtimes
// agree on.
bool counts_from_end(const NodeView& node) { return node.family != kFeatureExtractor; }

// Judges negative indices in the versions of an operator that treat them differently.
Judgement judge_negative_if(const NodeView& node, bool is_old) {
  return is_old ? judge_indices(node, NegativeIndex(false)) : cannot(operator_text(node));
}

// Whether a constant of the graph surely has another element than 0.
bool has_nonzero(const Graph& graph, const std::string& name) {
  const auto is_nonzero = [](const Tensor& tensor) {
    return find_integer(tensor, [](auto, std::int64_t number) { return number != 0; }).has_value();
  };
  const auto given = graph.constants.find(name);
  if (given != graph.constants.end()) {
    const auto tensor = given->second.tensor();
    return tensor && is_nonzero(**tensor);
  }
  for (const ModelNode& node : graph.nodes) {
    if (!is_constant(node) || node.outputs.empty() || node.outputs.front() != name) continue;
    const auto value = constant_value(node, 13);
    return value && is_nonzero(**value);
  }
  return false;
}

// Whether a Slice of the node's own graph gives the value, which may begin where its data begins.
bool is_slice_from_start(const Graph& graph, const std::string& value) {
  for (const ModelNode& node : graph.nodes) {
    if (!is_standard(node, "Slice") || node.outputs.empty() || node.outputs.front() != value)
      continue;
    const auto listed = node.attributes.find("starts");
    if (listed != node.attributes.end()) {
      const auto* const starts = std::get_if<std::vector<std::int64_t>>(&listed->second);
      return starts == nullptr ||
             std::all_of(starts->begin(), starts->end(), [](auto start) { return start == 0; });
    }
    return node.inputs.size() < 2 || !has_nonzero(graph, node.inputs[1]);
  }
  return false;
}

// Whether known index tuples would all be in range if their columns stood in the reverse order, as
// where an exporter or a porter swapped rows and columns.
bool fits_in_reverse(const NodeView& node) {
  if ((node.family & kTupled) == 0 || !node.columns || node.columns->size() < 2) return false;
  const ExactElements known = exact_elements(node.indices);
  if (known.tensor == nullptr) return false;
  const std::vector<IndexColumn>& columns = *node.columns;
  const auto is_beyond = [&columns](std::int64_t at, std::int64_t value) {
    const std::size_t column = static_cast<std::size_t>(at) % columns.size();
    const Dim& extent = columns[columns.size() - 1 - column].extent;
    return !extent.is_known() || value >= extent.value || value < -extent.value;
  };
  return !find_integer(*known.tensor, is_beyond);
}

constexpr std::int64_t kShort = 64;

}  // namespace

std::optional<Judgement> judge_index_range(const NodeView& node) {
  Judgement judgement = judge_indices(node, OutOfRangeIndex(counts_from_end(node)));
  if (judgement.verdict == Verdict::kHappens && fits_in_reverse(node))
    judgement.what +=
        "; with the columns of the tuples in the reverse order every index is in range: they may "
        "be swapped";
  return judgement;
}

// OpenVINO's CPU plug-in does not check the indices where data is a short vector of 32-bit
// integers, or of 64-bit integers, which it narrows.
std::optional<Judgement> judge_short_index_range(const NodeView& node) {
  constexpr std::array kTypes = {DType::kInt32, DType::kInt64, DType::kUint32, DType::kUint64};
  const auto rank = node.data.rank();
  const auto extent = node.data.extent(0);
  const bool is_other =
      (rank && *rank != 1) || (extent && *extent > kShort) ||
      (node.data.fact.dtype != DType::kAbsent &&
       std::find(kTypes.begin(), kTypes.end(), node.data.fact.dtype) == kTypes.end());
  if (is_other) return cannot(node.text_of(node.data) + " is not a short vector of such integers");
  Judgement judgement = judge_indices(node, OutOfRangeIndex(true));
  const bool is_known = rank && extent && node.data.fact.dtype != DType::kAbsent;
  if (judgement.verdict == Verdict::kHappens && !is_known) judgement.verdict = Verdict::kCan;
  return judgement;
}

std::optional<Judgement> judge_negative_index(const NodeView& node) {
  return judge_indices(node, NegativeIndex(false));
}

std::optional<Judgement> judge_negative_in_old_gather(const NodeView& node) {
  return judge_negative_if(node, node.version() < 8);
}

std::optional<Judgement> judge_negative_in_old_version(const NodeView& node) {
  const OperatorInfo& info = node.op->info;
  const bool is_old = node.dialect == kOnnx
                          ? info.name == "Scatter" || (info.name == "Gather" && node.version() < 11)
                          : (info.name == "GatherND" && node.version() < 8) ||
                                (info.name == "ScatterElementsUpdate" && node.version() < 12) ||
                                (info.name == "ScatterNDUpdate" && node.version() < 15);
  return judge_negative_if(node, is_old);
}

std::optional<Judgement> judge_negative_in_old_one_hot(const NodeView& node) {
  return judge_negative_if(node, node.version() < 11);
}

std::optional<Judgement> judge_negative_on_dynamic_axis(const NodeView& node) {
  return judge_indices(node, NegativeIndex(true));
}

std::optional<Judgement> judge_negative_after_slice(const NodeView& node) {
  if (!is_slice_from_start(node.place->graph, node.value_of(node.data))) return std::nullopt;
  return judge_indices(node, NegativeIndex(false));
}

std::optional<Judgement> judge_wide_index(const NodeView& node) {
  return judge_indices(node, WideIndex(counts_from_end(node)));
}

std::optional<Judgement> judge_foreign_index(const NodeView& node) {
  return judge_indices(node, ForeignIndex(*node.indexing, node.ignored));
}

std::optional<Judgement> judge_cache_position(const NodeView& node) {
  if (!node.indices.is_given()) return cannot("without write_indices the updates begin at 0");
  if (node.is_circular) return judge_indices(node, CachePosition(std::nullopt));
  Dim length;
  if (node.axis && node.updates.fact.dims && *node.axis < node.updates.fact.dims->size())
    length = (*node.updates.fact.dims)[*node.axis];
  return judge_indices(node, CachePosition(length));
}

}  // namespace windrow::internal
