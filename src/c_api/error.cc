#include "src/c_api/error.h"

#include <cstddef>
#include <new>

namespace windrow::internal {
namespace {

// ErrorCode's numbers are public in C.
constexpr bool is_same(ErrorCode code, windrow_code number) {
  return static_cast<windrow_code>(code) == number;
}
static_assert(is_same(ErrorCode::kOk, WINDROW_OK));
static_assert(is_same(ErrorCode::kInvalidArgument, WINDROW_INVALID_ARGUMENT));
static_assert(is_same(ErrorCode::kShape, WINDROW_SHAPE));
static_assert(is_same(ErrorCode::kType, WINDROW_TYPE));
static_assert(is_same(ErrorCode::kIndexOutOfRange, WINDROW_INDEX_OUT_OF_RANGE));
static_assert(is_same(ErrorCode::kDuplicate, WINDROW_DUPLICATE));
static_assert(is_same(ErrorCode::kUnsupported, WINDROW_UNSUPPORTED));
static_assert(is_same(ErrorCode::kOutOfMemory, WINDROW_OUT_OF_MEMORY));
static_assert(is_same(ErrorCode::kFormat, WINDROW_FORMAT));
static_assert(is_same(ErrorCode::kIo, WINDROW_IO));
static_assert(is_same(ErrorCode::kInternal, WINDROW_INTERNAL));
static_assert(is_same(ErrorCode::kInterrupted, WINDROW_INTERRUPTED));

// Shared by all callers, so that reporting it needs no memory: the text is short enough to be
// stored in the string object.
windrow_error out_of_memory_error = {
    ErrorInfo{ErrorCode::kOutOfMemory, "out of memory", {}, {}, nullptr}};

}  // namespace

windrow_code set_error(windrow_error** error, const Status& status) noexcept {
  if (error != nullptr) {
    try {
      *error = status ? nullptr : new windrow_error{status.info()};
    } catch (const std::bad_alloc&) {
      return set_out_of_memory(error);
    }
  }
  return static_cast<windrow_code>(status.code());
}

windrow_code set_out_of_memory(windrow_error** error) noexcept {
  if (error != nullptr) *error = &out_of_memory_error;
  return WINDROW_OUT_OF_MEMORY;
}

}  // namespace windrow::internal

windrow_code windrow_error_code(const windrow_error* error) {
  return error == nullptr ? WINDROW_OK : static_cast<windrow_code>(error->info.code);
}

const char* windrow_error_message(const windrow_error* error) {
  return error == nullptr ? "" : error->info.message.c_str();
}

const char* windrow_error_operator(const windrow_error* error) {
  return error == nullptr ? "" : error->info.operator_name.c_str();
}

const char* windrow_error_constraint(const windrow_error* error) {
  return error == nullptr ? "" : error->info.constraint.c_str();
}

int windrow_error_index_fault(const windrow_error* error, windrow_index_fault* fault) {
  const windrow::IndexFault* known = error == nullptr ? nullptr : error->info.index_fault.get();
  if (known == nullptr || fault == nullptr) return known == nullptr ? 0 : 1;
  *fault = {known->input.c_str(),
            known->position.data(),
            static_cast<int32_t>(known->position.size()),
            known->value,
            known->axis,
            known->extent,
            known->count};
  return 1;
}

void windrow_error_free(windrow_error* error) {
  if (error != &windrow::internal::out_of_memory_error) delete error;
}

namespace windrow::internal {
namespace {

// A type and its number in C. The values of DType itself are not stable.
struct NumberedType {
  DType dtype;
  windrow_dtype number;
};
constexpr NumberedType kNumbers[] = {
    {DType::kAbsent, WINDROW_ABSENT},
#define WINDROW_DTYPE(enumerator, name, bits, kind, c_name, ...) \
  {DType::enumerator, WINDROW_##c_name},
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
};

}  // namespace

std::optional<DType> from_c(windrow_dtype number) noexcept {
  for (const NumberedType& type : kNumbers)
    if (type.number == number) return type.dtype;
  return std::nullopt;
}

windrow_dtype to_c(DType dtype) noexcept {
  // The rows stand in the order of DType.
  return kNumbers[static_cast<std::size_t>(dtype)].number;
}

}  // namespace windrow::internal

const char* windrow_dtype_name(windrow_dtype dtype) {
  const auto known = windrow::internal::from_c(dtype);
  if (!known) return nullptr;
  switch (*known) {
    case windrow::DType::kAbsent:
      return "absent";
#define WINDROW_DTYPE(enumerator, name, ...) \
  case windrow::DType::enumerator:           \
    return name;
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
  }
  return nullptr;
}

windrow_dtype windrow_dtype_parse(const char* name) {
  if (name == nullptr) return WINDROW_ABSENT;
  return windrow::internal::to_c(windrow::parse_dtype(name).value_or(windrow::DType::kAbsent));
}

int windrow_dtype_bits(windrow_dtype dtype) {
  if (dtype == WINDROW_STRING) return 8 * static_cast<int>(sizeof(windrow_string));
  return windrow::dtype_bits(windrow::internal::from_c(dtype).value_or(windrow::DType::kAbsent));
}
