#include "src/ranges/operator_range.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "src/operators/infer.h"
#include "src/ranges/movement.h"

namespace windrow::internal {
namespace {

using Grain = ValueRange::Grain;

bool has_type_of_result(const OperatorInput& input) { return input.type_group == "T"; }

// The value of an input with one element.
KnownValue known_number(const ValueFact& fact) {
  if (!is_integer(fact.dtype) || known_count(fact.dims) != 1) return std::nullopt;
  const auto numbers = known_integers(fact);
  return numbers ? KnownValue(numbers->front()) : std::nullopt;
}

SymbolicShape result_shape(Production& p, const NodeOperator& op) {
  std::vector<SymbolicShape> shapes;
  std::vector<KnownValue> values;
  for (std::size_t i = 0; i < op.info.inputs.size(); ++i) {
    shapes.push_back(p.given(i).dims);
    const bool counts = op.info.inputs[i].value_at_compile && p.has(i);
    values.push_back(counts ? known_number(p.parameter(i)) : std::nullopt);
  }
  // A broken rule is reported by inference.
  const Result<SymbolicShape> shape = infer_shape(op.id, p.node().attributes, shapes, values);
  return shape ? *shape : std::nullopt;
}

// The positions of an axis that valid indices of the interval read, of which negative ones count
// from the end; nothing if no index is valid.
struct Positions {
  std::size_t first;
  std::size_t last;
};
std::optional<Positions> positions_of(const Interval& index, std::int64_t extent) {
  const std::int64_t low = std::max(index.low, -extent);
  const std::int64_t high = std::min(index.high, extent - 1);
  if (low > high) return std::nullopt;
  if (low < 0 && high >= 0) return Positions{0, static_cast<std::size_t>(extent - 1)};
  const std::int64_t shift = low < 0 ? extent : 0;
  return Positions{static_cast<std::size_t>(low + shift), static_cast<std::size_t>(high + shift)};
}

// The number of elements that are read for the indices of one node.
constexpr std::size_t kMostLookUps = 65536;

// The elements of a vector that each interval of indices can read.
ValueRange looked_up(const ValueFact& data, const ValueFact& indices, const Extents& extents) {
  const ValueRange& from = data.range;
  ValueRange result;
  result.grain = indices.range.grain;
  result.axis = indices.range.axis;
  const auto extent = static_cast<std::int64_t>((*data.dims)[0].value);
  for (const Interval& index : indices.range.integers) {
    const auto all = Positions{0, static_cast<std::size_t>(extent - 1)};
    const Positions read = positions_of(index, extent).value_or(all);
    const std::size_t count = read.last - read.first + 1;
    if (!from.integers.empty())
      result.integers.push_back(join(std::span(from.integers).subspan(read.first, count), extents));
    if (!from.floats.empty())
      result.floats.push_back(join(std::span(from.floats).subspan(read.first, count)));
  }
  return result;
}

// Gather along one axis, without batch axes.
ValueRange gathered_along(const ValueFact& data, const ValueFact& indices, std::size_t axis,
                          const SymbolicShape& result, const Extents& extents) {
  const ValueRange& from = data.range;
  if (from.grain == Grain::kTensor) return from;
  const bool by_axis = from.grain == Grain::kAxis;
  if (data.dims->size() == 1 && !indices.range.integers.empty()) {
    const std::size_t work = from.integers.size() * indices.range.integers.size();
    return work <= kMostLookUps ? looked_up(data, indices, extents) : collapsed(from, extents);
  }
  if (!indices.dims) return collapsed(from, extents);
  if (by_axis && static_cast<std::size_t>(from.axis) != axis) {
    ValueRange kept = from;
    if (static_cast<std::size_t>(from.axis) > axis)
      kept.axis += static_cast<int>(indices.dims->size()) - 1;
    return kept;
  }
  const auto numbers = known_integers(indices);
  if (!numbers || numbers->empty()) return collapsed(from, extents);
  const std::int64_t extent = (*data.dims)[axis].value;
  std::vector<std::size_t> chosen;
  for (const std::int64_t number : *numbers) {
    const auto place = place_of_axis(number, static_cast<std::size_t>(extent));
    if (!place) return collapsed(from, extents);
    chosen.push_back(*place);
  }
  ValueFact rows = data;
  rows.range = selected(data, axis, chosen, extents);
  (*rows.dims)[axis] = Dim{static_cast<std::int64_t>(chosen.size()), {}};
  return reshaped_range(rows, result, extents);
}

// The axis of Gather or GatherElements; nothing if it is not known, or there are batch axes.
std::optional<std::size_t> gather_axis(Production& p, const NodeOperator& op) {
  const SymbolicShape& data = p.given(0).dims;
  if (!data || p.attribute("batch_dims", 0) != 0) return std::nullopt;
  const bool is_input = op.info.inputs.size() > 2 && op.info.inputs[2].name == "axis";
  const KnownValue axis = is_input ? known_number(p.parameter(2)) : p.attribute("axis", 0);
  return axis ? place_of_axis(*axis, data) : std::nullopt;
}

void gather(Production& p, const NodeOperator& op, ValueFact& result) {
  const ValueFact& data = p.input(0);
  const bool is_plain = op.info.name == "Gather" && op.info.dialect != "tensorrt";
  const std::optional<std::size_t> axis =
      is_plain || op.info.name == "GatherElements" ? gather_axis(p, op) : std::nullopt;
  if (is_plain && axis) {
    result.range = gathered_along(data, p.input(1), *axis, result.dims, p.extents());
  } else {
    result.range = mixed_along(data, axis, p.extents());
  }
  result.source_input = data.source_input;
  if (op.info.out_of_range != OutOfRange::kZero) return;
  const bool counts_from_end = !(op.info.dialect == "openvino" && op.info.since_version < 8);
  const bool is_within =
      is_plain && axis && p.lies_within(p.integer(1), (*data.dims)[*axis], counts_from_end);
  if (is_within) return;
  result.source_input.clear();
  add_zero(result.range, p.extents());
}

// The result has elements of the data and the updates. Of reductions other than max and min nothing
// is known.
void scatter(Production& p, const NodeOperator& op, ValueFact& result) {
  const std::string reduction = p.text("reduction", "none");
  if (reduction != "none" && reduction != "max" && reduction != "min") return;
  bool is_first = true;
  for (std::size_t i = 0; i < op.info.inputs.size(); ++i) {
    if (!has_type_of_result(op.info.inputs[i])) continue;
    const ValueFact& part = p.input(i);
    ValueFact all;
    all.range = result.range;
    result.range = is_first ? collapsed(part.range, p.extents()) : join(all, part, p.extents());
    if (is_first) result.source_input = part.source_input;
    if (result.source_input != part.source_input) result.source_input.clear();
    is_first = false;
  }
}

}  // namespace

void produce_operator(Production& p, const NodeOperator& op) {
  ValueFact& result = p.output();
  const auto typed = std::find_if(op.info.inputs.begin(), op.info.inputs.end(), has_type_of_result);
  const auto position = static_cast<std::size_t>(typed - op.info.inputs.begin());
  if (p.input_count() > op.info.inputs.size() || p.outputs().empty()) return;
  result.dtype = p.given(position).dtype;
  result.dims = result_shape(p, op);
  if (op.info.name == "OneHot") {
    result.range = collapsed(p.input(position).range, p.extents());
  } else if (op.info.scatter) {
    scatter(p, op, result);
  } else {
    gather(p, op, result);
  }
}

}  // namespace windrow::internal
