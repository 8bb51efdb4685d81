#include "plugins/jax/compiled_call.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "plugins/jax/pool.h"
#include "windrow/attributes.h"
#include "windrow/operators.h"

namespace windrow::jax {

DType dtype_of(XLA_FFI_DataType type) noexcept {
  switch (type) {
    case XLA_FFI_DataType_PRED:
      return DType::kBool;
    case XLA_FFI_DataType_S8:
      return DType::kInt8;
    case XLA_FFI_DataType_S16:
      return DType::kInt16;
    case XLA_FFI_DataType_S32:
      return DType::kInt32;
    case XLA_FFI_DataType_S64:
      return DType::kInt64;
    case XLA_FFI_DataType_U8:
      return DType::kUint8;
    case XLA_FFI_DataType_U16:
      return DType::kUint16;
    case XLA_FFI_DataType_U32:
      return DType::kUint32;
    case XLA_FFI_DataType_U64:
      return DType::kUint64;
    case XLA_FFI_DataType_F16:
      return DType::kFloat16;
    case XLA_FFI_DataType_BF16:
      return DType::kBFloat16;
    case XLA_FFI_DataType_F32:
      return DType::kFloat32;
    case XLA_FFI_DataType_F64:
      return DType::kFloat64;
    case XLA_FFI_DataType_C64:
      return DType::kComplex64;
    case XLA_FFI_DataType_C128:
      return DType::kComplex128;
    case XLA_FFI_DataType_F8E4M3FN:
      return DType::kFloat8E4M3FN;
    case XLA_FFI_DataType_F8E4M3FNUZ:
      return DType::kFloat8E4M3FNUZ;
    case XLA_FFI_DataType_F8E5M2:
      return DType::kFloat8E5M2;
    case XLA_FFI_DataType_F8E5M2FNUZ:
      return DType::kFloat8E5M2FNUZ;
    case XLA_FFI_DataType_F8E8M0FNU:
      return DType::kFloat8E8M0;
    default:
      return DType::kAbsent;
  }
}

namespace {

void add_text(CallKey& key, const XLA_FFI_ByteSpan& text) noexcept {
  key.add(std::string_view(text.ptr, text.len));
}

void add_buffer(CallKey& key, const XLA_FFI_Buffer& buffer) noexcept {
  key.add(buffer.dtype);
  key.add(buffer.rank);
  key.add(buffer.dims, static_cast<std::size_t>(buffer.rank));
}

// Kinds that no operator takes are left out: such a call fails before its plan is kept.
void add_attribute(CallKey& key, XLA_FFI_AttrType type, const void* attribute) noexcept {
  key.add(type);
  if (type == XLA_FFI_AttrType_STRING) {
    add_text(key, *static_cast<const XLA_FFI_ByteSpan*>(attribute));
  } else if (type == XLA_FFI_AttrType_SCALAR) {
    const auto& scalar = *static_cast<const XLA_FFI_Scalar*>(attribute);
    key.add(scalar.dtype);
    key.add(std::string_view(static_cast<const char*>(scalar.value), scalar_bytes(scalar.dtype)));
  }
}

}  // namespace

std::size_t scalar_bytes(XLA_FFI_DataType type) noexcept {
  switch (type) {
    case XLA_FFI_DataType_PRED:
      return 1;
    case XLA_FFI_DataType_S32:
    case XLA_FFI_DataType_F32:
      return 4;
    case XLA_FFI_DataType_S64:
    case XLA_FFI_DataType_F64:
      return 8;
    default:
      return 0;
  }
}

CallKey key_of(const XLA_FFI_CallFrame& frame) noexcept {
  CallKey key;
  key.add(frame.attrs.size);
  for (std::int64_t i = 0; i < frame.attrs.size; ++i) {
    add_text(key, *frame.attrs.names[i]);
    add_attribute(key, frame.attrs.types[i], frame.attrs.attrs[i]);
  }
  key.add(frame.args.size);
  for (std::int64_t i = 0; i < frame.args.size; ++i)
    add_buffer(key, *static_cast<const XLA_FFI_Buffer*>(frame.args.args[i]));
  for (std::int64_t i = 0; i < frame.rets.size; ++i)
    add_buffer(key, *static_cast<const XLA_FFI_Buffer*>(frame.rets.rets[i]));
  return key;
}

namespace {

// The largest number of inputs of any operator.
constexpr std::size_t kMostInputs = 8;

struct Request {
  OperatorId id;
  CallOptions options;
  Attributes attributes;  // the operator's own
};

Status wrong_attribute(const std::string& name, const std::string& fault) {
  return Status(ErrorCode::kInvalidArgument, "attribute '" + name + "' " + fault);
}

template <class T>
T scalar_as(const XLA_FFI_Scalar& scalar) noexcept {
  T value;
  std::memcpy(&value, scalar.value, sizeof(value));
  return value;
}

Result<AttributeValue> attribute_of(const std::string& name, XLA_FFI_AttrType type,
                                    const void* attribute) {
  if (type == XLA_FFI_AttrType_STRING) {
    const auto& text = *static_cast<const XLA_FFI_ByteSpan*>(attribute);
    return AttributeValue(std::string(text.ptr, text.len));
  }
  if (type == XLA_FFI_AttrType_SCALAR) {
    const auto& scalar = *static_cast<const XLA_FFI_Scalar*>(attribute);
    switch (scalar.dtype) {
      case XLA_FFI_DataType_PRED:
        return AttributeValue(scalar_as<std::uint8_t>(scalar) != 0);
      case XLA_FFI_DataType_S32:
        return AttributeValue(std::int64_t{scalar_as<std::int32_t>(scalar)});
      case XLA_FFI_DataType_S64:
        return AttributeValue(scalar_as<std::int64_t>(scalar));
      case XLA_FFI_DataType_F32:
        return AttributeValue(double{scalar_as<float>(scalar)});
      case XLA_FFI_DataType_F64:
        return AttributeValue(scalar_as<double>(scalar));
      default:
        break;
    }
  }
  return wrong_attribute(name, "must be an integer, a truth value, a float or text");
}

// Removes the attributes that are not the operator's own from `attributes`.
Result<Request> request_of(Attributes attributes) {
  Request request;
  const auto take = [&](const char* name) -> std::optional<AttributeValue> {
    const auto found = attributes.find(name);
    if (found == attributes.end()) return std::nullopt;
    return std::move(attributes.extract(found).mapped());
  };
  for (const auto& [name, target] :
       {std::pair{"dialect", &request.id.dialect}, std::pair{"operator", &request.id.name}}) {
    const std::optional<AttributeValue> given = take(name);
    if (!given || !std::holds_alternative<std::string>(*given))
      return wrong_attribute(name, "must be given as text");
    *target = std::get<std::string>(*given);
  }
  if (const auto version = take("version")) {
    const auto* number = std::get_if<std::int64_t>(&*version);
    if (number == nullptr || *number != static_cast<int>(*number))
      return wrong_attribute("version", "must be an integer of 32 bits");
    request.id.version = static_cast<int>(*number);
  }
  if (const auto given = take("out_of_range")) {
    const auto* name = std::get_if<std::string>(&*given);
    request.options.out_of_range = name == nullptr ? std::nullopt : parse_out_of_range(*name);
    if (!request.options.out_of_range)
      return wrong_attribute("out_of_range", "must be one of: error, zero, skip, clamp, modulo");
  }
  if (const auto given = take("negative")) {
    const auto* name = std::get_if<std::string>(&*given);
    request.options.negative = name == nullptr ? std::nullopt : parse_negative(*name);
    if (!request.options.negative)
      return wrong_attribute("negative", "must be one of: from_end, out_of_range, error");
  }
  if (const auto given = take("padding_index")) {
    const auto* number = std::get_if<std::int64_t>(&*given);
    if (number == nullptr) return wrong_attribute("padding_index", "must be an integer");
    request.options.padding_index = *number;
  }
  request.attributes = std::move(attributes);
  return request;
}

Result<Request> read_attributes(const XLA_FFI_Attrs& attrs) {
  Attributes attributes;
  for (std::int64_t i = 0; i < attrs.size; ++i) {
    std::string name(attrs.names[i]->ptr, attrs.names[i]->len);
    Result<AttributeValue> value = attribute_of(name, attrs.types[i], attrs.attrs[i]);
    if (!value) return value.error();
    attributes.emplace(std::move(name), *std::move(value));
  }
  return request_of(std::move(attributes));
}

const XLA_FFI_Buffer& operand(const XLA_FFI_CallFrame& frame, std::int64_t number) noexcept {
  return *static_cast<const XLA_FFI_Buffer*>(frame.args.args[number]);
}

const XLA_FFI_Buffer& result_of(const XLA_FFI_CallFrame& frame) noexcept {
  return *static_cast<const XLA_FFI_Buffer*>(frame.rets.rets[0]);
}

Shape shape_of(const XLA_FFI_Buffer& buffer) noexcept {
  return Shape(std::span<const std::int64_t>(buffer.dims, static_cast<std::size_t>(buffer.rank)));
}

Result<TensorSpec> spec_of(const XLA_FFI_Buffer& buffer, const std::string& name) {
  if (buffer.rank > kMaxRank)
    return Status(ErrorCode::kShape, name + " has " + std::to_string(buffer.rank) +
                                         " axes, the limit is " + std::to_string(kMaxRank));
  const DType dtype = dtype_of(buffer.dtype);
  if (dtype == DType::kAbsent)
    return Status(ErrorCode::kType, name + " has XLA's element type number " +
                                        std::to_string(buffer.dtype) +
                                        ", which no operator takes here");
  return TensorSpec{dtype, shape_of(buffer), std::nullopt, nullptr};
}

// Adds the inputs that are given not by operands but by the attributes of their names.
Status add_constants(const OperatorInfo& info, Attributes& attributes,
                     std::vector<TensorSpec>& specs, CompiledCall& call) {
  for (std::size_t i = specs.size(); i < info.inputs.size(); ++i) {
    const OperatorInput& input = info.inputs[i];
    const auto found = attributes.find(input.name);
    if (!input.value_at_compile || found == attributes.end()) return Status();
    const auto* number = std::get_if<std::int64_t>(&found->second);
    if (number == nullptr) return wrong_attribute(input.name, "must be an integer");
    auto value = std::make_shared<const Tensor>(Tensor::of<std::int64_t>({}, {*number}));
    specs.push_back({DType::kInt64, {}, std::nullopt, value});
    call.constants.push_back(std::move(value));
    attributes.erase(found);
  }
  return Status();
}

Status check_result(const XLA_FFI_CallFrame& frame, const TensorSpec& wanted,
                    std::string_view operator_name) {
  const Result<TensorSpec> given = spec_of(result_of(frame), "the result");
  if (!given) return given.error();
  if (given->dtype == wanted.dtype && given->shape == wanted.shape) return Status();
  const auto text = [](const TensorSpec& spec) {
    return std::string(dtype_name(spec.dtype)) + to_string(spec.shape);
  };
  return Status(given->dtype == wanted.dtype ? ErrorCode::kShape : ErrorCode::kType,
                std::string(operator_name) + ": the result is " + text(wanted) +
                    ", the call expects " + text(*given));
}

}  // namespace

Result<CompiledCall> compile_call(const XLA_FFI_CallFrame& frame) {
  Result<Request> request = read_attributes(frame.attrs);
  if (!request) return request.error();
  const Result<OperatorInfo> info = find_operator(request->id);
  if (!info) return info.error();
  const auto operands = static_cast<std::size_t>(frame.args.size);
  if (operands > info->inputs.size() || info->inputs.size() > kMostInputs || frame.rets.size != 1)
    return Status(ErrorCode::kInvalidArgument,
                  request->id.name + " has " + std::to_string(info->inputs.size()) +
                      " inputs and one result, the call " + std::to_string(operands) + " and " +
                      std::to_string(frame.rets.size));
  CompiledCall call = {Plan(nullptr), {}};
  std::vector<TensorSpec> specs;
  for (std::size_t i = 0; i < operands; ++i) {
    Result<TensorSpec> spec =
        spec_of(operand(frame, static_cast<std::int64_t>(i)), info->inputs[i].name);
    if (!spec) return spec.error();
    specs.push_back(*std::move(spec));
  }
  if (Status status = add_constants(*info, request->attributes, specs, call); !status)
    return status;
  const Result<Plan> plan = compile(request->id, request->attributes, specs, request->options);
  if (!plan) return plan.error();
  call.plan = *plan;
  if (Status status = check_result(frame, plan->result(), plan->operator_name()); !status)
    return status;
  return call;
}

Status run_call(const CompiledCall& call, const XLA_FFI_CallFrame& frame) {
  std::array<TensorView, kMostInputs> inputs;
  std::size_t count = 0;
  for (std::int64_t i = 0; i < frame.args.size; ++i) {
    const XLA_FFI_Buffer& buffer = operand(frame, i);
    inputs[count++] = TensorView(dtype_of(buffer.dtype), shape_of(buffer), buffer.data);
  }
  for (const auto& constant : call.constants) inputs[count++] = constant->view();
  const XLA_FFI_Buffer& result = result_of(frame);
  const MutableTensorView out(dtype_of(result.dtype), shape_of(result), result.data);
  Pool pool(frame.api, frame.ctx);
  // XLA's results are in memory fresh from the system, except those that are a scatter's data.
  RunOptions options;
  options.threads = &pool;
  options.fresh_output = out.data != inputs[0].data;
  return call.plan.run(std::span<const TensorView>(inputs.data(), count), out, options);
}

}  // namespace windrow::jax
