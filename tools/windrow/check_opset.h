#ifndef WINDROW_TOOLS_WINDROW_CHECK_OPSET_H_
#define WINDROW_TOOLS_WINDROW_CHECK_OPSET_H_

#include <string>

#include "tools/windrow/command.h"
#include "tools/windrow/console.h"

namespace windrow::tool {

// Prints which opset the gathers and scatters of the model of a file need, as a table or as JSON.
// Returns the exit code: 1 if the model declares less, or if no opset allows a node. Throws Error.
int show_lowest_opset(const std::string& path, const CommandHooks& hooks, Console& console);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_CHECK_OPSET_H_
