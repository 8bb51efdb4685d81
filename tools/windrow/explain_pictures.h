#ifndef WINDROW_TOOLS_WINDROW_EXPLAIN_PICTURES_H_
#define WINDROW_TOOLS_WINDROW_EXPLAIN_PICTURES_H_

#include <CLI/CLI.hpp>
#include <span>
#include <string>

#include "tools/windrow/console.h"
#include "windrow/explain.h"

namespace windrow::tool {

// Which pictures `windrow explain` makes.
struct PictureFiles {
  std::string svg;    // the file to write; empty: none
  std::string page;   // the HTML file to write; empty: none
  bool text = false;  // in the text even if standard output is not a terminal
};

void add_picture_options(CLI::App& command, PictureFiles& pictures);

// Throws Error if standard output cannot take what "-" names; see OutputFiles::check_targets().
void check_picture_files(const PictureFiles& pictures, Console& console);

// Whether draw_pictures() has anything to do.
bool wants_pictures(const PictureFiles& pictures, const Console& console);

// Prints the picture of characters, if it was asked for or standard output is a terminal, and
// writes the files; the page includes the comparisons. Throws Error (kIo); no file is left
// incomplete.
void draw_pictures(const Explanation& explanation, std::span<const Comparison> comparisons,
                   const PictureFiles& pictures, Console& console);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_EXPLAIN_PICTURES_H_
