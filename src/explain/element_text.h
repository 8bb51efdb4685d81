#ifndef WINDROW_EXPLAIN_ELEMENT_TEXT_H_
#define WINDROW_EXPLAIN_ELEMENT_TEXT_H_

#include <string>

#include "src/reference/element.h"

namespace windrow::internal {

// An element for people, in one line: "true", "-3", the shortest decimal number that is the same
// float, "1+2j"; a string in quotes, cut after 40 characters.
std::string element_text(const reference::Element& element);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_ELEMENT_TEXT_H_
