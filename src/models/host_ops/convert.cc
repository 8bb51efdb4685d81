#include "src/models/host_ops/convert.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <variant>

#include "src/base/float_types.h"
#include "src/base/packed.h"
#include "src/models/openvino_types.h"

namespace windrow::internal {
namespace {

// Elements that are converted at a time, by way of a wide type that holds every value of the type
// they come from.
constexpr std::int64_t kBlock = 1024;

// The values of nf4's codes.
constexpr float kNF4Values[16] = {-1.0F,
                                  -0.69619280099868774F,
                                  -0.52507305145263672F,
                                  -0.39491748809814453F,
                                  -0.28444138169288635F,
                                  -0.18477343022823334F,
                                  -0.09105003625154495F,
                                  0.0F,
                                  0.07958029955625534F,
                                  0.16093020141124725F,
                                  0.24611230194568634F,
                                  0.33791524171829224F,
                                  0.44070982933044434F,
                                  0.5626170039176941F,
                                  0.72295683622360229F,
                                  1.0F};

// Elements [first, first + count) of a dense tensor as Wide.
template <class Wide, class Stored, class Decode>
void load(const TensorView& from, std::int64_t first, std::int64_t count, Wide* to, Decode decode) {
  const auto* source = static_cast<const std::uint8_t*>(from.data) +
                       static_cast<std::size_t>(first) * sizeof(Stored);
  for (std::int64_t i = 0; i < count; ++i, source += sizeof(Stored)) {
    Stored element;
    std::memcpy(&element, source, sizeof(Stored));
    to[i] = decode(element);
  }
}

template <class Wide, class Stored>
void load(const TensorView& from, std::int64_t first, std::int64_t count, Wide* to) {
  load<Wide, Stored>(from, first, count, to,
                     [](Stored element) { return static_cast<Wide>(element); });
}

template <class Wide, class Decode>
void load_packed(const TensorView& from, std::int64_t first, std::int64_t count, Wide* to,
                 Decode decode) {
  for (std::int64_t i = 0; i < count; ++i)
    to[i] = decode(get_packed(from.dtype, from.data, first + i));
}

// Overloads by the wide type; types that have another one are never asked for.
void load_wide(const TensorView& from, std::int64_t first, std::int64_t count, std::int64_t* to) {
  const auto unsigned_bits = [](std::uint8_t bits) { return std::int64_t{bits}; };
  switch (from.dtype) {
    case DType::kBool:
      return load<std::int64_t, std::uint8_t>(
          from, first, count, to, [](std::uint8_t byte) { return std::int64_t{byte != 0}; });
    case DType::kInt4:
      return load_packed(from, first, count, to,
                         [](std::uint8_t bits) { return std::int64_t{(bits ^ 8) - 8}; });
    case DType::kUint1:
    case DType::kUint4:
      return load_packed(from, first, count, to, unsigned_bits);
    case DType::kInt8:
      return load<std::int64_t, std::int8_t>(from, first, count, to);
    case DType::kInt16:
      return load<std::int64_t, std::int16_t>(from, first, count, to);
    case DType::kInt32:
      return load<std::int64_t, std::int32_t>(from, first, count, to);
    case DType::kUint8:
      return load<std::int64_t, std::uint8_t>(from, first, count, to);
    case DType::kUint16:
      return load<std::int64_t, std::uint16_t>(from, first, count, to);
    case DType::kUint32:
      return load<std::int64_t, std::uint32_t>(from, first, count, to);
    default:
      return load<std::int64_t, std::int64_t>(from, first, count, to);
  }
}

void load_wide(const TensorView& from, std::int64_t first, std::int64_t count, std::uint64_t* to) {
  load<std::uint64_t, std::uint64_t>(from, first, count, to);
}

void load_wide(const TensorView& from, std::int64_t first, std::int64_t count, float* to) {
  switch (from.dtype) {
    case DType::kNF4:
      return load_packed(from, first, count, to,
                         [](std::uint8_t code) { return kNF4Values[code]; });
    case DType::kFloat4E2M1:
      return load_packed(from, first, count, to, float4_e2m1fn_to_float);
    case DType::kFloat8E4M3FN:
      return load<float, std::uint8_t>(from, first, count, to, float8_e4m3fn_to_float);
    case DType::kFloat8E5M2:
      return load<float, std::uint8_t>(from, first, count, to, float8_e5m2_to_float);
    case DType::kFloat8E8M0:
      return load<float, std::uint8_t>(from, first, count, to, float8_e8m0fnu_to_float);
    case DType::kFloat16:
      return load<float, std::uint16_t>(from, first, count, to, float16_to_float);
    case DType::kBFloat16:
      return load<float, std::uint16_t>(from, first, count, to, bfloat16_to_float);
    default:
      return load<float, float>(from, first, count, to);
  }
}

void load_wide(const TensorView& from, std::int64_t first, std::int64_t count, double* to) {
  load<double, double>(from, first, count, to);
}

// The integer part modulo 2^64; 0 for what is no finite number.
template <class Wide>
std::uint64_t to_integer(Wide value) {
  if constexpr (std::is_integral_v<Wide>) {
    return static_cast<std::uint64_t>(value);
  } else {
    if (!std::isfinite(value)) return 0;
    const Wide size = std::fabs(std::trunc(value));
    const Wide limit = static_cast<Wide>(0x1p64);
    const auto rest = static_cast<std::uint64_t>(size < limit ? size : std::fmod(size, limit));
    return value < 0 ? 0 - rest : rest;
  }
}

template <class Wide, class Stored, class Encode>
void store(const Wide* from, std::int64_t first, std::int64_t count, const MutableTensorView& to,
           Encode encode) {
  auto* target = static_cast<Stored*>(to.data) + first;
  for (std::int64_t i = 0; i < count; ++i) target[i] = static_cast<Stored>(encode(from[i]));
}

template <class Wide>
void store_integers(const Wide* from, std::int64_t first, std::int64_t count,
                    const MutableTensorView& to) {
  switch (dtype_bits(to.dtype)) {
    case 1:
    case 4:
      for (std::int64_t i = 0; i < count; ++i)
        set_packed(to.dtype, to.data, first + i, static_cast<std::uint8_t>(to_integer(from[i])));
      return;
    case 8:
      return store<Wide, std::uint8_t>(from, first, count, to, to_integer<Wide>);
    case 16:
      return store<Wide, std::uint16_t>(from, first, count, to, to_integer<Wide>);
    case 32:
      return store<Wide, std::uint32_t>(from, first, count, to, to_integer<Wide>);
    default:
      return store<Wide, std::uint64_t>(from, first, count, to, to_integer<Wide>);
  }
}

template <class Wide>
void store_wide(const Wide* from, std::int64_t first, std::int64_t count,
                const MutableTensorView& to) {
  const auto as_float = [](Wide value) { return static_cast<float>(value); };
  switch (to.dtype) {
    case DType::kBool:
      return store<Wide, std::uint8_t>(from, first, count, to,
                                       [](Wide value) { return value != 0 ? 1 : 0; });
    case DType::kFloat8E4M3FN:
      return store<Wide, std::uint8_t>(from, first, count, to,
                                       [&](Wide v) { return float_to_float8_e4m3fn(as_float(v)); });
    case DType::kFloat8E5M2:
      return store<Wide, std::uint8_t>(from, first, count, to,
                                       [&](Wide v) { return float_to_float8_e5m2(as_float(v)); });
    case DType::kFloat16:
      return store<Wide, std::uint16_t>(from, first, count, to,
                                        [&](Wide v) { return float_to_float16(as_float(v)); });
    case DType::kBFloat16:
      return store<Wide, std::uint16_t>(from, first, count, to,
                                        [&](Wide v) { return float_to_bfloat16(as_float(v)); });
    case DType::kFloat32:
      return store<Wide, float>(from, first, count, to, as_float);
    case DType::kFloat64:
      return store<Wide, double>(from, first, count, to,
                                 [](Wide value) { return static_cast<double>(value); });
    default:
      return store_integers(from, first, count, to);
  }
}

template <class Wide>
void convert_by(const TensorView& from, const MutableTensorView& to) {
  Wide block[kBlock];
  const std::int64_t total = element_count(from.shape).value_or(0);
  for (std::int64_t first = 0; first < total; first += kBlock) {
    const std::int64_t count = std::min(kBlock, total - first);
    load_wide(from, first, count, block);
    store_wide(block, first, count, to);
  }
}

// Types that no operator takes are only read.
bool can_be_read(DType type) {
  return openvino_name(type) != "" && type != DType::kAbsent && type != DType::kString;
}

bool can_be_written(DType type) {
  return can_be_read(type) && type != DType::kNF4 && type != DType::kFloat4E2M1 &&
         type != DType::kFloat8E8M0;
}

Status unsupported(DType from, std::string_view to) {
  return {ErrorCode::kUnsupported, "a conversion from " + std::string(dtype_name(from)) + " to " +
                                       std::string(to) + " is not supported"};
}

// The node that converts, in a dialect that has one, and how its attribute names the type.
struct ConvertRow {
  std::string_view dialect;
  std::string_view op_type;
  std::string_view attribute;
  std::optional<DType> (*parse)(std::string_view name) noexcept;
};
constexpr ConvertRow kConvertRows[] = {
    {"openvino", "Convert", "destination_type", dtype_of_openvino},
    {"tensorrt", "Cast", "to_type", parse_dtype}};

// Null if nodes of this operator convert in no dialect.
const ConvertRow* row_of(const ModelNode& node) {
  const auto* const row =
      std::find_if(std::begin(kConvertRows), std::end(kConvertRows),
                   [&](const ConvertRow& candidate) { return candidate.op_type == node.op_type; });
  return row == std::end(kConvertRows) ? nullptr : row;
}

}  // namespace

bool is_convert(const Model& model, const ModelNode& node) {
  return row_of(node) != nullptr && row_of(node)->dialect == model.dialect && node.domain.empty() &&
         node.unsupported.empty();
}

Result<DType> convert_type(const ModelNode& node) {
  const ConvertRow& row = *row_of(node);
  const auto given = node.attributes.find(row.attribute);
  if (given == node.attributes.end())
    return Status(ErrorCode::kFormat,
                  node.op_type + " has no attribute '" + std::string(row.attribute) + "'");
  const auto* const name = std::get_if<std::string>(&given->second);
  const std::optional<DType> type = name ? row.parse(*name) : std::nullopt;
  if (!type)
    return Status(ErrorCode::kFormat, std::string(row.attribute) + " '" +
                                          (name ? *name : std::string()) + "' of " + node.op_type +
                                          " is no element type");
  if (!can_be_written(*type))
    return Status(ErrorCode::kUnsupported, node.op_type + " to '" + *name + "' is not supported");
  return *type;
}

Result<Tensor> convert(const TensorView& from, DType type) {
  Result<Tensor> to = Tensor::allocate(type, from.shape);
  if (!to) return to;
  if (Status status = convert_into(from, to->mutable_view()); !status) return status;
  return to;
}

Status convert_into(const TensorView& from, const MutableTensorView& to) {
  if (!can_be_read(from.dtype) || !can_be_written(to.dtype))
    return unsupported(from.dtype, dtype_name(to.dtype));
  if (!from.is_dense()) {
    const Result<Tensor> copy = Tensor::copy_of(from);
    return copy ? convert_into(copy->view(), to) : copy.error();
  }
  const std::int64_t bytes = dense_byte_count(to.dtype, to.shape).value_or(0);
  if (bytes == 0) return {};
  if (from.dtype == to.dtype) {
    std::memcpy(to.data, from.data, static_cast<std::size_t>(bytes));
    return {};
  }
  // What is behind the last element of a packed type is zero.
  if (is_packed(to.dtype)) static_cast<std::uint8_t*>(to.data)[bytes - 1] = 0;
  if (from.dtype == DType::kUint64) {
    convert_by<std::uint64_t>(from, to);
  } else if (from.dtype == DType::kFloat64) {
    convert_by<double>(from, to);
  } else if (dtype_kind(from.dtype) == DTypeKind::kFloat) {
    convert_by<float>(from, to);
  } else {
    convert_by<std::int64_t>(from, to);
  }
  return {};
}

}  // namespace windrow::internal
