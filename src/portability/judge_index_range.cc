#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "src/portability/cells.h"
#include "src/portability/index_condition.h"
#include "src/portability/indexing_operators.h"
#include "src/portability/judges.h"
#include "src/portability/tensor_elements.h"
#include "src/ranges/dims.h"

namespace windrow::internal {
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
                     (demand.high ? to_string(*demand.high) : std::string("the last class")) +
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
