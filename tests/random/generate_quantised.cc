#include <algorithm>
#include <array>
#include <string>

#include "tests/random/call_plan.h"

namespace windrow::tests {
namespace {

// The bits of a value, by the attribute.
std::int64_t random_bits(Rng& rng, DType dtype) {
  return dtype == DType::kUint8 ? std::int64_t{2} << rng.small(0, 2) : dtype_bits(dtype);
}

std::int64_t random_block(Rng& rng, bool is_array, bool may_be_whole) {
  if (may_be_whole && rng.chance(20)) return 0;
  if (is_array && rng.chance(30)) return rng.between(1, 40);
  return std::int64_t{16} << rng.small(0, 4);
}

Shape scales_shape(Rng& rng, const Shape& values, int quantised, std::int64_t block,
                   bool may_broadcast) {
  Shape scales = values;
  scales[quantised] = block == 0 ? std::min<std::int64_t>(values[quantised], 1)
                                 : (values[quantised] + block - 1) / block;
  for (int axis = 0; axis < scales.rank(); ++axis)
    if (may_broadcast && axis != quantised && rng.chance(25)) scales[axis] = 1;
  return scales;
}

}  // namespace

CallPlan generate_quantised(Rng& rng, const OperatorInfo& info) {
  const bool is_array = info.dialect == "array";
  const DType dtype = random_dtype(rng, info, 0);
  const bool is_float = dtype_kind(dtype) == DTypeKind::kFloat;
  const bool is_fixed = !is_array && dtype == DType::kUint8;
  const std::int64_t bits = random_bits(rng, dtype);
  const std::int64_t each = dtype == DType::kUint8 ? 8 / bits : 1;
  const int rank = rng.small(is_array ? 1 : 2, 5);
  const Shape data = random_shape(rng, rank, random_scale(rng));
  Shape values = data;
  values.back() *= each;
  const int axis = is_fixed ? 0 : rng.small(0, rank - 1);
  const int quantised = is_fixed ? rank - 1 : rng.small(0, rank - 1);
  const std::int64_t block = random_block(rng, is_array, is_array || is_float);
  const Shape scales = scales_shape(rng, values, quantised, block, is_float);
  std::int64_t row = 1;
  for (int i = 0; i < rank; ++i) row *= i == axis ? 1 : std::max<std::int64_t>(values[i], 1);
  const Scale rest{std::max<std::int64_t>(2000 / row, 1), 12};
  CallPlan plan;
  plan.attributes[is_array ? "axis" : "gather_axis"] = random_axis_form(rng, axis, rank);
  plan.attributes["quantize_axis"] = random_axis_form(rng, quantised, rank);
  plan.attributes["block_size"] = block;
  plan.attributes["bits"] = bits;
  constexpr std::array<const char*, 4> kResults = {"", "float32", "float16", "bfloat16"};
  if (is_array && rng.chance(60)) plan.attributes["dtype"] = std::string(rng.pick(kResults));
  plan.inputs.push_back({dtype, data, {}});
  plan.inputs.push_back({random_dtype(rng, info, 1), random_shape(rng, rng.small(0, 3), rest),
                         IndexRule{{values[axis]}}});
  if (dtype_kind(plan.inputs[1].dtype) == DTypeKind::kUnsigned)
    plan.inputs[1].indices->negatives = false;
  plan.inputs.push_back({random_dtype(rng, info, 2), scales, {}});
  if (is_float || rng.chance(50)) return plan;
  Shape zeros = scales;
  zeros.back() = (zeros.back() + each - 1) / each;
  plan.inputs.push_back({dtype, zeros, {}});
  return plan;
}

}  // namespace windrow::tests
