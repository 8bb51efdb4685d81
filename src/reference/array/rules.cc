#include "src/reference/array/rules.h"

#include <array>
#include <optional>
#include <string>

#include "src/reference/indices.h"
#include "src/reference/reduction.h"

namespace windrow::internal::reference {

namespace {

// The position to read in a tensor of `shape`.
Position repeated(const Shape& shape, const Position& p) {
  Position place = p;
  for (int d = 0; d < shape.rank(); ++d)
    if (shape[d] == 1) place[d] = 0;
  return place;
}

}  // namespace

Result<int> check_along_axis(const Call& call, std::int64_t axis) {
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  if (Status status = check_gather_ranks(call); !status) return status;
  const auto normal = check_axis(call, axis, "data", data.rank());
  if (!normal) return normal;
  for (int d = 0; d < data.rank(); ++d) {
    if (d == *normal || data[d] == indices[d] || data[d] == 1 || indices[d] == 1) continue;
    return call.shape("C2", "data of shape " + to_string(data) + " and indices of shape " +
                                to_string(indices) + " do not broadcast in axis " +
                                std::to_string(d));
  }
  return normal;
}

Shape addressed_shape(const Call& call, int axis) {
  const Shape& indices = call.indices().shape;
  Shape shape = indices;
  for (int d = 0; d < indices.rank(); ++d)
    if (d != axis && indices[d] == 1) shape[d] = call.data().shape[d];
  return shape;
}

Address broadcast_address(const Call& call, const IndexRule& rule) {
  return [rule, data = call.data().shape,
          indices = call.indices()](const Position& i) -> std::optional<Position> {
    const auto c = coordinate(rule, indices, repeated(indices.shape, i));
    if (!c) return std::nullopt;
    Position p = repeated(data, i);
    p[rule.axis] = *c;
    return p;
  };
}

Result<Tensor> fold_rows(const Call& call, std::int64_t axis, const Fold& fold) {
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  const Shape& updates = call.updates().shape;
  const auto normal = check_slice_axis(call, axis);
  if (!normal) return normal.error();
  if (indices.rank() != 1)
    return call.shape("C2", "indices have shape " + to_string(indices) + ", must have rank 1");
  const Shape expected = slice(data, 0, *normal) + indices + tail(data, *normal + 1);
  if (updates != expected)
    return call.shape(
        "C3", "updates have shape " + to_string(updates) + ", must have " + to_string(expected));
  return scatter_along_axis(call, array_indices(call, "C4"), *normal, fold);
}

namespace {

constexpr std::array<NamedReduction, 5> kReductions = {{
    {"sum", Reduction::kAdd},
    {"prod", Reduction::kMul},
    {"min", Reduction::kMin},
    {"max", Reduction::kMax},
    {"mean", Reduction::kMean},
}};

bool has_meaning(DType dtype, Reduction reduction) {
  if (reduction == Reduction::kAdd || reduction == Reduction::kMul) return true;
  if (dtype == DType::kBool) return reduction != Reduction::kMean;
  return dtype != DType::kComplex64 && dtype != DType::kComplex128;
}

}  // namespace

Result<Reduction> parse_array_reduction(const Call& call, std::string_view name) {
  return parse_reduction(call, name, kReductions, &has_meaning);
}

}  // namespace windrow::internal::reference
