#ifndef WINDROW_TOOLS_WINDROW_OPTION_TABLES_H_
#define WINDROW_TOOLS_WINDROW_OPTION_TABLES_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

// What the option tables of the subcommands hold, for completion, for the manual page and for
// messages.
namespace windrow::tool {

// In the order in which they were added, without those that are hidden.
std::vector<const CLI::App*> subcommands_of(const CLI::App& app);

// The option of that name, as in "--out"; null if the subcommand has none.
const CLI::Option* find_option(const CLI::App& subcommand, const std::string& name);

// The names of an option: "--out", "-o". Empty for a positional argument.
std::vector<std::string> names_of(const CLI::Option& option);

// The values that an option is limited to; empty if it is not.
std::vector<std::string> choices_of(const CLI::Option& option);

// "FILE": what stands for its value in help texts, without the choices; empty for a flag.
std::string placeholder_of(const CLI::Option& option);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_OPTION_TABLES_H_
