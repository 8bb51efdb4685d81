#ifndef WINDROW_TOOLS_WINDROW_CHECK_RULES_H_
#define WINDROW_TOOLS_WINDROW_CHECK_RULES_H_

#include <string_view>

#include "tools/windrow/console.h"

namespace windrow::tool {

// Prints every rule of portability and of operators as a table or as {"rules": [...]}.
void list_rules(Console& console);

// Prints one rule with everything that is known about it. Throws Error (kInvalidArgument) for an
// unknown label.
void explain_rule(std::string_view label, Console& console);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_CHECK_RULES_H_
