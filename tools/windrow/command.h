#ifndef WINDROW_TOOLS_WINDROW_COMMAND_H_
#define WINDROW_TOOLS_WINDROW_COMMAND_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/check.h"
#include "windrow/models.h"

namespace windrow::tool {

// Runs the model of a file as a whole in a host runtime: path, host ("": any), inputs, threads
// (0: the host's choice). Outputs in the graph's order. Errors: kUnsupported if there is no host,
// kOutOfMemory, kInvalidArgument with the host's own message.
using RunInHost = std::function<Result<NamedTensors>(
    const std::string& path, const std::string& host, const NamedViews& inputs, int threads)>;

// What `windrow check` was asked for.
struct CheckRequest {
  std::string model;     // a path
  std::string runtimes;  // as parse_targets() reads them; empty: every one
  std::vector<std::string> select;
  std::vector<std::string> ignore;
  std::map<std::string, AssumedRange, std::less<>> assume;
  bool show_cannot = false;
  std::string inputs;    // an .npz file; empty: none
  bool attempt = false;  // to run suspected nodes alone
  std::string host;      // "": any
  std::int64_t runs = 20;
};

// Checks a model with what only runs in host runtimes can tell. Errors: those of the library,
// kUnsupported if there is no host.
using CheckInHost = std::function<Result<CheckReport>(const CheckRequest& request)>;

// What the program that contains the command can do; empty functions for what it can't.
struct CommandHooks {
  RunInHost run_in_host = {};  // for models with operators that can't run here: an error without it
  // InferOptions::infer_others for ONNX models.
  std::function<Result<GraphValueInfos>(const Model&)> infer_others = {};
  CheckInHost check_in_host = {};
};

// A report and the name of the model that it is about.
struct CheckedModel {
  std::string model;
  CheckReport report;
};

// Whether a finding that is not proved impossible is at least as severe as `fail_on`: the name of a
// severity, or "never". Errors: kInvalidArgument.
Result<bool> check_fails(const CheckReport& report, std::string_view fail_on);

// The report as `windrow check --format` writes it, with a newline at its end. `fail_on`: from
// where on findings are failures of the format "junit". Errors: kInvalidArgument (an unknown name).
Result<std::string> format_check(const CheckedModel& checked, std::string_view format,
                                 std::string_view fail_on);

// The command `windrow` with these arguments, the first of which is its name. Reads and writes
// files and the standard streams; gives the exit code. Ignores SIGPIPE and SIGXFSZ from then on.
int run_command(int argc, const char* const* argv, const CommandHooks& hooks = {});

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_COMMAND_H_
