#ifndef WINDROW_PRINTABLE_H_
#define WINDROW_PRINTABLE_H_

#include <string>
#include <string_view>

#include "windrow/export.h"

namespace windrow {

// `text` as one line of UTF-8 that a terminal can show safely. Names in files and arguments may
// contain any bytes. Line breaks, tabs and zeros become their C escapes; other control characters,
// and bytes that are not UTF-8, become a backslash, an x and two hexadecimal digits; control
// characters above ASCII, line and paragraph separators, marks that change the direction of text
// and characters that are invisible become a backslash, a u and four digits, or a U and eight.
// Everything else stays, including backslashes, so that printable text does not change. The text of
// every Status is printable.
WINDROW_EXPORT std::string printable(std::string_view text);

}  // namespace windrow

#endif  // WINDROW_PRINTABLE_H_
