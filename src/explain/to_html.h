#ifndef WINDROW_EXPLAIN_TO_HTML_H_
#define WINDROW_EXPLAIN_TO_HTML_H_

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "src/explain/scene.h"

// The parts that the SVG and the HTML of a scene share.
namespace windrow::internal {

// The custom properties of the colours for elements of class "windrow" and their contents: text,
// soft text, page, card, lines, and the groups' g0 .. g6 with their text t0 .. t6. The groups have
// colours after Okabe and Ito, which people with the common forms of colour blindness can tell
// apart. The scheme is light or dark as the reader's system asks.
extern const std::string_view kPalette;

// The concatenated texts. Compiles to less code than a chain of +.
std::string joined(std::initializer_list<std::string_view> texts);

// Printable text as the content of an element or the value of a quoted attribute.
std::string escaped(std::string_view text);

// A line broken at blanks into lines of at most `most` characters.
std::vector<std::string> wrapped(std::string_view text, std::size_t most);

// The number of characters of a UTF-8 text.
std::size_t character_count(std::string_view text);

// The number of a group's colour.
inline int colour_of(int group) { return group % kGroupColours; }

// The style sheet of to_html(), beside kPalette, and its script. The script reads the cells (td
// with an id) and the points (li in #points, whose data attributes name cells) and keeps no data.
extern const std::string_view kExplanationStyle;
extern const std::string_view kExplanationScript;

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_TO_HTML_H_
