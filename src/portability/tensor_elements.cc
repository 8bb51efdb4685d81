#include "src/portability/tensor_elements.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string_view>

#include "windrow/printable.h"

namespace windrow::internal {
namespace {

constexpr std::size_t kMostText = 40;

// The shortest decimal text that gives the same double again.
std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

// Calls `visit` with the one element at a position.
template <class Find, class Visit>
bool visit_one(const Tensor& tensor, std::int64_t position, const Find& find, const Visit& visit) {
  const std::int64_t bits = dtype_bits(tensor.dtype());
  if (bits % 8 != 0) {
    return find(tensor,
                [&](std::int64_t at, auto value) {
                  if (at == position) visit(value);
                  return at == position;
                })
        .has_value();
  }
  auto* const bytes = const_cast<char*>(static_cast<const char*>(tensor.data()));  // only read
  const Tensor one = Tensor::adopt(tensor.dtype(), Shape{}, bytes + position * (bits / 8), nullptr);
  return find(one,
              [&](std::int64_t, auto value) {
                visit(value);
                return true;
              })
      .has_value();
}

}  // namespace

std::int64_t integer_at(const Tensor& tensor, std::int64_t position) {
  std::int64_t found = 0;
  visit_one(
      tensor, position,
      [](const Tensor& one, const auto& visit) { return find_integer(one, visit); },
      [&found](std::int64_t value) { found = value; });
  return found;
}

double float_at(const Tensor& tensor, std::int64_t position) {
  double found = 0;
  visit_one(
      tensor, position, [](const Tensor& one, const auto& visit) { return find_float(one, visit); },
      [&found](double value) { found = value; });
  return found;
}

std::string element_text(const Tensor& tensor, std::int64_t position) {
  const auto at = static_cast<std::size_t>(position);
  if (tensor.dtype() == DType::kBool)
    return static_cast<const std::uint8_t*>(tensor.data())[at] != 0 ? "true" : "false";
  if (tensor.dtype() == DType::kUint64) return std::to_string(tensor.values<std::uint64_t>()[at]);
  if (tensor.dtype() == DType::kString) {
    const std::string& text = tensor.values<std::string>()[at];
    return '"' + printable(std::string_view(text).substr(0, kMostText)) + '"';
  }
  std::string text;
  const bool is_number = visit_one(
      tensor, position,
      [](const Tensor& one, const auto& visit) { return find_integer(one, visit); },
      [&text](std::int64_t value) { text = std::to_string(value); });
  if (is_number) return text;
  visit_one(
      tensor, position, [](const Tensor& one, const auto& visit) { return find_float(one, visit); },
      [&text](double value) { text = number_text(value); });
  return text;
}

std::vector<std::int64_t> unravel(std::int64_t position, const Shape& shape) {
  std::vector<std::int64_t> place(static_cast<std::size_t>(shape.rank()));
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    place[static_cast<std::size_t>(axis)] = position % shape[axis];
    position /= shape[axis];
  }
  return place;
}

std::string position_text(const std::vector<std::int64_t>& position) {
  std::string text;
  for (const std::int64_t at : position) text += (text.empty() ? "[" : ", ") + std::to_string(at);
  return text.empty() ? text : text + "]";
}

}  // namespace windrow::internal
