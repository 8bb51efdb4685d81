#ifndef WINDROW_TOOLS_WINDROW_SUBCOMMANDS_H_
#define WINDROW_TOOLS_WINDROW_SUBCOMMANDS_H_

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

#include "tools/windrow/command.h"
#include "tools/windrow/console.h"

namespace windrow::tool {

// What the command line asks for, once it is parsed.
struct Invocation {
  CommandHooks hooks;
  bool json = false;
  std::function<int(Console&)> action;  // returns the exit code; throws windrow::Error on bad input
};

// Each adds one subcommand, which sets `chosen` when it is called.
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

// The command in one sentence.
inline constexpr char kSummary[] =
    "Runs, checks and explains gather and scatter operators exactly as ONNX, OpenVINO, TensorRT "
    "and "
    "NumPy's arrays define them.";

// The flag that every subcommand has.
CLI::Option* add_json_flag(CLI::App& subcommand, Invocation& chosen);

// perform(arguments, console) is what the subcommand does when it is called.
template <class Arguments, class Perform>
void set_action(CLI::App& subcommand, Invocation& chosen,
                const std::shared_ptr<Arguments>& arguments, Perform perform) {
  subcommand.callback([arguments, perform, &chosen] {
    chosen.action = [arguments, perform](Console& console) { return perform(*arguments, console); };
  });
}

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_SUBCOMMANDS_H_
