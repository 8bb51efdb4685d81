#include "tools/windrow/command.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <string>
#include <vector>

#include "tools/windrow/subcommands.h"
#include "windrow/windrow.h"

namespace windrow::tool {
namespace {

constexpr char kFooter[] =
    "Exit codes: 0 fine; 1 a case failed; 2 bad usage, bad input, an index out of range, or no "
    "case\n"
    "found. Results go to standard output, warnings and errors to standard error. With --json\n"
    "standard output is one JSON document; an error is {\"error\": {...}} there as well.\n"
    "Help with an example: windrow SUBCOMMAND --help\n";

void add_subcommands(CLI::App& app, Invocation& chosen) {
  app.set_version_flag("--version", fmt::format("windrow {}", version()),
                       "Print the version and exit");
  app.require_subcommand(1);
  app.footer(kFooter);
  add_run(app, chosen);
  add_verify(app, chosen);
  add_call(app, chosen);
  add_inspect(app, chosen);
  add_ops(app, chosen);
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& arguments) {
  const auto called = app.get_subcommands();
  if (!called.empty()) {
    return fmt::format("{} (see windrow {} --help)", error.what(), called[0]->get_name());
  }
  if (arguments.empty() || arguments[0].starts_with("-")) {
    return fmt::format("{} (see windrow --help)", error.what());
  }
  std::string known;
  for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
    known += (known.empty() ? "" : ", ") + subcommand->get_name();
  }
  return fmt::format("there is no subcommand '{}'; there are {} (see windrow --help)", arguments[0],
                     known);
}

int usage_error(const CLI::App& app, const CLI::ParseError& error,
                const std::vector<std::string>& arguments) {
  const bool json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
  Console console(json);
  console.error(Status(ErrorCode::kInvalidArgument, usage_message(app, error, arguments)));
  return console.finish(kBadInput);
}

int perform(const Invocation& chosen) {
  Console console(chosen.json);
  int code = kBadInput;
  try {
    code = chosen.action(console);
  } catch (const Error& error) {
    console.error(error.status());
  } catch (const std::bad_alloc&) {
    console.error(Status(ErrorCode::kOutOfMemory, "not enough memory"));
  } catch (const std::exception& error) {
    console.error(Status(ErrorCode::kInternal, error.what()));
  }
  return console.finish(code);
}

}  // namespace

int run_command(int argc, const char* const* argv) {
  // A closed pipe is seen where the write fails.
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app("Runs and checks gather and scatter operators exactly as ONNX defines them.",
               "windrow");
  Invocation chosen;
  try {
    add_subcommands(app, chosen);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return usage_error(app, error, {argv + std::min(argc, 1), argv + argc});
  }
  return perform(chosen);
}

}  // namespace windrow::tool
