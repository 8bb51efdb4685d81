#include <algorithm>
#include <limits>
#include <utility>

#include "src/portability/cells.h"
#include "src/portability/judges.h"
#include "src/portability/tensor_elements.h"
#include "src/ranges/dims.h"
#include "src/ranges/distinct.h"
#include "windrow/counted.h"

namespace windrow::internal {
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

}  // namespace windrow::internal
