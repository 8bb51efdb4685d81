#ifndef WINDROW_TOOLS_WINDROW_PAGE_H_
#define WINDROW_TOOLS_WINDROW_PAGE_H_

#include <string>
#include <string_view>

// What the command's pages share: HTML documents without scripts that load nothing.
namespace windrow::tool {

// A part of a page under a heading. Both are HTML.
std::string page_section(std::string_view heading, std::string_view html);

// A document. `title`: any text. `subtitle` and `sections`: HTML.
std::string page_html(std::string_view title, std::string_view subtitle, std::string_view sections);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_PAGE_H_
