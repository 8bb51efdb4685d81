#ifndef WINDROW_EXPLAIN_MARKUP_H_
#define WINDROW_EXPLAIN_MARKUP_H_

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "src/explain/scene.h"

// What the SVG and the HTML of a scene share.
namespace windrow::internal {

// Custom properties of the colours: text, soft text, page, card, lines, and the groups' g0 .. g6
// with their text t0 .. t6, for elements of class "windrow" and what is in them; after Okabe and
// Ito, so that people with the common forms of colour blindness tell the groups apart. In the light
// or the dark scheme that the reader asks for.
extern const std::string_view kPalette;

// The texts one behind the other. Less code than a chain of +.
std::string joined(std::initializer_list<std::string_view> texts);

// Printable text as the content of an element or the value of a quoted attribute.
std::string escaped(std::string_view text);

// A line put into lines of at most `most` characters where they have blanks.
std::vector<std::string> wrapped(std::string_view text, std::size_t most);

// The number of characters of UTF-8.
std::size_t character_count(std::string_view text);

// The number of a group's colour.
inline int colour_of(int group) { return group % kGroupColours; }

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_MARKUP_H_
