#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "tools/windrow/command.h"
#include "windrow/windrow.h"

// Prints the manual page of the command, made from its option tables: windrow(1) in man's macros.
// It is a program of its own, so that the command does not grow by it.
namespace windrow::tool {
namespace {

// As text of a line that roff shows as it stands.
std::string escaped(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\\') {
      line += "\\e";
    } else if (c == '-') {
      line += "\\-";
    } else if (c == '\'') {
      line += "\\(aq";
    } else {
      line += c;
    }
  }
  return line.starts_with('.') ? "\\&" + line : line;
}

// Lines as they are, such as examples.
std::string verbatim(std::string_view text) {
  std::string page = ".nf\n";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    page += escaped(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return page + ".fi\n";
}

// "\fB\-\-out\fR, \fB\-o\fR \fIFILE\fR" and what it means.
std::string option_entry(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : names_of(option))
    names += (names.empty() ? "\\fB" : ", \\fB") + escaped(name) + "\\fR";
  if (names.empty()) names = "\\fI" + escaped(option.get_name(true)) + "\\fR";
  const std::string placeholder = placeholder_of(option);
  if (!placeholder.empty()) names += " \\fI" + escaped(placeholder) + "\\fR";
  std::string choices;
  for (const std::string& choice : choices_of(option))
    choices += (choices.empty() ? " One of: " : ", ") + choice;
  if (!choices.empty()) choices += ".";
  return fmt::format(".TP\n{}\n{}.{}\n", names, escaped(option.get_description()),
                     escaped(choices));
}

std::string subcommand_section(const CLI::App& subcommand) {
  std::string page = fmt::format(".SS windrow {}\n{}.\n", escaped(subcommand.get_name()),
                                 escaped(subcommand.get_description()));
  for (const CLI::Option* const option : subcommand.get_options()) page += option_entry(*option);
  return page + ".PP\n" + verbatim(subcommand.get_footer());
}

std::string page_of(const CLI::App& app) {
  std::string page = fmt::format(
      ".TH WINDROW 1 \"\" \"windrow {}\" \"User Commands\"\n.SH NAME\nwindrow \\- gather and "
      "scatter operators of ONNX, OpenVINO, TensorRT and NumPy\n.SH SYNOPSIS\n.B windrow\n"
      "\\fISUBCOMMAND\\fR [\\fIOPTION\\fR ...]\n.SH DESCRIPTION\n{}\n.PP\n",
      version(), escaped(app.get_description()));
  page += verbatim(app.get_footer()) + ".SH OPTIONS\n";
  for (const CLI::Option* const option : app.get_options()) page += option_entry(*option);
  page += ".SH SUBCOMMANDS\n";
  for (const CLI::App* const subcommand : subcommands_of(app))
    page += subcommand_section(*subcommand);
  return page +
         ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nIf it is set and not empty, nothing is "
         "coloured.\n.TP\n\\fBTMPDIR\\fR\nThe folder of temporary files, for standard input and "
         "standard output.\n";
}

int print_page() {
  CLI::App app(kSummary, "windrow");
  Invocation chosen;
  add_subcommands(app, chosen);
  const std::string page = page_of(app);
  const bool written =
      std::fwrite(page.data(), 1, page.size(), stdout) == page.size() && std::fflush(stdout) == 0;
  return written ? 0 : 1;
}

}  // namespace
}  // namespace windrow::tool

int main() { return windrow::tool::print_page(); }
