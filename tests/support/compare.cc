#include "tests/support/compare.h"

#include <cmath>
#include <cstring>

#include "tests/support/elements.h"
#include "tests/support/ieee.h"

namespace windrow::tests {
namespace {

std::string kind_difference(const TensorView& expected, const TensorView& actual) {
  if (expected.dtype != actual.dtype)
    return "type is " + std::string(dtype_name(actual.dtype)) + ", expected " +
           std::string(dtype_name(expected.dtype));
  if (expected.shape != actual.shape)
    return "shape is " + to_string(actual.shape) + ", expected " + to_string(expected.shape);
  return {};
}

bool is_close(double expected, double actual, const Closeness& closeness) {
  return std::isnan(expected)
             ? std::isnan(actual)
             : expected == actual ||
                   std::fabs(expected - actual) <=
                       closeness.absolute + closeness.relative * std::fabs(expected);
}

bool is_equal(DType type, const std::string& expected, const std::string& actual, bool exact,
              const Closeness& closeness) {
  if (expected == actual) return true;
  if (exact || !has_ieee_component(type)) return false;
  const int components = dtype_kind(type) == DTypeKind::kComplex ? 2 : 1;
  for (int i = 0; i < components; ++i) {
    const std::uint64_t want = component_bits(type, expected, i);
    const std::uint64_t got = component_bits(type, actual, i);
    if (want == got) continue;
    const double value = decode_component(type, want);
    const bool tolerant = closeness.relative > 0 || closeness.absolute > 0 || std::isnan(value);
    if (!tolerant || !is_close(value, decode_component(type, got), closeness)) return false;
  }
  return true;
}

bool same_memory(const TensorView& expected, const TensorView& actual) {
  if (expected.dtype == DType::kString || is_packed(expected.dtype)) return false;
  if (!expected.is_dense() || !actual.is_dense()) return false;
  const auto bytes = dense_byte_count(expected.dtype, expected.shape).value_or(0);
  return bytes == 0 ||
         std::memcmp(expected.data, actual.data, static_cast<std::size_t>(bytes)) == 0;
}

std::string difference_at(const TensorView& expected, const TensorView& actual,
                          const Dims& position) {
  return "at " + to_string(position) + " is " +
         describe_element(actual.dtype, read_element(actual, position)) + ", expected " +
         describe_element(expected.dtype, read_element(expected, position));
}

std::string fault_text(const IndexFault* fault) {
  if (fault == nullptr) return "no bad index";
  return "bad index " + fault->input + to_string(Dims(fault->position)) + " = " +
         fault->value_text + ", axis " + std::to_string(fault->axis) + ", extent " +
         std::to_string(fault->extent) + ", count " + std::to_string(fault->count);
}

std::string error_text(const Status& status) {
  return std::string(error_code_name(status.code())) + " [" + status.constraint() + "] \"" +
         status.message() + "\" (" + fault_text(status.index_fault()) + ")";
}

}  // namespace

std::string first_difference(const TensorView& expected, const TensorView& actual,
                             const Closeness& closeness) {
  if (std::string kind = kind_difference(expected, actual); !kind.empty()) return kind;
  if (element_count(expected.shape).value_or(0) == 0 || same_memory(expected, actual)) return {};
  Dims position = Dims::filled(expected.shape.rank(), 0);
  std::size_t element = 0;
  do {
    const std::string want = read_element(expected, position);
    const std::string got = read_element(actual, position);
    const bool exact = !closeness.exact.empty() && closeness.exact[element];
    ++element;
    if (!is_equal(expected.dtype, want, got, exact, closeness))
      return difference_at(expected, actual, position);
  } while (next_position(expected.shape, position));
  return {};
}

std::string first_bit_difference(const TensorView& expected, const TensorView& actual) {
  if (std::string kind = kind_difference(expected, actual); !kind.empty()) return kind;
  if (element_count(expected.shape).value_or(0) == 0 || same_memory(expected, actual)) return {};
  Dims position = Dims::filled(expected.shape.rank(), 0);
  do {
    if (!same_element(expected, actual, position)) return difference_at(expected, actual, position);
  } while (next_position(expected.shape, position));
  return {};
}

std::string error_difference(const Status& expected, const Status& actual) {
  // Errors about values name a position: there the whole message must be the same.
  const bool about_values =
      expected.code() == ErrorCode::kIndexOutOfRange || expected.code() == ErrorCode::kDuplicate;
  const bool same = expected.code() == actual.code() &&
                    expected.constraint() == actual.constraint() &&
                    expected.operator_name() == actual.operator_name() &&
                    fault_text(expected.index_fault()) == fault_text(actual.index_fault()) &&
                    (!about_values || expected.message() == actual.message());
  if (same) return {};
  return "error is " + error_text(actual) + ", expected " + error_text(expected);
}

}  // namespace windrow::tests
