#ifndef WINDROW_TOOLS_WINDROW_COMPLETION_SCRIPTS_H_
#define WINDROW_TOOLS_WINDROW_COMPLETION_SCRIPTS_H_

#include <string_view>

namespace windrow::tool {

// What makes a shell complete the words of the command. `shell`: "bash", "zsh" or "fish".
std::string_view completion_script(std::string_view shell);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_COMPLETION_SCRIPTS_H_
