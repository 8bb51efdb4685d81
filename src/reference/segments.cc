#include "src/reference/segments.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/reference/loops.h"

namespace windrow::internal::reference {
namespace {

bool is_less(const TensorView& ids, const Position& a, const Position& b) {
  if (ids.dtype == DType::kUint64) return read_uint64(ids, a) < read_uint64(ids, b);
  return read_index(ids, a) < read_index(ids, b);
}

Status check_order(const Call& call, std::string_view rule) {
  const TensorView& ids = call.indices();
  Position before;
  Status status;
  for_each_position(ids.shape, [&](const Position& i) {
    if (!before.empty() && is_less(ids, i, before))
      status =
          call.invalid(rule, "segment_ids" + to_string(i) + " is " + index_text(ids, i) +
                                 " after " + index_text(ids, before) + ", must not be smaller");
    before = i;
    return status.ok();
  });
  return status;
}

}  // namespace

Result<std::vector<std::int64_t>> read_offsets(const Call& call, std::string_view rule,
                                               const TensorView& view, const OffsetRange& range) {
  const std::int64_t samples = range.samples;
  const std::int64_t total = view.shape[0];
  const auto is_outside = [&](std::int64_t i) {
    const std::int64_t offset = read_index(view, {i});
    return offset < 0 || offset > samples;
  };
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i < total; ++i) {
    const std::int64_t offset = read_index(view, {i});
    const std::string text = "offsets" + to_string(Position{i}) + " is " + index_text(view, {i});
    if (is_outside(i)) {
      IndexFault fault;
      fault.input = "offsets";
      fault.position = {i};
      fault.value = offset;
      fault.value_text = index_text(view, {i});
      fault.extent = samples;
      for (std::int64_t other = i; other < total; ++other) fault.count += is_outside(other) ? 1 : 0;
      const std::string found = std::to_string(fault.count) + " of " + std::to_string(total) +
                                (fault.count == 1 ? " is" : " are") + " out of range";
      return call.index(rule, text + ", must be in [0, " + std::to_string(samples) + "]; " + found,
                        std::move(fault));
    }
    if (range.begins_with_0 && i == 0 && offset != 0)
      return call.invalid(rule, text + ", must be 0");
    if (i > 0 && offset < offsets.back())
      return call.invalid(rule, text + " after " + std::to_string(offsets.back()));
    offsets.push_back(offset);
  }
  return offsets;
}

Status check_segment_policy(const Call& call, std::string_view name) {
  if (call.policy() == OutOfRange::kError || call.policy() == OutOfRange::kSkip) return {};
  return call.unfit_policy(std::string(name) + " takes error and skip");
}

Status check_segment_ids(const Call& call) {
  const Shape& data = call.data().shape;
  const Shape& ids = call.indices().shape;
  if (ids == slice(data, 0, 1)) return {};
  return call.shape("C2", "segment_ids have shape " + to_string(ids) +
                              ", must have one element for each row of data, " + to_string(data));
}

namespace {

// Folds every row of data into the segment that `segment_of` has of it, if that is one.
template <class SegmentOf>
Result<Tensor> fold(const Call& call, const Shape& shape, Reduction reduction, const Element& empty,
                    const SegmentOf& segment_of) {
  const TensorView& data = call.data();
  const auto start = filled(call, identity_element(data.dtype, reduction), shape);
  if (!start) return start.error();
  auto result = scatter(call, start->view(), data, "data", {reduction, true, false},
                        [&](const Position& p) -> std::optional<Position> {
                          const std::optional<std::int64_t> segment = segment_of(p[0]);
                          if (!segment) return std::nullopt;
                          return Position{*segment} + tail(p, 1);
                        });
  if (!result) return result;
  std::set<std::int64_t> named;
  for (std::int64_t row = 0; row < data.shape[0]; ++row)
    if (const auto segment = segment_of(row)) named.insert(*segment);
  for_each_position(shape, [&](const Position& p) {
    if (!named.contains(p[0])) write_element(*result, p, empty);
    return true;
  });
  return result;
}

}  // namespace

Result<Tensor> fold_segments(const Call& call, const SegmentRules& rules, std::int64_t count,
                             Reduction reduction, const Element& empty) {
  const TensorView& data = call.data();
  const TensorView& ids = call.indices();
  const Shape shape = Shape{count} + tail(data.shape, 1);
  const IndexRule rule = index_rule(call, rules.ids, shape, 0);
  Status status = call.check_result(data.dtype, shape);
  if (status) status = check_order(call, rules.order);
  if (status) status = check_indices(call, {rules.ids.rule, "segment_ids", "output"}, ids, rule);
  if (!status) return status;
  return fold(call, shape, reduction, empty,
              [&](std::int64_t row) { return coordinate(rule, ids, Position{row}); });
}

Result<Tensor> fold_between(const Call& call, std::string_view rule, const TensorView& offsets,
                            std::int64_t count, Reduction reduction) {
  const TensorView& data = call.data();
  const Shape shape = Shape{count} + tail(data.shape, 1);
  if (Status status = call.check_result(data.dtype, shape); !status) return status;
  auto begins = read_offsets(call, rule, offsets, {data.shape[0], false});
  if (!begins) return begins.error();
  if (static_cast<std::int64_t>(begins->size()) == count) begins->push_back(data.shape[0]);
  return fold(call, shape, reduction, identity_element(data.dtype, reduction),
              [&](std::int64_t row) -> std::optional<std::int64_t> {
                for (std::int64_t segment = 0; segment < count; ++segment) {
                  const auto at = static_cast<std::size_t>(segment);
                  if ((*begins)[at] <= row && row < (*begins)[at + 1]) return segment;
                }
                return std::nullopt;
              });
}

}  // namespace windrow::internal::reference
