#include "tools/windrow/command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/windrow/completion.h"
#include "tools/windrow/output_files.h"
#include "windrow/nearest_name.h"
#include "windrow/windrow.h"

namespace windrow::tool {

CLI::Option* add_json_flag(CLI::App& subcommand, Invocation& chosen) {
  return subcommand.add_flag("--json", chosen.json, "Print one JSON document instead of text");
}

std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); });
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

const CLI::Option* find_option(const CLI::App& subcommand, const std::string& name) {
  for (const CLI::Option* const option : subcommand.get_options())
    for (const std::string& known : names_of(*option))
      if (known == name) return option;
  return nullptr;
}

// The library keeps them in the text of the option's type alone: "FORMAT:{npy,pb}".
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

std::string placeholder_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

namespace {

constexpr char kNever[] = "never";
constexpr char kAdvice[] =
    "; python -m windrow has the same subcommands and runs the whole model in an installed ONNX "
    "Runtime or OpenVINO";

}  // namespace

void HostModels::add_options_to(CLI::App& subcommand, const RunInHost& run_in_host) {
  run_in_host_ = &run_in_host;
  if (!run_in_host) return;
  subcommand
      .add_option("--host", host_,
                  "The runtime for models with operators that windrow does not run: onnxruntime, "
                  "openvino, or never (the first that is installed)")
      ->type_name("NAME");
}

bool HostModels::takes(const Model& model) const {
  if (run_in_host_ == nullptr || !*run_in_host_ || host_ == kNever) return false;
  return !host_.empty() || !model.unsupported().empty();
}

Result<NamedTensors> HostModels::run(const Model& model, const std::string& path,
                                     const NamedViews& inputs, const ModelRunOptions& options,
                                     const CallFlags& flags) const {
  if (!takes(model)) {
    Result<NamedTensors> outputs = model.run(inputs, options);
    if (outputs || model.unsupported().empty() || host_ == kNever) return outputs;
    return Status(outputs.error().code(), outputs.error().message() + kAdvice);
  }
  if (options.reference || flags.change_options() || options.run.listed_indices > 0) {
    return Status(
        ErrorCode::kInvalidArgument,
        "the model runs in a host, where --out-of-range, --negative, --padding-index, --strict, "
        "--duplicates, --kernels, --reference and --all-bad have no meaning");
  }
  Result<NamedTensors> outputs = (*run_in_host_)(path, host_, inputs, flags.thread_count());
  if (!outputs) return outputs;
  // A host may know an output of an IR by another one of its names.
  for (std::size_t i = 0; i < outputs->size() && i < model.outputs.size(); ++i)
    (*outputs)[i].first = model.outputs[i].name;
  return outputs;
}

namespace {

constexpr char kCommandFooter[] =
    "Dialects: onnx, openvino, tensorrt and array (NumPy and the Array API).\n"
    "Models: ONNX and OpenVINO IR.\n"
    "Exit codes: 0 fine; 1 a case failed, or check found something; 2 bad usage, bad input,\n"
    "an index out of range, or no case found. Results go to standard output, warnings and errors\n"
    "to standard error. With --json standard output is one JSON document, also for an error:\n"
    "{\"error\": {...}}.\n"
    "In place of a file name, - means standard input or standard output.\n"
    "Help with an example: windrow SUBCOMMAND --help\n";

}  // namespace

void add_subcommands(CLI::App& app, Invocation& chosen) {
  app.set_version_flag("--version", fmt::format("windrow {}", version()),
                       "Print the version and exit");
  app.require_subcommand(1);
  app.footer(kCommandFooter);
  add_run(app, chosen);
  add_verify(app, chosen);
  add_call(app, chosen);
  add_lookup(app, chosen);
  add_inspect(app, chosen);
  add_explain(app, chosen);
  add_playground(app, chosen);
  add_check(app, chosen);
  add_ops(app, chosen);
  add_tune(app, chosen);
  add_completion(app, chosen);
}

namespace {

// "; did you mean --out?" for an option, or a choice of one, that is not known.
std::string option_hint(const CLI::App& called, const CLI::ParseError& error) {
  const std::string message = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    for (const std::string& word : called.remaining()) {
      if (!word.starts_with('-')) continue;
      NearestName nearest(word.substr(0, word.find('=')));
      for (const CLI::Option* const option : called.get_options())
        for (const std::string& name : names_of(*option)) nearest.consider(name);
      return nearest.hint();
    }
  }
  for (const CLI::Option* const option : called.get_options()) {
    if (!message.starts_with(option->get_name() + ": ")) continue;
    for (const std::string& value : option->results()) {
      const std::vector<std::string> choices = choices_of(*option);
      if (std::find(choices.begin(), choices.end(), value) == choices.end() && !choices.empty())
        return nearest_hint(value, choices);
    }
  }
  return "";
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& arguments) {
  const auto called = app.get_subcommands();
  if (!called.empty()) {
    return fmt::format("{} (see windrow {} --help){}", error.what(), called[0]->get_name(),
                       option_hint(*called[0], error));
  }
  if (arguments.empty() || arguments[0].starts_with("-")) {
    return fmt::format("{} (see windrow --help)", error.what());
  }
  std::string known;
  NearestName nearest(arguments[0]);
  for (const CLI::App* const subcommand : subcommands_of(app)) {
    known += (known.empty() ? "" : ", ") + subcommand->get_name();
    nearest.consider(subcommand->get_name());
  }
  return fmt::format("there is no subcommand '{}'; there are {} (see windrow --help){}",
                     arguments[0], known, nearest.hint());
}

int usage_error(const CLI::App& app, const CLI::ParseError& error,
                const std::vector<std::string>& arguments, bool json) {
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
    throw;
  } catch (const std::exception& error) {
    console.error(Status(ErrorCode::kInternal, error.what()));
  }
  return console.finish(code);
}

int parse_and_perform(int argc, const char* const* argv, bool json, const CommandHooks& hooks) {
  CLI::App app(kSummary, "windrow");
  Invocation chosen;
  chosen.hooks = hooks;
  try {
    add_subcommands(app, chosen);
    if (argc > 2 && std::string_view(argv[1]) == kCompleteWord) {
      Console console(false);
      console.print_verbatim(completion_lines(app, argv[2], {argv + 3, argv + argc}));
      return console.finish(kFine);
    }
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return usage_error(app, error, {argv + std::min(argc, 1), argv + argc}, json);
  }
  return perform(chosen);
}

// Called before anything that could need memory.
bool asks_for_json(int argc, const char* const* argv) {
  for (int i = 0; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--json" || word == "--format=json") return true;
    if (i > 0 && word == "json" && std::string_view(argv[i - 1]) == "--format") return true;
  }
  return false;
}

// For the handlers.
bool prints_json = false;
std::atomic<bool> lacked_memory = false;

void note_lack_of_memory() {
  lacked_memory = true;
  throw std::bad_alloc();
}

// Where a function that must not throw has no memory (in the C++ library's own walk through
// folders, in a destructor of the JSON library), the process ends by this
// handler.
[[noreturn]] void end_without_memory() {
  if (!lacked_memory) std::abort();
  perform_last_acts();
  _exit(Console::out_of_memory(prints_json));
}

// Keeps the handlers set during its lifetime.
class MemoryHandlers {
 public:
  MemoryHandlers() noexcept
      : new_before_(std::set_new_handler(&note_lack_of_memory)),
        terminate_before_(std::set_terminate(&end_without_memory)) {}
  MemoryHandlers(const MemoryHandlers&) = delete;
  MemoryHandlers& operator=(const MemoryHandlers&) = delete;
  ~MemoryHandlers() {
    std::set_new_handler(new_before_);
    std::set_terminate(terminate_before_);
  }

 private:
  std::new_handler new_before_;
  std::terminate_handler terminate_before_;
};

}  // namespace

int run_command(int argc, const char* const* argv, const CommandHooks& hooks) {
  // A closed pipe, and a file that may not grow, are seen where the write fails.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  prints_json = asks_for_json(argc, argv);
  const MemoryHandlers handlers;
  try {
    return parse_and_perform(argc, argv, prints_json, hooks);
  } catch (const std::bad_alloc&) {
    return Console::out_of_memory(prints_json);
  }
}

}  // namespace windrow::tool
