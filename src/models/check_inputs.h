#ifndef WINDROW_MODELS_CHECK_INPUTS_H_
#define WINDROW_MODELS_CHECK_INPUTS_H_

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <variant>

#include "windrow/attributes.h"
#include "windrow/models.h"

namespace windrow::internal {

// The value that a map has for a key; null if it has none.
template <class Map, class Key>
auto* find_in(Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

// The first element of a list of which `is_it` is true; null if there is none.
template <class List, class IsIt>
auto* find_where(const List& list, const IsIt& is_it) {
  const auto found = std::find_if(std::begin(list), std::end(list), is_it);
  return found == std::end(list) ? nullptr : &*found;
}

// The value of an attribute of type T; null if there is no such attribute, or one of another type.
template <class T>
const T* attribute_of(const Attributes& attributes, std::string_view name) {
  return std::get_if<T>(find_in(attributes, name));
}

// An attribute that is a whole number, or `otherwise`.
inline std::int64_t integer_of(const Attributes& attributes, std::string_view name,
                               std::int64_t otherwise) {
  const auto* const value = attribute_of<std::int64_t>(attributes, name);
  return value == nullptr ? otherwise : *value;
}

// The given tensors under the values' own names instead of aliases. Errors: kInvalidArgument (two
// tensors for one value).
Result<NamedViews> with_value_names(const Model& model, const NamedViews& inputs);

// Checks that the given tensors are the model's inputs as it declares them. A symbol stands for one
// number in all of them. Errors: kInvalidArgument (missing and unknown names), kType, kShape.
Status check_inputs(const Model& model, const NamedViews& inputs);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_CHECK_INPUTS_H_
