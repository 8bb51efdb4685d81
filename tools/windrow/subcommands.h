#ifndef WINDROW_TOOLS_WINDROW_SUBCOMMANDS_H_
#define WINDROW_TOOLS_WINDROW_SUBCOMMANDS_H_

#include <CLI/CLI.hpp>
#include <functional>

#include "tools/windrow/command.h"
#include "tools/windrow/console.h"

namespace windrow::tool {

// What the command line asks for, once it is parsed.
struct Invocation {
  CommandHooks hooks;
  bool json = false;
  std::function<int(Console&)> action;  // returns the exit code; throws windrow::Error on bad input
};

// Each adds one subcommand, which sets `chosen` when it is the one that was called.
void add_run(CLI::App& app, Invocation& chosen);
void add_verify(CLI::App& app, Invocation& chosen);
void add_call(CLI::App& app, Invocation& chosen);
void add_inspect(CLI::App& app, Invocation& chosen);
void add_explain(CLI::App& app, Invocation& chosen);
void add_check(CLI::App& app, Invocation& chosen);
void add_ops(CLI::App& app, Invocation& chosen);
void add_completion(CLI::App& app, Invocation& chosen);

// Adds all of them, and what the command itself has.
void add_subcommands(CLI::App& app, Invocation& chosen);

// What the command is, in a sentence.
inline constexpr char kSummary[] =
    "Runs, checks and explains gather and scatter operators exactly as ONNX, OpenVINO, TensorRT "
    "and "
    "NumPy's arrays define them.";

// The flag that every subcommand has.
CLI::Option* add_json_flag(CLI::App& subcommand, Invocation& chosen);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_SUBCOMMANDS_H_
