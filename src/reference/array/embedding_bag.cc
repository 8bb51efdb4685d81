#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/reference/array/operators.h"
#include "src/reference/call.h"
#include "src/reference/element.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/reduction.h"
#include "src/reference/segments.h"

// EmbeddingBag, from its section of docs/operators/array.md.
namespace windrow::internal::reference {
namespace {

// The inputs of one call; those that it lacks are absent views.
struct PooledCall {
  const Call& call;
  const array::EmbeddingBag& op;
  TensorView table;
  TensorView ids;
  TensorView offsets = {};
  TensorView weights = {};
  Reduction reduction = Reduction::kAdd;

  bool in_float32() const { return op.accumulate == "float32" && reduction != Reduction::kMax; }
};

bool is_short_float(DType dtype) {
  return dtype_kind(dtype) == DTypeKind::kFloat && dtype != DType::kFloat64;
}

// T3, A3, A4 and A5.
Result<Reduction> check_attributes(const PooledCall& pooled) {
  const Call& call = pooled.call;
  const DType type = pooled.table.dtype;
  const std::string& accumulate = pooled.op.accumulate;
  const bool widens = accumulate == "float32" && is_short_float(type);
  const DType weights = pooled.weights.dtype;
  if (is_given(pooled.weights) && weights != type && !(widens && weights == DType::kFloat32))
    return call.error(ErrorCode::kType, "T3", "weights have another type than table");
  auto reduction = parse_array_reduction(call, pooled.op.reduction);
  if (!reduction) return reduction;
  if (*reduction == Reduction::kMul || *reduction == Reduction::kMin)
    return call.invalid("A3", "reduction is '" + pooled.op.reduction + "', which bags do not have");
  if (!accumulate.empty() && accumulate != "float32")
    return call.invalid("A4", "accumulate is '" + accumulate + "'");
  if (!accumulate.empty() && !is_short_float(type))
    return call.error(
        ErrorCode::kType, "A4",
        "accumulate is 'float32' and table has type " + std::string(dtype_name(type)));
  if (*reduction != Reduction::kAdd && is_given(pooled.weights))
    return call.invalid("A5", "reduction is '" + pooled.op.reduction + "', and there are weights");
  return reduction;
}

// C1 to C4.
Status check_shapes(const PooledCall& pooled) {
  const Call& call = pooled.call;
  const Shape& ids = pooled.ids.shape;
  const Shape& offsets = pooled.offsets.shape;
  const int axes = pooled.table.shape.rank();
  if (axes == 0 || (ids.rank() == 2 && axes == kMaxRank))
    return call.shape("C1", "table has shape " + to_string(pooled.table.shape));
  if (ids.rank() != 1 && ids.rank() != 2)
    return call.shape("C2", "ids have shape " + to_string(ids) + ", must have one axis or two");
  if ((ids.rank() == 1) != is_given(pooled.offsets))
    return call.shape("C2", "ids have shape " + to_string(ids) + ", and offsets are " +
                                (ids.rank() == 1 ? "missing" : "given"));
  if (is_given(pooled.offsets) && offsets.rank() != 1)
    return call.shape("C2", "offsets have shape " + to_string(offsets) + ", must have one axis");
  if (pooled.op.include_last_offset && (!is_given(pooled.offsets) || offsets[0] == 0))
    return call.shape("C3", "include_last_offset is true, and there are no offsets");
  if (is_given(pooled.weights) && pooled.weights.shape != ids)
    return call.shape("C4", "weights have shape " + to_string(pooled.weights.shape) +
                                ", must have that of ids, " + to_string(ids));
  return {};
}

// The positions in ids of each bag's samples.
using BagSamples = std::vector<std::vector<Position>>;

Result<BagSamples> find_samples(const PooledCall& pooled, std::int64_t bags) {
  BagSamples samples(static_cast<std::size_t>(bags));
  if (!is_given(pooled.offsets)) {
    for_each_position(pooled.ids.shape, [&](const Position& position) {
      samples[static_cast<std::size_t>(position[0])].push_back(position);
      return true;
    });
    return samples;
  }
  auto offsets = read_offsets(pooled.call, "C5", pooled.offsets, {pooled.ids.shape[0], true});
  if (!offsets) return offsets.error();
  if (!pooled.op.include_last_offset) offsets->push_back(pooled.ids.shape[0]);
  for (std::size_t bag = 0; bag < samples.size(); ++bag)
    for (std::int64_t i = (*offsets)[bag]; i < (*offsets)[bag + 1]; ++i)
      samples[bag].push_back({i});
  return samples;
}

// One cell of the result.
Element fold_cell(const PooledCall& pooled, const IndexRule& rule,
                  const std::vector<Position>& samples, const Position& cell) {
  const DType dtype = pooled.table.dtype;
  const bool widens = pooled.in_float32();
  const auto read = [&](const TensorView& view, const Position& position) {
    const Element element = read_element(view, position);
    return widens ? to_float32(element) : element;
  };
  std::optional<Element> total;
  std::int64_t count = 0;
  for (const Position& sample : samples) {
    const auto row = coordinate(rule, pooled.ids, sample);
    if (!row) continue;
    Element element = read(pooled.table, Position{*row} + tail(cell, 1));
    if (is_given(pooled.weights))
      element = combine(Reduction::kMul, element, read(pooled.weights, sample));
    if (!total) total = identity_element(element.dtype, pooled.reduction);
    total = combine(pooled.reduction, *total, element);
    ++count;
  }
  if (!total) return zero_element(dtype);
  if (pooled.reduction == Reduction::kMean) total = divide(*total, count);
  return widens ? round_float32(dtype, *total) : *total;
}

std::int64_t count_bags(const PooledCall& pooled) {
  if (!is_given(pooled.offsets)) return pooled.ids.shape[0];
  return pooled.offsets.shape[0] - (pooled.op.include_last_offset ? 1 : 0);
}

Result<Tensor> fold_bags(const PooledCall& pooled) {
  const Call& call = pooled.call;
  const std::int64_t bags = count_bags(pooled);
  const Shape shape = Shape{bags} + tail(pooled.table.shape, 1);
  if (Status status = call.check_result(pooled.table.dtype, shape); !status) return status;
  const auto samples = find_samples(pooled, bags);
  if (!samples) return samples.error();
  const IndexRule rule = index_rule(call, array_indices(call, "C6"), pooled.table.shape, 0);
  if (Status status = check_indices(call, {"C6", "ids", "table"}, pooled.ids, rule); !status)
    return status;
  auto result = filled(call, zero_element(pooled.table.dtype), shape);
  if (!result) return result;
  for_each_position(shape, [&](const Position& cell) {
    const auto& of_bag = (*samples)[static_cast<std::size_t>(cell[0])];
    write_element(*result, cell, fold_cell(pooled, rule, of_bag, cell));
    return true;
  });
  return result;
}

}  // namespace

Result<Tensor> run(const array::EmbeddingBag& op, Inputs inputs, const CallOptions& options) {
  const Call call("array", "EmbeddingBag", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  PooledCall pooled = {call, op, inputs[0], inputs[1]};
  if (inputs.size() > 2) pooled.offsets = inputs[2];
  if (inputs.size() > 3) pooled.weights = inputs[3];
  const auto reduction = check_attributes(pooled);
  if (!reduction) return reduction.error();
  pooled.reduction = *reduction;
  if (Status status = check_shapes(pooled); !status) return status;
  return fold_bags(pooled);
}

}  // namespace windrow::internal::reference
