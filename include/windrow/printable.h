#ifndef WINDROW_PRINTABLE_H_
#define WINDROW_PRINTABLE_H_

#include <string>
#include <string_view>

#include "windrow/export.h"

namespace windrow {

// `text` as one line of UTF-8 that a terminal shows and does not obey. Names in files and arguments
// may be any bytes. Line breaks, tabs and zeros become C's escapes for them; other control
// characters and bytes that are not UTF-8 become an x and two hexadecimal digits behind a
// backslash; control characters above ASCII, line and paragraph separators and marks that turn the
// direction of text become a u and four digits. All else stays, backslashes too, so that printable
// text does not change. The text of every Status is made so.
WINDROW_EXPORT std::string printable(std::string_view text);

}  // namespace windrow

#endif  // WINDROW_PRINTABLE_H_
