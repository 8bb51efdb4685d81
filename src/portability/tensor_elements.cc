#include "src/portability/tensor_elements.h"

#include <type_traits>
#include <variant>

#include "windrow/element.h"

namespace windrow::internal {
namespace {

Element element_of(const Tensor& tensor, std::int64_t position) {
  return element_at(tensor.dtype(), tensor.data(), position);
}

}  // namespace

std::int64_t integer_at(const Tensor& tensor, std::int64_t position) {
  const auto number = [](const auto& value) -> std::int64_t {
    if constexpr (std::is_integral_v<std::decay_t<decltype(value)>>) return index_value(value);
    return 0;
  };
  return std::visit(number, element_of(tensor, position));
}

double float_at(const Tensor& tensor, std::int64_t position) {
  const auto number = [](const auto& value) -> double {
    if constexpr (std::is_floating_point_v<std::decay_t<decltype(value)>>) return value;
    return 0;
  };
  return std::visit(number, element_of(tensor, position));
}

std::string element_text(const Tensor& tensor, std::int64_t position) {
  const std::string text = to_text(element_of(tensor, position));
  return text == "nan" ? "NaN" : text;
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
