#include "src/c_api/tensors.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "src/c_api/error.h"

namespace windrow::internal {

static_assert(WINDROW_FRESH_BYTES == kFreshBytes);

namespace {

Dims read_dims(const int64_t* values, int rank) {
  return Dims(std::span<const std::int64_t>(values, static_cast<std::size_t>(rank)));
}

std::int64_t element_bytes(DType dtype) {
  return dtype == DType::kString ? static_cast<std::int64_t>(sizeof(windrow_string))
                                 : dtype_bits(dtype) / 8;
}

std::string input_name(std::size_t index) { return "inputs[" + std::to_string(index) + "]"; }

Status check_inputs(const windrow_tensor* inputs, std::size_t count) {
  if (inputs == nullptr && count > 0) return invalid_argument("inputs is null");
  return {};
}

// Calls visit(offset in bytes) for every element in row-major order.
template <class Visit>
void for_each_offset(const Shape& shape, const Strides& strides, Visit visit) {
  const std::int64_t count = element_count(shape).value_or(0);
  Dims position = Dims::filled(shape.rank(), 0);
  std::int64_t offset = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    visit(offset);
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      offset += strides[axis];
      if (++position[axis] < shape[axis]) break;
      offset -= strides[axis] * shape[axis];
      position[axis] = 0;
    }
  }
}

}  // namespace

Result<MutableTensorView> read_tensor(const windrow_tensor& tensor, bool needs_data) {
  const std::optional<DType> dtype = from_c(tensor.dtype);
  if (!dtype)
    return Status(ErrorCode::kType,
                  "dtype is " + std::to_string(tensor.dtype) + ", which is no element type");
  if (*dtype == DType::kAbsent) return MutableTensorView();
  if (tensor.rank < 0 || tensor.rank > kMaxRank)
    return Status(ErrorCode::kShape, "rank is " + std::to_string(tensor.rank) +
                                         ", must be in [0, " + std::to_string(kMaxRank) + "]");
  if (tensor.rank > 0 && tensor.shape == nullptr) return invalid_argument("shape is null");
  const Shape shape = read_dims(tensor.shape, tensor.rank);
  const auto elements = element_count(shape);
  if (!elements)
    return Status(ErrorCode::kShape, "shape " + to_string(shape) +
                                         " has a negative extent or more than 2^63-1 elements");
  if (is_packed(*dtype) && tensor.byte_strides != nullptr)
    return invalid_argument("byte_strides must be null for a tensor of " +
                            std::string(dtype_name(*dtype)));
  if (needs_data && *elements > 0 && tensor.data == nullptr)
    return invalid_argument("data is null");
  const Strides strides = tensor.byte_strides != nullptr
                              ? read_dims(tensor.byte_strides, tensor.rank)
                              : row_major_strides(shape, element_bytes(*dtype));
  return MutableTensorView(*dtype, shape, strides, tensor.data);
}

Result<std::vector<TensorSpec>> read_specs(const windrow_tensor* inputs, std::size_t count) {
  if (Status status = check_inputs(inputs, count); !status) return status;
  std::vector<TensorSpec> specs;
  for (std::size_t i = 0; i < count; ++i) {
    Result<MutableTensorView> view = read_tensor(inputs[i], false);
    if (!view) return view.error().with_context(input_name(i));
    specs.push_back({view->dtype, view->shape, std::nullopt, nullptr});
    if (inputs[i].byte_strides != nullptr && view->dtype != DType::kString)
      specs.back().strides = view->strides;
  }
  return specs;
}

Result<Inputs> read_inputs(const windrow_tensor* inputs, std::size_t count) {
  if (Status status = check_inputs(inputs, count); !status) return status;
  Inputs result;
  result.views.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Result<MutableTensorView> view = read_tensor(inputs[i], true);
    if (!view) return view.error().with_context(input_name(i));
    result.views.push_back(*view);
    if (view->dtype != DType::kString) continue;
    Result<Tensor> strings = copy_strings(*view);
    if (!strings) return strings.error().with_context(input_name(i));
    result.views.back() = strings->view();
    result.strings.push_back(*std::move(strings));
  }
  return result;
}

Result<Tensor> copy_strings(const TensorView& from) {
  Result<Tensor> copy = Tensor::allocate(DType::kString, from.shape);
  if (!copy) return copy;
  auto* to = static_cast<std::string*>(copy->data());
  bool has_null = false;
  for_each_offset(from.shape, from.strides, [&](std::int64_t offset) {
    const auto& text =
        *reinterpret_cast<const windrow_string*>(static_cast<const char*>(from.data) + offset);
    if (text.data != nullptr) {
      to->assign(text.data, text.size);
    } else if (text.size > 0) {
      has_null = true;
    }
    ++to;
  });
  if (has_null) return invalid_argument("a string has null data and a size above 0");
  return copy;
}

void refer_to_strings(const Tensor& from, const MutableTensorView& to) noexcept {
  const auto* text = static_cast<const std::string*>(from.data());
  for_each_offset(to.shape, to.strides, [&](std::int64_t offset) {
    auto* element = reinterpret_cast<windrow_string*>(static_cast<char*>(to.data) + offset);
    *element = {text->data(), text->size()};
    ++text;
  });
}

namespace {

// Copies the members that the caller's version of a struct has, with zeros for the others. Members
// that this library does not know must be zero.
template <class Struct>
Result<Struct> read_sized(const Struct* from, const char* name) {
  Struct to{};
  if (from == nullptr) return to;
  if (from->size < sizeof(from->size))
    return invalid_argument(std::string(name) + ": size is " + std::to_string(from->size) +
                            ", must be sizeof(" + name + ")");
  std::memcpy(&to, from, std::min(from->size, sizeof(Struct)));
  const auto* bytes = reinterpret_cast<const unsigned char*>(from);
  if (from->size > sizeof(Struct) &&
      std::any_of(bytes + sizeof(Struct), bytes + from->size, [](auto byte) { return byte != 0; }))
    return Status(ErrorCode::kUnsupported,
                  std::string(name) + ": a member is set that this version does not know");
  return to;
}

Status read_value(const windrow_attribute& attribute, AttributeValue* value) {
  switch (attribute.kind) {
    case WINDROW_ATTRIBUTE_INT:
      value->emplace<std::int64_t>(attribute.int_value);
      return {};
    case WINDROW_ATTRIBUTE_FLOAT:
      value->emplace<double>(attribute.float_value);
      return {};
    case WINDROW_ATTRIBUTE_STRING:
      if (attribute.string_value == nullptr) return invalid_argument("string_value is null");
      value->emplace<std::string>(attribute.string_value);
      return {};
    case WINDROW_ATTRIBUTE_INTS:
      if (attribute.ints == nullptr && attribute.ints_count > 0)
        return invalid_argument("ints is null");
      value->emplace<std::vector<std::int64_t>>(attribute.ints,
                                                attribute.ints + attribute.ints_count);
      return {};
    default:
      return invalid_argument("kind is " + std::to_string(attribute.kind) +
                              ", which is no WINDROW_ATTRIBUTE_...");
  }
}

Result<std::optional<OutOfRange>> read_out_of_range(std::int32_t number) {
  using Choice = std::optional<OutOfRange>;
  switch (number) {
    case WINDROW_OUT_OF_RANGE_DEFAULT:
      return Choice();
    case WINDROW_OUT_OF_RANGE_ERROR:
      return Choice(OutOfRange::kError);
    case WINDROW_OUT_OF_RANGE_ZERO:
      return Choice(OutOfRange::kZero);
    case WINDROW_OUT_OF_RANGE_SKIP:
      return Choice(OutOfRange::kSkip);
    case WINDROW_OUT_OF_RANGE_CLAMP:
      return Choice(OutOfRange::kClamp);
    case WINDROW_OUT_OF_RANGE_MODULO:
      return Choice(OutOfRange::kModulo);
    default:
      return invalid_argument("out_of_range is " + std::to_string(number) +
                              ", which is no WINDROW_OUT_OF_RANGE_...");
  }
}

Result<std::optional<NegativeIndex>> read_negative(std::int32_t number) {
  using Choice = std::optional<NegativeIndex>;
  switch (number) {
    case WINDROW_NEGATIVE_DEFAULT:
      return Choice();
    case WINDROW_NEGATIVE_FROM_END:
      return Choice(NegativeIndex::kFromEnd);
    case WINDROW_NEGATIVE_OUT_OF_RANGE:
      return Choice(NegativeIndex::kOutOfRange);
    case WINDROW_NEGATIVE_ERROR:
      return Choice(NegativeIndex::kError);
    default:
      return invalid_argument("negative is " + std::to_string(number) +
                              ", which is no WINDROW_NEGATIVE_...");
  }
}

}  // namespace

Result<Attributes> read_attributes(const windrow_attribute* attributes, std::size_t count) {
  if (attributes == nullptr && count > 0) return invalid_argument("attributes is null");
  Attributes result;
  for (std::size_t i = 0; i < count; ++i) {
    const auto where = [i] { return "attributes[" + std::to_string(i) + "]"; };
    if (attributes[i].name == nullptr) return invalid_argument(where() + ": name is null");
    const auto [entry, is_new] = result.try_emplace(attributes[i].name);
    if (!is_new) return invalid_argument(where() + ": '" + entry->first + "' is given twice");
    if (Status status = read_value(attributes[i], &entry->second); !status)
      return status.with_context(where());
  }
  return result;
}

Result<CallOptions> read_call_options(const windrow_call_options* options) {
  Result<windrow_call_options> given = read_sized(options, "windrow_call_options");
  if (!given) return given.error();
  Result<std::optional<OutOfRange>> out_of_range = read_out_of_range(given->out_of_range);
  if (!out_of_range) return out_of_range.error();
  CallOptions result;
  result.out_of_range = *out_of_range;
  Result<std::optional<NegativeIndex>> negative = read_negative(given->negative);
  if (!negative) return negative.error();
  result.negative = *negative;
  if (given->has_padding_index != 0) result.padding_index = given->padding_index;
  result.strict = given->strict != 0;
  if (given->duplicates == WINDROW_DUPLICATES_ERROR) {
    result.duplicates = Duplicates::kError;
  } else if (given->duplicates != WINDROW_DUPLICATES_ALLOW) {
    return invalid_argument("duplicates is " + std::to_string(given->duplicates) +
                            ", which is no WINDROW_DUPLICATES_...");
  }
  if (given->kernels != nullptr) result.kernels = given->kernels;
  return result;
}

Status read_run_options(const windrow_run_options* options, CallerObjects* objects,
                        RunOptions* run) {
  Result<windrow_run_options> given = read_sized(options, "windrow_run_options");
  if (!given) return given.error();
  if (given->threads != nullptr) {
    if (given->threads->count < 1)
      return invalid_argument("threads: count is " + std::to_string(given->threads->count) +
                              ", must be at least 1");
    if (given->threads->parallel == nullptr) return invalid_argument("threads: parallel is null");
    run->threads = &objects->threads.emplace(*given->threads);
  }
  run->scratch = given->scratch;
  run->scratch_bytes = given->scratch_bytes;
  run->fresh_output = given->fresh_output != 0;
  if (given->interrupted != nullptr) run->interrupt = &objects->interrupt.emplace(*given);
  return {};
}

}  // namespace windrow::internal
