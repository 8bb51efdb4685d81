#include "src/reference/segments.h"

#include <optional>
#include <set>
#include <string>

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

// Writes `empty` into the segments that no id names.
void fill_empty_segments(const Call& call, const IndexRule& rule, const Element& empty,
                         Tensor& result) {
  std::set<std::int64_t> named;
  for_each_position(call.indices().shape, [&](const Position& i) {
    if (const auto segment = coordinate(rule, call.indices(), i)) named.insert(*segment);
    return true;
  });
  for_each_position(result.shape(), [&](const Position& p) {
    if (!named.contains(p[0])) write_element(result, p, empty);
    return true;
  });
}

}  // namespace

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
  const auto start = filled(call, identity_element(data.dtype, reduction), shape);
  if (!start) return start.error();
  auto result = scatter(call, start->view(), data, "data", {reduction, true, false},
                        [&](const Position& p) -> std::optional<Position> {
                          const auto segment = coordinate(rule, ids, slice(p, 0, 1));
                          if (!segment) return std::nullopt;
                          return Position{*segment} + tail(p, 1);
                        });
  if (result) fill_empty_segments(call, rule, empty, *result);
  return result;
}

}  // namespace windrow::internal::reference
