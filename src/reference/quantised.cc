#include "src/reference/quantised.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "src/base/float_types.h"
#include "src/reference/element.h"
#include "src/reference/loops.h"

// Quantised look-ups, from their sections of docs/operators/onnx.md and array.md.
namespace windrow::internal::reference {
namespace {

bool is_small_float(DType dtype) { return dtype_kind(dtype) == DTypeKind::kFloat; }

// One call whose data has a rank.
class Quantised {
 public:
  Quantised(const Call& call, const QuantisedCall& asked)
      : call_(call),
        asked_(asked),
        data_(call.data()),
        scales_(call.inputs()[2]),
        zero_points_(call.inputs().size() > 3 ? call.inputs()[3] : TensorView()) {}

  Status check() {
    if (data_.shape.rank() < (asked_.is_onnx ? 2 : 1))
      return call_.shape("C1", "data has shape " + to_string(data_.shape) + ", too few axes");
    Status status = check_axis("A1", asked_.axis_name, asked_.axis, axis_);
    if (status) status = check_axis("A3", "quantize_axis", asked_.quantize_axis, quantised_);
    if (status) status = check_block();
    if (status) status = check_bits();
    if (status) status = check_axes_of_bytes();
    if (status) status = count_values();
    if (status) status = check_scales();
    if (status) status = check_zero_points();
    return status;
  }

  int axis() const { return axis_; }
  const Shape& values() const { return values_; }

  // The number at a position of the values, as the result holds it.
  Element number_at(const Position& position) const {
    Position block;
    for (int axis = 0; axis < position.rank(); ++axis) {
      const std::int64_t own = axis != quantised_ ? position[axis]
                               : block_ == 0      ? 0
                                                  : position[axis] / block_;
      block.push_back(scales_.shape[axis] == 1 ? 0 : own);
    }
    const float scale = visit_real(scales_.dtype, [&](const auto& format) {
      return static_cast<float>(format.value(read_element(scales_, block)));
    });
    const float product = (code_value(data_, position) - zero_point(block)) * scale;
    const float number = std::isnan(product) ? std::numeric_limits<float>::quiet_NaN() : product;
    switch (asked_.dtype) {
      case DType::kFloat16:
        return with_number(asked_.dtype, float_to_float16(number));
      case DType::kBFloat16:
        return with_number(asked_.dtype, float_to_bfloat16(number));
      default:
        return with_number(asked_.dtype, number);
    }
  }

 private:
  Status check_axis(std::string_view rule, std::string_view name, std::int64_t axis,
                    int& normal) const {
    const int rank = data_.shape.rank();
    const auto found = normal_axis(axis, rank);
    if (!found)
      return call_.invalid(rule, std::string(name) + " is " + std::to_string(axis) +
                                     ", data has rank " + std::to_string(rank));
    normal = *found;
    return {};
  }

  Status check_block() {
    block_ = asked_.block_size;
    const auto refuse = [&] {
      return call_.invalid("A4", "block_size is " + std::to_string(block_));
    };
    if (!asked_.is_onnx) return block_ < 0 ? refuse() : Status();
    if (block_ == 0) return is_small_float(data_.dtype) ? Status() : refuse();
    std::int64_t power = 16;
    while (power < block_ && power <= std::numeric_limits<std::int64_t>::max() / 2) power *= 2;
    return power == block_ ? Status() : refuse();
  }

  Status check_bits() {
    const int own = dtype_bits(data_.dtype);
    bits_ = own;
    bool fits = asked_.bits == own || (asked_.bits == 0 && !asked_.is_onnx) ||
                (is_small_float(data_.dtype) && asked_.is_onnx);
    if (data_.dtype == DType::kUint8 && (asked_.bits == 2 || asked_.bits == 4)) {
      bits_ = static_cast<int>(asked_.bits);
      fits = true;
    }
    if (fits) return {};
    return call_.invalid("A5", "bits is " + std::to_string(asked_.bits) + " for data of type " +
                                   std::string(dtype_name(data_.dtype)));
  }

  Status check_axes_of_bytes() const {
    if (!asked_.is_onnx || data_.dtype != DType::kUint8) return {};
    if (axis_ == 0 && quantised_ == data_.shape.rank() - 1) return {};
    return call_.invalid("C3", "the axes are " + std::to_string(axis_) + " and " +
                                   std::to_string(quantised_) + " for data of type uint8");
  }

  Status count_values() {
    values_ = data_.shape;
    each_ = data_.dtype == DType::kUint8 ? 8 / bits_ : 1;
    if (values_.back() > std::numeric_limits<std::int64_t>::max() / each_)
      return call_.shape("C2", "data has shape " + to_string(data_.shape) + ": too many values");
    values_.back() *= each_;
    return {};
  }

  Status check_scales() const {
    bool fits = scales_.shape.rank() == values_.rank();
    for (int axis = 0; fits && axis < values_.rank(); ++axis) {
      std::int64_t expected = values_[axis];
      if (axis == quantised_) {
        if (block_ == 0)
          expected = expected > 0 ? 1 : 0;
        else
          expected = expected / block_ + (expected % block_ > 0 ? 1 : 0);
      } else if (is_small_float(data_.dtype) && scales_.shape[axis] == 1) {
        expected = 1;
      }
      fits = scales_.shape[axis] == expected;
    }
    if (fits) return {};
    return call_.shape(asked_.scales_rule, "scales have shape " + to_string(scales_.shape));
  }

  Status check_zero_points() const {
    if (zero_points_.dtype == DType::kAbsent) return {};
    if (is_small_float(data_.dtype))
      return call_.invalid(asked_.zero_points_rule, "zero_points are given for floats");
    Shape expected = scales_.shape;
    expected.back() = expected.back() / each_ + (expected.back() % each_ > 0 ? 1 : 0);
    if (zero_points_.shape == expected) return {};
    return call_.shape(asked_.zero_points_rule, "zero_points have shape " +
                                                    to_string(zero_points_.shape) + ", must have " +
                                                    to_string(expected));
  }

  // The number that a code stands for, at a position that counts the codes.
  float code_value(const TensorView& tensor, const Position& position) const {
    Position place = position;
    place.back() /= each_;
    const Element element = read_element(tensor, place);
    if (is_integer(tensor.dtype) && each_ == 1)
      return visit_integer(element, [](auto value) { return static_cast<float>(value); });
    const auto byte = number<std::uint8_t>(element);
    if (each_ > 1) {
      const auto shift = static_cast<unsigned>(position.back() % each_ * bits_);
      return static_cast<float>((unsigned{byte} >> shift) & ((1U << bits_) - 1));
    }
    switch (tensor.dtype) {
      case DType::kFloat8E4M3FN:
        return float8_e4m3fn_to_float(byte);
      case DType::kFloat8E4M3FNUZ:
        return float8_e4m3fnuz_to_float(byte);
      case DType::kFloat8E5M2:
        return float8_e5m2_to_float(byte);
      case DType::kFloat8E5M2FNUZ:
        return float8_e5m2fnuz_to_float(byte);
      default:
        return float4_e2m1fn_to_float(byte);
    }
  }

  float zero_point(const Position& block) const {
    if (zero_points_.dtype != DType::kAbsent) return code_value(zero_points_, block);
    return data_.dtype == DType::kUint8 ? static_cast<float>(1U << (bits_ - 1)) : 0;
  }

  const Call& call_;
  const QuantisedCall& asked_;
  TensorView data_;
  TensorView scales_;
  TensorView zero_points_;
  int axis_ = 0;
  int quantised_ = 0;
  std::int64_t block_ = 0;
  int bits_ = 8;
  std::int64_t each_ = 1;  // values in an element of data
  Shape values_;           // of data, each value counted
};

}  // namespace

Result<Tensor> take_quantised(const Call& call, const IndexUse& use, const QuantisedCall& asked) {
  Quantised quantised(call, asked);
  if (Status status = quantised.check(); !status) return status;
  const Shape& values = quantised.values();
  const TensorView& indices = call.indices();
  const int axis = quantised.axis();
  const int q = indices.shape.rank();
  if (Status status = call.check_result_rank("C2", q + values.rank() - 1); !status) return status;
  const Shape shape = slice(values, 0, axis) + indices.shape + tail(values, axis + 1);
  if (Status status = call.check_result(asked.dtype, shape); !status) return status;
  const IndexRule rule = index_rule(call, use, values, axis);
  if (Status status = check_indices(call, {use.rule, "indices", "data"}, indices, rule); !status)
    return status;
  auto result = filled(call, zero_element(asked.dtype), shape);
  if (!result) return result;
  for_each_position(shape, [&](const Position& p) {
    const auto c = coordinate(rule, indices, slice(p, axis, axis + q));
    if (c)
      write_element(*result, p,
                    quantised.number_at(slice(p, 0, axis) + Position{*c} + tail(p, axis + q)));
    return true;
  });
  return result;
}

}  // namespace windrow::internal::reference
