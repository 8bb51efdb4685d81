#include "tools/windrow/explain_pictures.h"

#include <unistd.h>

#include <algorithm>
#include <optional>

#include "tools/windrow/output_files.h"

namespace windrow::tool {
namespace {

constexpr std::size_t kMostWidth = 1000;

bool has_text(const PictureFiles& pictures, const Console& console) {
  return !console.json() && (pictures.text || isatty(STDOUT_FILENO) == 1);
}

// Written aside; commit() gives it its name.
void stage(const std::string& path, const std::string& ending, const std::string& picture,
           std::optional<OutputFiles>& file) {
  file.emplace(path, OutputFiles::Into::kFile, ending);
  file->add_text(picture, path);
}

}  // namespace

void add_picture_options(CLI::App& command, PictureFiles& pictures) {
  command.add_option("--svg", pictures.svg, "Write a picture of the call to this file")
      ->check(refuse_empty_name)
      ->type_name("FILE");
  command
      .add_option("--html", pictures.page,
                  "Write a page for browsers to this file: point at elements, step through writes")
      ->check(refuse_empty_name)
      ->type_name("FILE");
  command.add_flag("--picture", pictures.text,
                   "Print a picture of characters too; it is printed anyway to a terminal");
}

void check_picture_files(const PictureFiles& pictures, Console& console) {
  using Content = OutputFiles::Content;
  OutputFiles::check_targets(
      {{"--svg", pictures.svg, Content::kText}, {"--html", pictures.page, Content::kText}},
      console);
}

bool wants_pictures(const PictureFiles& pictures, const Console& console) {
  return !pictures.svg.empty() || !pictures.page.empty() || has_text(pictures, console);
}

void draw_pictures(const Explanation& explanation, std::span<const Comparison> comparisons,
                   const PictureFiles& pictures, Console& console) {
  std::optional<OutputFiles> svg;
  std::optional<OutputFiles> page;
  if (!pictures.svg.empty()) stage(pictures.svg, ".svg", to_svg(explanation), svg);
  if (!pictures.page.empty())
    stage(pictures.page, ".html", to_html(explanation, comparisons), page);
  if (has_text(pictures, console)) {
    TerminalOptions options;
    options.width = static_cast<int>(std::min(console.widths().prose, kMostWidth));
    options.colour = may_colour(STDOUT_FILENO);
    console.print_verbatim("\n" + to_terminal(explanation, options));
  }
  OutputFiles::commit_all({svg ? &*svg : nullptr, page ? &*page : nullptr});
  for (const std::string& path : {pictures.svg, pictures.page})
    if (!path.empty()) console.print_line({"wrote ", shown_output(path)});
}

}  // namespace windrow::tool
