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

// What the program that contains the command can do; empty functions for what it can't.
struct CommandHooks {
  RunInHost run_in_host = {};  // for models with operators that can't run here: an error without it
  // InferOptions::infer_others for ONNX models.
  std::function<Result<GraphValueInfos>(const Model&)> infer_others = {};
};

// The command `windrow` with these arguments, the first of which is its name. Reads and writes
// files and the standard streams; gives the exit code. Ignores SIGPIPE and SIGXFSZ from then on.
int run_command(int argc, const char* const* argv, const CommandHooks& hooks = {});

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_COMMAND_H_
