#ifndef WINDROW_EXPLAIN_PAGE_PARTS_H_
#define WINDROW_EXPLAIN_PAGE_PARTS_H_

#include <string_view>

namespace windrow::internal {

// The style sheet of to_html(), beside kPalette, and its script. The script reads the cells (td
// with an id) and the points (li in #points, whose data attributes name cells) and keeps no data.
extern const std::string_view kExplanationStyle;
extern const std::string_view kExplanationScript;

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_PAGE_PARTS_H_
