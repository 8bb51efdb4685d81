#ifndef WINDROW_TOOLS_WINDROW_COMPLETION_H_
#define WINDROW_TOOLS_WINDROW_COMPLETION_H_

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace windrow::tool {

// The word with which the scripts of `windrow completion` ask for candidates: windrow __complete
// SHELL WORD.., the words of the command line behind the command's name; the last is the one that
// is completed.
inline constexpr char kCompleteWord[] = "__complete";

// A word that the last word may become, and a description of it.
struct Candidate {
  std::string text;
  std::string help;
};

// Subcommands, options, their values, operators, attributes, and nodes and inputs of the model that
// the line names. Empty where a file name is expected. `words` is not empty.
std::vector<Candidate> complete(const CLI::App& app, const std::vector<std::string>& words);

// The candidates in the form that the scripts read: per line a text, a tab and its help. For bash
// the text is only what follows the last '=' or ':', where bash splits words.
std::string completion_lines(const CLI::App& app, const std::string& shell,
                             const std::vector<std::string>& words);

// What makes a shell complete the words of the command. `shell`: "bash", "zsh" or "fish".
std::string_view completion_script(std::string_view shell);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_COMPLETION_H_
