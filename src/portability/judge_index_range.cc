#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <variant>

#include "src/portability/index_condition.h"
#include "src/portability/judges.h"

namespace windrow::internal {
namespace {

// The bound `extent` plus an offset, or minus the extent; nothing if the extent has no name.
std::optional<Bound> bound_at(const Dim& dim, bool is_minus, std::int64_t offset,
                              const Extents& extents) {
  if (dim.is_known()) return Bound{"", false, (is_minus ? -dim.value : dim.value) + offset};
  if (extents.find(dim.symbol) < 0) return std::nullopt;
  return Bound{dim.symbol, is_minus, offset};
}

// The index addresses no element of the axis.
class OutOfRangeIndex final : public IndexCondition {
 public:
  // `counts_from_end`: whether -s to -1 address elements, too.
  explicit OutOfRangeIndex(bool counts_from_end) : counts_from_end_(counts_from_end) {}

  bool is_certain(const Interval& interval, const Dim& extent) const override {
    // An extent that is not known is at most `high`.
    const std::int64_t most = extent.is_known() ? extent.value : extent.high;
    return interval.low >= most || (counts_from_end_ ? interval.high < -most : interval.high < 0);
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
  std::string met_text(const std::string& legal) const override { return ", but " + legal; }
  std::string open_text(const std::string& legal) const override { return ", and " + legal; }

 private:
  bool counts_from_end_;
};

// The index is negative.
class NegativeIndex final : public IndexCondition {
 public:
  bool is_certain(const Interval& interval, const Dim&) const override { return interval.high < 0; }
  bool is_excluded(const Interval& interval, const Dim&, Extents&, Premises&) const override {
    return interval.low >= 0;
  }
  Demand demand(const Dim&, const Extents&) const override { return {Bound{}, std::nullopt, ""}; }
  std::string met_text(const std::string&) const override { return ", which is negative"; }
  std::string open_text(const std::string&) const override {
    return ", so that some may be negative";
  }
};

// The index is negative, and the axis has no fixed extent.
class NegativeOnDynamicAxis final : public IndexCondition {
 public:
  bool is_certain(const Interval& interval, const Dim& extent) const override {
    return interval.high < 0 && !extent.is_known();
  }
  bool is_excluded(const Interval& interval, const Dim& extent, Extents&,
                   Premises&) const override {
    return interval.low >= 0 || extent.is_known();
  }
  Demand demand(const Dim&, const Extents&) const override { return {Bound{}, std::nullopt, ""}; }
  std::string met_text(const std::string&) const override {
    return ", which is negative, and the extent of its axis is not fixed";
  }
  std::string open_text(const std::string&) const override {
    return ", so that some may be negative, and the extent of their axis is not fixed";
  }
};

// The position of a cache from which on updates do not fit.
class CachePosition final : public IndexCondition {
 public:
  // `length`: of the updates on the axis; nothing in circular mode, where any position is legal
  // that is not negative.
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
  std::string met_text(const std::string& legal) const override { return ", but " + legal; }
  std::string open_text(const std::string& legal) const override { return ", and " + legal; }

 private:
  std::optional<Dim> length_;
};

// The index is out of range and no int32.
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
    // That no axis has more than 2^31 - 1 elements is a premise; it is not worth a finding.
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

// Whether the operator's specification, or what runtimes agree on, lets negative indices count from
// the end.
bool counts_from_end(const NodeView& node) { return node.family != kFeatureExtractor; }

constexpr std::int64_t kShort = 64;

}  // namespace

std::optional<Judgement> judge_index_range(const NodeView& node) {
  return judge_indices(node, OutOfRangeIndex(counts_from_end(node)));
}

// OpenVINO's CPU plug-in copies from short data of 32-bit integers, and of 64-bit ones, which it
// narrows, without a look at the indices.
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
  return judge_indices(node, NegativeIndex());
}

std::optional<Judgement> judge_negative_in_old_gather(const NodeView& node) {
  if (node.version() >= 8) return cannot("the operator is " + node.operator_name());
  return judge_negative_index(node);
}

std::optional<Judgement> judge_negative_in_old_version(const NodeView& node) {
  const OperatorInfo& info = node.op->info;
  const bool is_old = node.dialect == kOnnx
                          ? info.name == "Scatter" || (info.name == "Gather" && node.version() < 11)
                          : (info.name == "GatherND" && node.version() < 8) ||
                                (info.name == "ScatterElementsUpdate" && node.version() < 12) ||
                                (info.name == "ScatterNDUpdate" && node.version() < 15);
  if (!is_old) return cannot("the operator is " + node.operator_name());
  return judge_negative_index(node);
}

std::optional<Judgement> judge_negative_in_old_one_hot(const NodeView& node) {
  if (node.version() >= 11) return cannot("the operator is " + node.operator_name());
  return judge_negative_index(node);
}

std::optional<Judgement> judge_negative_on_dynamic_axis(const NodeView& node) {
  return judge_indices(node, NegativeOnDynamicAxis());
}

std::optional<Judgement> judge_wide_index(const NodeView& node) {
  return judge_indices(node, WideIndex(counts_from_end(node)));
}

std::optional<Judgement> judge_cache_position(const NodeView& node) {
  if (!node.indices.is_given()) return cannot("without write_indices the updates begin at 0");
  const auto mode = node.place->node.attributes.find("mode");
  const auto* const text =
      mode == node.place->node.attributes.end() ? nullptr : std::get_if<std::string>(&mode->second);
  if (text != nullptr && *text == "circular")
    return judge_indices(node, CachePosition(std::nullopt));
  Dim length;
  if (node.axis && node.updates.fact.dims && *node.axis < node.updates.fact.dims->size())
    length = (*node.updates.fact.dims)[*node.axis];
  return judge_indices(node, CachePosition(length));
}

}  // namespace windrow::internal
