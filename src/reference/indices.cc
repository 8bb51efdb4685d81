#include "src/reference/indices.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "src/reference/element.h"
#include "src/reference/loops.h"

namespace windrow::internal::reference {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

std::string element_name(std::string_view tensor, const Position& position) {
  return position.empty() ? std::string(tensor) : std::string(tensor) + to_string(position);
}

bool is_legal(const IndexRule& rule, std::int64_t index) {
  return index >= rule.low && index <= rule.high && (index >= 0 || index <= rule.highest_negative);
}

std::string legal_text(const IndexRule& rule) {
  const auto between = [](std::int64_t low, std::int64_t high) {
    return std::to_string(low) + " to " + std::to_string(high);
  };
  if (rule.low > rule.high) return "no index is legal";
  if (rule.highest_negative == -1) return "legal: " + between(rule.low, rule.high);
  return "legal: " + between(rule.low, rule.highest_negative) + " and " + between(0, rule.high);
}

std::string padding_text(const IndexRule& rule) {
  return rule.padding ? ", padding: " + std::to_string(*rule.padding) : "";
}

// Whether a bad index breaks CALL-O3.
bool is_refused(const Call& call, const IndexFault& fault) {
  return call.negative() == NegativeIndex::kError && fault.value < 0;
}

std::string describe(const Call& call, const IndexNames& names, const IndexRule& rule,
                     const Position& position, const IndexFault& fault, std::int64_t all) {
  std::string text = element_name(names.indices, position) + " is " + fault.value_text;
  if (is_refused(call, fault)) {
    text += ", negative, and the call says negative=error";
  } else {
    text += ", out of range for axis " + std::to_string(rule.axis) + " of " +
            std::string(names.data) + " with extent " + std::to_string(rule.extent) + " (" +
            legal_text(rule) + padding_text(rule) + ")";
  }
  return text + "; " + std::to_string(fault.count) + " of " + std::to_string(all) + " indices " +
         (fault.count == 1 ? "is" : "are") +
         (call.negative() == NegativeIndex::kError ? " refused" : " out of range");
}

}  // namespace

Negatives negatives_in(const Call& call, Negatives own) {
  if (!call.negative() || own == Negatives::kRefused) return own;
  if (call.negative() == NegativeIndex::kFromEnd) return Negatives::kCountFromEnd;
  return call.negative() == NegativeIndex::kError ? Negatives::kRefused : Negatives::kOutside;
}

IndexRule index_rule(OutOfRange policy, Negatives negatives, const Shape& data, int axis) {
  const std::int64_t s = data[axis];
  IndexRule rule{axis, s, 0, s - 1, -1, policy, negatives, {}};
  switch (policy) {
    case OutOfRange::kError:
      if (negatives == Negatives::kCountFromEnd) rule.low = -s;
      return rule;
    case OutOfRange::kClamp:
    case OutOfRange::kModulo:
      if (s == 0) return rule;  // no coordinate to choose
      break;
    default:
      break;
  }
  if (negatives != Negatives::kRefused) rule.low = kLowest;
  rule.high = kHighest;
  return rule;
}

IndexRule index_rule(const Call& call, const IndexUse& use, const Shape& data, int axis) {
  const OutOfRange policy = use.policy.value_or(call.policy());
  IndexRule rule = index_rule(policy, negatives_in(call, use.negatives), data, axis);
  rule.padding = call.padding();
  return rule;
}

bool is_padding(const IndexRule& rule, const TensorView& indices, const Position& position) {
  if (!rule.padding) return false;
  if (indices.dtype != DType::kUint64) return read_index(indices, position) == *rule.padding;
  return *rule.padding >= 0 &&
         read_uint64(indices, position) == static_cast<std::uint64_t>(*rule.padding);
}

std::optional<std::int64_t> coordinate(const IndexRule& rule, const TensorView& indices,
                                       const Position& position) {
  if (is_padding(rule, indices, position)) return std::nullopt;
  if (rule.policy != OutOfRange::kModulo || indices.dtype != DType::kUint64)
    return coordinate(rule, read_index(indices, position));
  return static_cast<std::int64_t>(read_uint64(indices, position) %
                                   static_cast<std::uint64_t>(rule.extent));
}

std::optional<std::int64_t> coordinate(const IndexRule& rule, std::int64_t index) {
  const std::int64_t s = rule.extent;
  if (rule.policy == OutOfRange::kModulo) return modulo(index, s);
  const bool from_end = index < 0 && rule.negatives != Negatives::kOutside;
  const std::int64_t c = from_end ? index + s : index;
  if (rule.policy == OutOfRange::kClamp) return std::clamp<std::int64_t>(c, 0, s - 1);
  if (c < 0 || c >= s) return std::nullopt;
  return c;
}

std::int64_t modulo(std::int64_t value, std::int64_t extent) {
  const std::int64_t remainder = value % extent;
  return remainder < 0 ? remainder + extent : remainder;
}

std::optional<int> normal_axis(std::int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) return std::nullopt;
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Result<int> check_axis(const Call& call, std::int64_t axis, std::string_view name, int rank) {
  if (const auto normal = normal_axis(axis, rank)) return *normal;
  return call.invalid("A1", "axis is " + std::to_string(axis) + ", must be in [" +
                                std::to_string(-rank) + ", " + std::to_string(rank - 1) + "] for " +
                                std::string(name) + " of rank " + std::to_string(rank));
}

Status check_indices(const Call& call, const IndexNames& names, const TensorView& indices,
                     const std::function<const IndexRule&(const Position&)>& rule_at) {
  IndexFault fault;
  IndexRule first_rule;
  Position first;
  for_each_position(indices.shape, [&](const Position& position) {
    const IndexRule& rule = rule_at(position);
    const std::int64_t index = read_index(indices, position);
    if (is_legal(rule, index) || is_padding(rule, indices, position)) return true;
    if (fault.count++ == 0) {
      fault.value = index;
      fault.value_text = index_text(indices, position);
      first_rule = rule;
      first = position;
    }
    return true;
  });
  if (fault.count == 0) return {};
  fault.input = names.indices;
  fault.position.assign(first.begin(), first.end());
  fault.axis = first_rule.axis;
  fault.extent = first_rule.extent;
  const std::int64_t all = *element_count(indices.shape);
  const std::string text = describe(call, names, first_rule, first, fault, all);
  if (is_refused(call, fault)) return call.negative_index(text, std::move(fault));
  return call.index(names.rule, text, std::move(fault));
}

Status check_indices(const Call& call, const IndexNames& names, const TensorView& indices,
                     const IndexRule& rule) {
  return check_indices(call, names, indices,
                       [&](const Position&) -> const IndexRule& { return rule; });
}

Result<IndexRule> check_indices(const Call& call, const IndexUse& use, int axis) {
  const IndexRule rule = index_rule(call, use, call.data().shape, axis);
  const Status status = check_indices(call, {use.rule, "indices", "data"}, call.indices(), rule);
  if (!status) return status;
  return rule;
}

namespace {

// The position in data for one in indices.
Address element_address(const IndexRule& rule, const TensorView& indices) {
  return [rule, indices](const Position& i) -> std::optional<Position> {
    const auto c = coordinate(rule, indices, i);
    if (!c) return std::nullopt;
    Position p = i;
    p[rule.axis] = *c;
    return p;
  };
}

}  // namespace

Status check_gather_ranks(const Call& call) {
  const int r = call.data().shape.rank();
  const int q = call.indices().shape.rank();
  if (r >= 1 && q == r) return {};
  return call.shape("C1", "data has rank " + std::to_string(r) + " and indices have rank " +
                              std::to_string(q) + ", must be equal and at least 1");
}

Status check_equal_ranks(const Call& call) {
  const int r = call.data().shape.rank();
  const int q = call.indices().shape.rank();
  const int u = call.updates().shape.rank();
  if (r >= 1 && q == r && u == r) return {};
  return call.shape("C1", "data, indices and updates have ranks " + std::to_string(r) + ", " +
                              std::to_string(q) + " and " + std::to_string(u) +
                              ", must be equal and at least 1");
}

Status check_window(const Call& call, std::string_view rule, int axis) {
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  for (int d = 0; d < data.rank(); ++d) {
    if (d == axis || indices[d] <= data[d]) continue;
    return call.shape(rule, "indices have shape " + to_string(indices) + ", larger in axis " +
                                std::to_string(d) + " than data of shape " + to_string(data));
  }
  return {};
}

Status check_element_shapes(const Call& call, int axis) {
  const Shape& indices = call.indices().shape;
  const Shape& updates = call.updates().shape;
  if (updates != indices) {
    return call.shape("C2", "updates have shape " + to_string(updates) + ", must have that of " +
                                "indices, " + to_string(indices));
  }
  return check_window(call, "C3", axis);
}

Result<Tensor> gather_elements(const Call& call, const IndexUse& use, int axis) {
  const Shape& shape = call.indices().shape;
  if (Status status = call.check_result(call.data().dtype, shape); !status) return status;
  const auto rule = check_indices(call, use, axis);
  if (!rule) return rule.error();
  return gather(call, call.data(), shape, element_address(*rule, call.indices()));
}

Result<Tensor> scatter_elements(const Call& call, const IndexUse& use, int axis, const Fold& fold) {
  const auto rule = check_indices(call, use, axis);
  if (!rule) return rule.error();
  return scatter(call, call.data(), call.updates(), "updates", fold,
                 element_address(*rule, call.indices()));
}

Status check_has_axes(const Call& call) {
  if (call.data().shape.rank() >= 1) return {};
  return call.shape("C1", "data has rank 0, must have rank 1 or more");
}

Result<int> check_slice_axis(const Call& call, std::int64_t axis) {
  if (Status status = check_has_axes(call); !status) return status;
  return check_axis(call, axis, "data", call.data().shape.rank());
}

Result<Tensor> gather_slices(const Call& call, const IndexUse& use, std::int64_t axis) {
  const auto normal = check_slice_axis(call, axis);
  if (!normal) return normal.error();
  const int rank = call.indices().shape.rank() + call.data().shape.rank() - 1;
  if (Status status = call.check_result_rank("C2", rank); !status) return status;
  return gather_along_axis(call, use, *normal, 0);
}

Result<Tensor> gather_along_axis(const Call& call, const IndexUse& use, int axis, int batch) {
  const TensorView& data = call.data();
  const TensorView& indices = call.indices();
  const int q = indices.shape.rank();
  const Shape result_shape = batch_shape(data.shape, indices.shape, batch) +
                             slice(data.shape, batch, axis) + slice(indices.shape, batch, q) +
                             tail(data.shape, axis + 1);
  if (Status status = call.check_result(data.dtype, result_shape); !status) return status;
  const auto rule = check_indices(call, use, axis);
  if (!rule) return rule.error();
  const int own = q - batch;  // the axes of indices that are not batch axes
  return gather(call, data, result_shape, [&](const Position& p) -> std::optional<Position> {
    const Position place = batch_position(indices.shape, p, batch) + slice(p, axis, axis + own);
    const auto c = coordinate(*rule, indices, place);
    if (!c) return std::nullopt;
    return batch_position(data.shape, p, batch) + slice(p, batch, axis) + Position{*c} +
           tail(p, axis + own);
  });
}

Result<Tensor> scatter_along_axis(const Call& call, const IndexUse& use, int axis,
                                  const Fold& fold) {
  const int q = call.indices().shape.rank();
  const auto rule = check_indices(call, use, axis);
  if (!rule) return rule.error();
  return scatter(call, call.data(), call.updates(), "updates", fold,
                 [&](const Position& p) -> std::optional<Position> {
                   const auto c = coordinate(*rule, call.indices(), slice(p, axis, axis + q));
                   if (!c) return std::nullopt;
                   return slice(p, 0, axis) + Position{*c} + tail(p, axis + q);
                 });
}

}  // namespace windrow::internal::reference
