#ifndef WINDROW_TOOLS_WINDROW_CHECK_H_
#define WINDROW_TOOLS_WINDROW_CHECK_H_

#include <optional>
#include <string>
#include <string_view>

#include "tools/windrow/check_formats.h"
#include "tools/windrow/command.h"
#include "tools/windrow/console.h"
#include "tools/windrow/output_files.h"

namespace windrow::tool {

// Changes the model of a file where `report`, the check of it, found something, verifies the change
// by runs before and after, and writes the changed model. Where Windrow can run the model itself,
// the new file is in `files` and gets its name by commit(). Throws Error: those of the library;
// kUnsupported where only hosts can run the model and `hooks` has none; kInvalidArgument for a
// change that could not be verified, which is not written.
FixOutcome fix_file(const FixRequest& request, const CheckReport& report, const CommandHooks& hooks,
                    std::optional<OutputFiles>& files);

// Prints the changes as lines of text.
void print_fixes(const FixOutcome& outcome, const PrintLine& print);

// The report without the findings that the changes were made for.
CheckReport without_fixed(CheckReport report, const FixOutcome& outcome);

// Prints which opset the gathers and scatters of the model of a file need, as a table or as JSON.
// Returns the exit code: 1 if the model declares less, or if no opset allows a node. Throws Error.
int show_lowest_opset(const std::string& path, const CommandHooks& hooks, Console& console);

// Prints every rule of portability and of operators as a table or as {"rules": [...]}.
void list_rules(Console& console);

// Prints one rule with everything that is known about it. Throws Error (kInvalidArgument) for an
// unknown label.
void explain_rule(std::string_view label, Console& console);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_CHECK_H_
