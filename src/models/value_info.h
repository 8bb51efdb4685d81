#ifndef WINDROW_MODELS_VALUE_INFO_H_
#define WINDROW_MODELS_VALUE_INFO_H_

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "windrow/dim.h"
#include "windrow/dtype.h"
#include "windrow/shape.h"
#include "windrow/status.h"

// Messages and lists put together from texts, numbers, element types and shapes.
namespace windrow::internal {

// One part of a text. A string that it is made of must outlive it.
class TextPart {
 public:
  TextPart(std::string_view text) noexcept : view_(text) {}    // NOLINT: implicit by design
  TextPart(const std::string& text) noexcept : view_(text) {}  // NOLINT: as above
  TextPart(const char* text) noexcept : view_(text) {}         // NOLINT: as above
  TextPart(DType type) noexcept : view_(dtype_name(type)) {}   // NOLINT: as above
  TextPart(const Shape& shape) : made_(to_string(shape)) {}    // NOLINT: as above
  template <std::integral Number>
  TextPart(Number number) : made_(std::to_string(number)) {}  // NOLINT: as above

  std::string_view view() const noexcept { return made_.empty() ? view_ : made_; }

 private:
  std::string_view view_;
  std::string made_;  // of what is no string itself
};

// The parts one after another.
std::string text_of(std::initializer_list<TextPart> parts);

// Makes errors of one code whose messages are the parts one after another.
template <ErrorCode kCode>
struct ErrorMaker {
  template <class... Parts>
  Status operator()(const Parts&... parts) const {
    return {kCode, text_of({parts...})};
  }
};
// NOLINTBEGIN(readability-identifier-naming): they are called like functions
inline constexpr ErrorMaker<ErrorCode::kFormat> format_error;
inline constexpr ErrorMaker<ErrorCode::kUnsupported> unsupported_error;
inline constexpr ErrorMaker<ErrorCode::kInvalidArgument> argument_error;
inline constexpr ErrorMaker<ErrorCode::kShape> shape_error;
inline constexpr ErrorMaker<ErrorCode::kIo> io_error;
// NOLINTEND(readability-identifier-naming)

// The same result, with `context` before the message of an error.
template <class T>
Result<T> with_context(Result<T> result, std::string_view context) {
  return result ? std::move(result) : Result<T>(result.error().with_context(context));
}

// How joined() and listed() show an element unless they are told otherwise.
struct AsItIs {
  template <class Element>
  TextPart operator()(const Element& element) const {
    return element;
  }
};

// What `show` makes of each element, with the separator between them.
template <class Range, class Show = AsItIs>
std::string joined(const Range& range, std::string_view separator, const Show& show = {}) {
  std::string text;
  bool is_first = true;
  for (const auto& element : range) {
    if (!is_first) text += separator;
    text += TextPart(show(element)).view();
    is_first = false;
  }
  return text;
}

// The same of the first `most` elements: "a, b and 3 more".
template <class Range, class Show = AsItIs>
std::string listed(const Range& range, std::string_view separator, std::size_t most,
                   const Show& show = {}) {
  const std::size_t count = std::size(range);
  const std::span shown(std::data(range), std::min(count, most));
  const std::string text = joined(shown, separator, show);
  return count <= most ? text : text_of({text, " and ", count - most, " more"});
}

// A dimension without its symbol: "3", "?", "1..", "1..10".
std::string interval_text(const Dim& dim);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_VALUE_INFO_H_
