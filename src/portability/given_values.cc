#include "src/portability/given_values.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "src/models/value_info.h"
#include "windrow/element.h"
#include "windrow/nearest_name.h"

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

namespace {

bool fits(const ValueInfo& declared, const Tensor& given) {
  if (declared.dtype != DType::kAbsent && declared.dtype != given.dtype()) return false;
  if (!declared.dims) return true;
  const std::vector<Dim>& dims = *declared.dims;
  if (dims.size() != static_cast<std::size_t>(given.shape().rank())) return false;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    const std::int64_t extent = given.shape()[static_cast<int>(axis)];
    if (dims[axis].is_known() && dims[axis].value != extent) return false;
  }
  return true;
}

// Removes the input of that name from the list, if the value fits; nothing if there is none.
std::optional<Status> take(std::vector<ValueInfo>& inputs, const std::string& name,
                           const Tensor& given) {
  const auto found = std::find_if(inputs.begin(), inputs.end(),
                                  [&name](const ValueInfo& input) { return input.name == name; });
  if (found == inputs.end()) return std::nullopt;
  if (!fits(*found, given))
    return argument_error("input '", name, "' is ", dtype_name(given.dtype()),
                          to_string(given.shape()), ", the model declares ", to_string(*found));
  inputs.erase(found);
  return Status();
}

std::vector<std::string> input_names(const Model& model) {
  std::vector<std::string> names;
  for (const auto* inputs : {&model.inputs, &model.default_inputs}) {
    for (const ValueInfo& input : *inputs) names.push_back(input.name);
  }
  return names;
}

}  // namespace

Result<Model> with_given_values(
    const Model& model,
    const std::map<std::string, std::shared_ptr<const Tensor>, std::less<>>& given) {
  Model filled = model;
  for (const auto& [name, tensor] : given) {
    std::optional<Status> taken = take(filled.inputs, name, *tensor);
    if (!taken) taken = take(filled.default_inputs, name, *tensor);
    if (!taken)
      return argument_error("there is no input '", name, "'",
                            nearest_hint(name, input_names(model)));
    if (!*taken) return *taken;
    filled.opaque_constants.erase(name);
    filled.constants.insert_or_assign(name, Constant(tensor));
  }
  return filled;
}

}  // namespace windrow::internal
