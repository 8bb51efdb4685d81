#ifndef WINDROW_TOOLS_WINDROW_COMPLETION_H_
#define WINDROW_TOOLS_WINDROW_COMPLETION_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace windrow::tool {

// The word with which the scripts of `windrow completion` ask for candidates: windrow __complete
// SHELL WORD.., the words of the command line behind the command's name; the last is the one that
// is completed.
inline constexpr char kCompleteWord[] = "__complete";

// A word that the last one may become, and what it is.
struct Candidate {
  std::string text;
  std::string help;
};

// Subcommands, options, their values, operators, attributes, and nodes and inputs of the model that
// the line names. Empty where a file may stand. `words` is not empty.
std::vector<Candidate> complete(const CLI::App& app, const std::vector<std::string>& words);

// What the scripts read: a line for each candidate, its text, a tab, its help. Gives bash what
// follows the last '=' or ':' alone, as it splits words there.
std::string completion_lines(const CLI::App& app, const std::string& shell,
                             const std::vector<std::string>& words);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_COMPLETION_H_
