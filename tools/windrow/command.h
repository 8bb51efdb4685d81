#ifndef WINDROW_TOOLS_WINDROW_COMMAND_H_
#define WINDROW_TOOLS_WINDROW_COMMAND_H_

namespace windrow::tool {

// The command `windrow` with these arguments, the first of which is its name. Reads and writes
// files and the standard streams; gives the exit code. Ignores SIGPIPE and SIGXFSZ from then on.
int run_command(int argc, const char* const* argv);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_COMMAND_H_
