#ifndef WINDROW_TOOLS_WINDROW_COMMAND_H_
#define WINDROW_TOOLS_WINDROW_COMMAND_H_

#include <functional>
#include <string>

#include "windrow/models.h"

namespace windrow::tool {

// Runs the model of a file as a whole in a host runtime: path, host ("": any), inputs, threads
// (0: the host's choice). Outputs in the graph's order. Errors: kUnsupported if there is no host,
// kOutOfMemory, kInvalidArgument with the host's own message.
using RunInHost = std::function<Result<NamedTensors>(
    const std::string& path, const std::string& host, const NamedViews& inputs, int threads)>;

// The command `windrow` with these arguments, the first of which is its name. Reads and writes
// files and the standard streams; gives the exit code. Ignores SIGPIPE and SIGXFSZ from then on.
// `run_in_host`: for models with operators that can't run here, which are an error without it.
int run_command(int argc, const char* const* argv, const RunInHost& run_in_host = {});

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_COMMAND_H_
