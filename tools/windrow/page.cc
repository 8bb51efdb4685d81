#include "tools/windrow/page.h"

#include <fmt/core.h>

#include "tools/windrow/html_text.h"
#include "tools/windrow/page_style.h"

namespace windrow::tool {

std::string page_section(std::string_view heading, std::string_view html) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", heading, html);
}

std::string page_html(std::string_view title, std::string_view subtitle,
                      std::string_view sections) {
  const std::string shown = html_text(title);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<header>\n<h1>{}</h1>\n"
      "<p>{}</p>\n</header>\n<main>\n{}</main>\n</body>\n</html>\n",
      shown, kPageStyle, shown, subtitle, sections);
}

}  // namespace windrow::tool
