#ifndef WINDROW_COUNTED_H_
#define WINDROW_COUNTED_H_

#include <string>
#include <string_view>

namespace windrow {

// A number and what it counts: "1 node", "2 nodes". `many` is the word for all numbers but 1; if it
// is empty, the word is `one` with an s.
template <class Number>
std::string counted(Number number, std::string_view one, std::string_view many = {}) {
  std::string text = std::to_string(number) + " ";
  if (number == Number{1}) return text.append(one);
  return many.empty() ? text.append(one) + "s" : text.append(many);
}

}  // namespace windrow

#endif  // WINDROW_COUNTED_H_
