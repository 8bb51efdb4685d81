#include "src/portability/index_condition.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "src/portability/cells.h"
#include "src/portability/promises.h"
#include "src/portability/tensor_elements.h"

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
  if (!node.columns || node.columns->empty()) return "the axis";
  return "axis " + std::to_string(column.axis) + " of " + node.text_of(node.data);
}

// "axis 0 of data takes -4 to 3"; without bounds "axis 0 of data has an unknown extent".
std::string demand_text(const NodeView& node, const IndexColumn& column, const Demand& demand) {
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

}  // namespace windrow::internal
