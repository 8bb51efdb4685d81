#include "src/models/host_ops/host_ops.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "src/base/element.h"
#include "src/base/float_types.h"
#include "src/models/check_inputs.h"
#include "src/models/types.h"
#include "src/models/value_info.h"
#include "windrow/counted.h"

namespace windrow::internal {
namespace {

// The number of elements that are converted at a time, by way of a wide type that holds every value
// of the type they come from.
constexpr std::int64_t kBlock = 1024;

// The values of nf4's codes.
constexpr float kNF4Values[16] = {-1.0F,        -0.6961928F,  -0.52507305F,  -0.3949175F,
                                  -0.28444138F, -0.18477343F, -0.091050036F, 0.0F,
                                  0.0795803F,   0.1609302F,   0.2461123F,    0.33791524F,
                                  0.44070983F,  0.562617F,    0.72295684F,   1.0F};

// Elements [first, first + count) of a dense tensor.
template <class View>
struct Part {
  const View& tensor;
  std::int64_t first;
  std::int64_t count;
};

// Loads elements that are stored as Stored; `decode` makes the wide type of each.
template <class Stored, class Wide, class Decode>
void load(const Part<TensorView>& from, Wide* to, Decode decode) {
  const auto* source = static_cast<const std::uint8_t*>(from.tensor.data) +
                       static_cast<std::size_t>(from.first) * sizeof(Stored);
  for (std::int64_t i = 0; i < from.count; ++i, source += sizeof(Stored)) {
    Stored element;
    std::memcpy(&element, source, sizeof(Stored));
    to[i] = decode(element);
  }
}

template <class Stored, class Wide>
void load(const Part<TensorView>& from, Wide* to) {
  load<Stored>(from, to, [](Stored element) { return static_cast<Wide>(element); });
}

template <class Wide, class Decode>
void load_packed(const Part<TensorView>& from, Wide* to, Decode decode) {
  for (std::int64_t i = 0; i < from.count; ++i)
    to[i] = decode(get_packed(from.tensor.dtype, from.tensor.data, from.first + i));
}

// Overloads by the wide type. Each is only called for element types that have this wide type.
void load_wide(const Part<TensorView>& from, std::int64_t* to) {
  switch (from.tensor.dtype) {
    case DType::kBool:
      return load<std::uint8_t>(from, to, [](std::uint8_t byte) { return byte != 0 ? 1 : 0; });
    case DType::kInt4:
      return load_packed(from, to, [](std::uint8_t bits) { return (bits ^ 8) - 8; });
    case DType::kUint1:
    case DType::kUint2:
    case DType::kUint4:
      return load_packed(from, to, [](std::uint8_t bits) { return bits; });
    case DType::kInt8:
      return load<std::int8_t>(from, to);
    case DType::kInt16:
      return load<std::int16_t>(from, to);
    case DType::kInt32:
      return load<std::int32_t>(from, to);
    case DType::kUint8:
      return load<std::uint8_t>(from, to);
    case DType::kUint16:
      return load<std::uint16_t>(from, to);
    case DType::kUint32:
      return load<std::uint32_t>(from, to);
    default:
      return load<std::int64_t>(from, to);
  }
}

void load_wide(const Part<TensorView>& from, std::uint64_t* to) { load<std::uint64_t>(from, to); }

void load_wide(const Part<TensorView>& from, float* to) {
  switch (from.tensor.dtype) {
    case DType::kNF4:
      return load_packed(from, to, [](std::uint8_t code) { return kNF4Values[code]; });
    case DType::kFloat4E2M1:
      return load_packed(from, to, float4_e2m1fn_to_float);
    case DType::kFloat8E4M3FN:
      return load<std::uint8_t>(from, to, float8_e4m3fn_to_float);
    case DType::kFloat8E5M2:
      return load<std::uint8_t>(from, to, float8_e5m2_to_float);
    case DType::kFloat8E8M0:
      return load<std::uint8_t>(from, to, float8_e8m0fnu_to_float);
    case DType::kFloat16:
      return load<std::uint16_t>(from, to, float16_to_float);
    case DType::kBFloat16:
      return load<std::uint16_t>(from, to, bfloat16_to_float);
    default:
      return load<float>(from, to);
  }
}

void load_wide(const Part<TensorView>& from, double* to) { load<double>(from, to); }

// The integer part modulo 2^64; 0 for infinities and NaN.
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

template <class Stored, class Wide, class Encode>
void store(const Wide* from, const Part<MutableTensorView>& to, Encode encode) {
  auto* target = static_cast<Stored*>(to.tensor.data) + to.first;
  for (std::int64_t i = 0; i < to.count; ++i) target[i] = static_cast<Stored>(encode(from[i]));
}

template <class Wide>
void store_integers(const Wide* from, const Part<MutableTensorView>& to) {
  switch (dtype_bits(to.tensor.dtype)) {
    case 1:
    case 2:
    case 4:
      for (std::int64_t i = 0; i < to.count; ++i)
        set_packed(to.tensor.dtype, to.tensor.data, to.first + i,
                   static_cast<std::uint8_t>(to_integer(from[i])));
      return;
    case 8:
      return store<std::uint8_t>(from, to, to_integer<Wide>);
    case 16:
      return store<std::uint16_t>(from, to, to_integer<Wide>);
    case 32:
      return store<std::uint32_t>(from, to, to_integer<Wide>);
    default:
      return store<std::uint64_t>(from, to, to_integer<Wide>);
  }
}

template <class Wide>
void store_wide(const Wide* from, const Part<MutableTensorView>& to) {
  // Small floats are encoded from the nearest float32.
  const auto by_float = [](auto encode) {
    return [encode](Wide value) { return encode(static_cast<float>(value)); };
  };
  switch (to.tensor.dtype) {
    case DType::kBool:
      return store<std::uint8_t>(from, to, [](Wide value) { return value != 0 ? 1 : 0; });
    case DType::kFloat8E4M3FN:
      return store<std::uint8_t>(from, to, by_float(float_to_float8_e4m3fn));
    case DType::kFloat8E5M2:
      return store<std::uint8_t>(from, to, by_float(float_to_float8_e5m2));
    case DType::kFloat16:
      return store<std::uint16_t>(from, to, by_float(float_to_float16));
    case DType::kBFloat16:
      return store<std::uint16_t>(from, to, by_float(float_to_bfloat16));
    case DType::kFloat32:
      return store<float>(from, to, [](Wide value) { return value; });
    case DType::kFloat64:
      return store<double>(from, to, [](Wide value) { return value; });
    default:
      return store_integers(from, to);
  }
}

template <class Wide>
void convert_by(const TensorView& from, const MutableTensorView& to) {
  Wide block[kBlock];
  const std::int64_t total = element_count(from.shape).value_or(0);
  for (std::int64_t first = 0; first < total; first += kBlock) {
    const std::int64_t count = std::min(kBlock, total - first);
    load_wide(Part<TensorView>{from, first, count}, block);
    store_wide(block, Part<MutableTensorView>{to, first, count});
  }
}

// Types that no operator takes can be read but not written.
bool can_be_read(DType type) {
  return openvino_name(type) != "" && type != DType::kAbsent && type != DType::kString;
}

bool can_be_written(DType type) {
  return can_be_read(type) && type != DType::kNF4 && type != DType::kFloat4E2M1 &&
         type != DType::kFloat8E8M0;
}

Status unsupported(DType from, std::string_view to) {
  return unsupported_error("a conversion from ", dtype_name(from), " to ", to, " is not supported");
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

// Null if nodes of this operator do not convert in any dialect.
const ConvertRow* row_of(const ModelNode& node) {
  return find_where(kConvertRows,
                    [&](const ConvertRow& row) { return row.op_type == node.op_type; });
}

}  // namespace

bool is_convert(const Model& model, const ModelNode& node) {
  const ConvertRow* const row = row_of(node);
  return row != nullptr && row->dialect == model.dialect && is_standard(node, row->op_type);
}

Result<DType> convert_type(const ModelNode& node) {
  const ConvertRow& row = *row_of(node);
  if (!node.attributes.contains(row.attribute))
    return format_error(node.op_type, " has no attribute '", row.attribute, "'");
  const auto* const name = attribute_of<std::string>(node.attributes, row.attribute);
  const std::optional<DType> type = name ? row.parse(*name) : std::nullopt;
  if (!type)
    return format_error(row.attribute, " '", (name ? *name : std::string()), "' of ", node.op_type,
                        " is not an element type");
  if (!can_be_written(*type))
    return unsupported_error(node.op_type, " to '", *name, "' is not supported");
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
  // The bits after the last element of a packed type are zero.
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

namespace {

using SharedTensor = std::shared_ptr<const Tensor>;

// The tensor that an attribute's value stands for. Floating-point numbers become float32.
struct ToTensor {
  template <class T>
  SharedTensor operator()(const T& value) const {
    return std::make_shared<const Tensor>(Tensor::of<T>({}, {value}));
  }
  template <class T>
  SharedTensor operator()(const std::vector<T>& values) const {
    const Shape shape = {static_cast<std::int64_t>(values.size())};
    return std::make_shared<const Tensor>(Tensor::from<T>(shape, values));
  }
  SharedTensor operator()(double value) const { return (*this)(static_cast<float>(value)); }
  SharedTensor operator()(const std::vector<double>& values) const {
    return (*this)(std::vector<float>(values.begin(), values.end()));
  }
  SharedTensor operator()(const SharedTensor& value) const { return value; }
};

// The type that an attribute of Constant must have, by its index in AttributeValue.
struct ValueAttribute {
  std::string_view name;
  std::size_t type;
  int since_opset;
};
constexpr ValueAttribute kValueAttributes[] = {{"value_int", 0, 12},    {"value_float", 1, 12},
                                               {"value_string", 2, 12}, {"value_ints", 3, 12},
                                               {"value_floats", 4, 12}, {"value_strings", 5, 12},
                                               {"value", 6, 1}};

}  // namespace

bool is_standard(const ModelNode& node, std::string_view op_type) {
  return node.domain.empty() && node.op_type == op_type && node.unsupported.empty();
}

Result<SharedTensor> constant_value(const ModelNode& node, int opset) {
  if (node.attributes.size() != 1)
    return format_error("a Constant has one attribute, this one has ", node.attributes.size());
  const std::string& name = node.attributes.begin()->first;
  const AttributeValue& value = node.attributes.begin()->second;
  const ValueAttribute* const rule =
      find_where(kValueAttributes, [&](const auto& row) { return row.name == name; });
  if (rule == nullptr)
    return unsupported_error("attribute '", name, "' of Constant is not supported");
  if (opset < rule->since_opset)
    return unsupported_error("attribute '", name, "' exists since opset ", rule->since_opset,
                             ", the model's is ", opset);
  if (value.index() != rule->type) return format_error("attribute '", name, "' has the wrong type");
  return std::visit(ToTensor{}, value);
}

Status check_arity(const ModelNode& node, std::size_t inputs, std::size_t outputs) {
  const auto omitted = [](const std::string& name) { return name.empty(); };
  const bool fits = node.inputs.size() == inputs && node.outputs.size() == outputs &&
                    std::none_of(node.inputs.begin(), node.inputs.end(), omitted) &&
                    std::none_of(node.outputs.begin(), node.outputs.end(), omitted);
  if (fits) return {};
  return format_error(node.op_type, " takes ", counted(inputs, "input"), " and gives ", outputs,
                      ", the node names ", node.inputs.size(), " and ", node.outputs.size());
}

}  // namespace windrow::internal
