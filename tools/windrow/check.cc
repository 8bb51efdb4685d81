#include <fmt/core.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/windrow/check_fix.h"
#include "tools/windrow/check_formats.h"
#include "tools/windrow/check_opset.h"
#include "tools/windrow/check_rules.h"
#include "tools/windrow/findings.h"
#include "tools/windrow/input_files.h"
#include "tools/windrow/model_inputs.h"
#include "tools/windrow/output_files.h"
#include "tools/windrow/parse_number.h"
#include "tools/windrow/subcommands.h"
#include "windrow/models.h"
#include "windrow/printable.h"

namespace windrow::tool {
namespace {

constexpr char kFooter[] =
    "Tells for each gather and scatter node of a model where runtimes differ: the rule, what\n"
    "each runtime does, and what to change. The verdict on a rule is 'happens', with the index\n"
    "that shows it, or 'can', or, with --all, 'cannot', which is proved. What callers must keep\n"
    "to is one line per input and counts as a finding only where --assume allows what breaks it.\n"
    "The exit code is 1 if a finding at or above --fail-on was not fixed; with --lowest-opset,\n"
    "if the model declares an older opset than its gathers and scatters need.\n\n"
    "Examples:\n"
    "  windrow check model.onnx --for onnxruntime:cpu@1.31,tensorrt\n"
    "  windrow check model.onnx --assume ids=0..30521 --format sarif\n"
    "  windrow check model.onnx --lowest-opset\n"
    "  windrow check --explain-rule gather-index-range\n";

struct CheckArguments {
  CheckRequest request;
  std::vector<std::string> assume;
  std::string fail_on = "undefined";
  std::string format = "text";
  std::string page;   // the HTML file to write; empty: none
  std::string fixed;  // the changed model to write; empty: none
  InputTexts inputs;
  bool unsafe_fixes = false;
  bool lowest_opset = false;
  bool list = false;
  std::string explained;
};

[[noreturn]] void refuse_assumption(const std::string& text) {
  fail(ErrorCode::kInvalidArgument,
       fmt::format("--assume {}: expected INPUT=LOW..HIGH, as in ids=0..30521", printable(text)));
}

std::int64_t bound_of(std::string_view text, const std::string& whole) {
  const auto value = parse_number<std::int64_t>(text);
  if (!value) refuse_assumption(whole);
  return *value;
}

// "ids=0..30521"; the name may hold '='.
void add_assumption(const std::string& text, CheckRequest& request) {
  const std::size_t equals = text.rfind('=');
  const std::size_t dots = text.find("..", equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || dots == std::string::npos) refuse_assumption(text);
  const std::string_view ends(text);
  const AssumedRange range = {bound_of(ends.substr(equals + 1, dots - equals - 1), text),
                              bound_of(ends.substr(dots + 2), text)};
  if (range.low > range.high) refuse_assumption(text);
  const std::string name = text.substr(0, equals);
  if (!request.assume.emplace(name, range).second)
    fail(ErrorCode::kInvalidArgument,
         fmt::format("--assume is given twice for the input '{}'", printable(name)));
}

CheckReport check_here(const CheckRequest& request, const CommandHooks& hooks,
                       const InputFiles& files) {
  const Model model = files.load_model(request.model);
  CheckOptions options;
  if (!request.runtimes.empty()) options.targets = parse_targets(request.runtimes).value();
  options.select = request.select;
  options.ignore = request.ignore;
  options.assume = request.assume;
  options.show_cannot = request.show_cannot;
  options.infer = infer_options(model, hooks, "check");
  return check(model, options).value();
}

CheckReport report_of(const CheckRequest& request, const CommandHooks& hooks,
                      const InputFiles& files) {
  const bool runs = request.inputs != nullptr || request.attempt;
  return runs ? hooks.check_in_host(request).value() : check_here(request, hooks, files);
}

void require_hosts(const CheckArguments& arguments, const CommandHooks& hooks) {
  const bool runs = !arguments.inputs.empty() || arguments.request.attempt;
  if (runs && !hooks.check_in_host)
    fail(ErrorCode::kUnsupported,
         fmt::format("{} runs host runtimes, which the Python package does: python -m windrow "
                     "check {}",
                     arguments.inputs.empty() ? "--try" : "--inputs",
                     shown_file(arguments.request.model)));
}

GivenTensors given_tensors(const CheckArguments& arguments, InputFiles& files) {
  if (arguments.inputs.empty()) return nullptr;
  auto tensors = std::make_shared<NamedTensors>();
  TensorsByName loaded =
      load_inputs(files.load_model(arguments.request.model), arguments.inputs, files);
  for (auto& [name, tensor] : loaded) tensors->emplace_back(name, std::move(tensor));
  return tensors;
}

void print(const CheckedModel& checked, const CheckArguments& arguments, Console& console) {
  if (arguments.format == "text") {
    print_check(checked, console.widths(),
                [&console](std::initializer_list<Text> parts) { console.print_line(parts); });
  } else {
    console.print_verbatim(format_check(checked, arguments.format, arguments.fail_on).value());
  }
}

// Whether a finding fails the check that was not fixed.
bool fails(const CheckedModel& checked, const std::string& fail_on) {
  const CheckReport& report = checked.report;
  return check_fails(checked.fixes ? without_fixed(report, *checked.fixes) : report, fail_on)
      .value();
}

int check_model(CheckArguments arguments, const CommandHooks& hooks, Console& console) {
  using Content = OutputFiles::Content;
  OutputFiles::check_targets(
      {{"--fix", arguments.fixed, Content::kBinary}, {"--html", arguments.page, Content::kText}},
      console);
  for (const std::string& text : arguments.assume) add_assumption(text, arguments.request);
  CheckRequest& request = arguments.request;
  const std::string name = shown_file(request.model);
  InputFiles files;
  request.model = files.model_path(request.model);
  require_hosts(arguments, hooks);
  request.inputs = given_tensors(arguments, files);
  CheckedModel checked = {name, report_of(request, hooks, files)};
  // A failure of a file is all that is then told.
  if (!arguments.fixed.empty() || !arguments.page.empty()) console.hold();
  std::optional<OutputFiles> changed;
  if (!arguments.fixed.empty())
    checked.fixes =
        fix_file({request.model, arguments.fixed, request.inputs, arguments.unsafe_fixes},
                 checked.report, hooks, changed);
  std::optional<OutputFiles> page;
  if (!arguments.page.empty()) {
    page.emplace(arguments.page, OutputFiles::Into::kFile, ".html");
    page->add_text(check_page(checked), arguments.page);
  }
  print(checked, arguments, console);
  if (page && arguments.format == "text")
    console.print_line({"wrote ", shown_output(arguments.page)});
  const int code = fails(checked, arguments.fail_on) ? kCaseFailed : kFine;
  OutputFiles::commit_all({changed ? &*changed : nullptr, page ? &*page : nullptr});
  return code;
}

// Throws CLI::ParseError if a flag stands beside --lowest-opset that says nothing about it.
void refuse_other_flags(const CLI::App& command, const CheckArguments& arguments) {
  for (const char* flag : {"--for", "--assume", "--select", "--ignore", "--all", "--fail-on",
                           "--input", "--inputs", "--try", "--host", "--runs", "--tolerance",
                           "--strict", "--fix", "--html", "--list-rules", "--explain-rule"})
    if (command.count(flag) > 0) throw CLI::ExcludesError("--lowest-opset", flag);
  if (arguments.format != "text" && arguments.format != "json")
    throw CLI::ValidationError("--format", "the lowest opset is told as text or json");
}

// Throws CLI::ParseError.
void refuse_wrong_flags(const CLI::App& command, const CheckArguments& arguments) {
  const CheckRequest& request = arguments.request;
  const bool about_rules = arguments.list || !arguments.explained.empty();
  if (!about_rules && request.model.empty()) throw CLI::RequiredError("MODEL");
  if (about_rules && !request.model.empty())
    throw CLI::ValidationError("MODEL", "rules are listed and explained without a model");
  if (about_rules && arguments.format != "text" && arguments.format != "json")
    throw CLI::ValidationError("--format", "rules are listed and explained as text or json");
  if (about_rules && !arguments.fixed.empty())
    throw CLI::ValidationError("--fix", "rules are listed and explained without a model");
  if (arguments.lowest_opset) refuse_other_flags(command, arguments);
  for (const char* flag : {"--tolerance", "--strict"})
    if (command.count(flag) > 0 && arguments.inputs.empty())
      throw CLI::RequiresError(flag, "--inputs");
  if (!arguments.inputs.empty() || request.attempt) return;
  for (const char* flag : {"--host", "--runs"})
    if (command.count(flag) > 0) throw CLI::RequiresError(flag, "--inputs or --try");
}

int perform(const CheckArguments& arguments, const CommandHooks& hooks, Console& console) {
  if (arguments.list) {
    list_rules(console);
  } else if (!arguments.explained.empty()) {
    explain_rule(arguments.explained, console);
  } else if (arguments.lowest_opset) {
    return show_lowest_opset(arguments.request.model, hooks, console);
  } else {
    return check_model(arguments, hooks, console);
  }
  return kFine;
}

void add_choices(CLI::App& command, CheckArguments& arguments) {
  CheckRequest& request = arguments.request;
  command
      .add_option(
          "--for", request.runtimes,
          "Runtimes, with devices and versions, as in onnxruntime:cpu@1.31,tensorrt (all, the "
          "newest)")
      ->type_name("LIST");
  command
      .add_option("--assume", arguments.assume,
                  "Where the elements of an input lie, both ends included; repeat for each")
      ->allow_extra_args(false)
      ->type_name("NAME=LOW..HIGH");
  command.add_option("--select", request.select, "Judge only the rules whose labels begin so")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LABEL");
  command.add_option("--ignore", request.ignore, "Leave out the rules whose labels begin so")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LABEL");
  command.add_flag("--all", request.show_cannot, "Also show what is proved impossible");
  command
      .add_option("--fail-on", arguments.fail_on,
                  "The least severe finding that gives exit code 1 (undefined)")
      ->check(
          CLI::IsMember(std::vector<std::string>{"fails", "silent", "undefined", "slow", "never"}))
      ->type_name("SEVERITY");
}

void add_runs(CLI::App& command, CheckArguments& arguments) {
  CheckRequest& request = arguments.request;
  add_input_options(command, arguments.inputs,
                    "a run of the model in installed hosts, in which its nodes are judged by what "
                    "they get");
  command.add_flag("--try", request.attempt, "Run each suspected node alone in installed hosts");
  command.add_option("--host", request.host, "The host to run in (every installed one)")
      ->type_name("NAME");
  command
      .add_option("--runs", request.runs,
                  "How often every gather and scatter node is repeated (20 times those whose rule "
                  "speaks of races)")
      ->check(CLI::Range(1, 1000000))
      ->type_name("NUMBER");
  command
      .add_option("--tolerance", request.tolerance,
                  "The largest error of floats in two hosts that counts as rounding (1e-4; 1e-2 "
                  "for types of 16 bits)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("ERROR");
  command.add_flag(
      "--strict", request.strict,
      "Also fail for what can be out of range and was in range in the given values; not the "
      "--strict of calls");
}

void add_fixes(CLI::App& command, CheckArguments& arguments) {
  CLI::Option* fix =
      command
          .add_option("--fix", arguments.fixed,
                      "Write the model with changes that leave every defined result as it is")
          ->check(refuse_empty_name)
          ->type_name("OUT");
  command
      .add_flag("--unsafe-fixes", arguments.unsafe_fixes,
                "Also make changes that turn an error into a value, as a Clip of indices does")
      ->needs(fix);
}

}  // namespace

void add_check(CLI::App& app, Invocation& chosen) {
  CLI::App& command =
      *app.add_subcommand("check", "Tell where runtimes differ on a model, and how to fix it");
  auto arguments = std::make_shared<CheckArguments>();
  command
      .add_option("MODEL", arguments->request.model,
                  "An ONNX model (.onnx) or an OpenVINO IR (.xml)")
      ->type_name("");
  add_choices(command, *arguments);
  add_runs(command, *arguments);
  add_fixes(command, *arguments);
  CLI::Option* format = command.add_option("--format", arguments->format, "What to print (text)")
                            ->check(CLI::IsMember(check_format_names()))
                            ->type_name("FORMAT");
  command.add_option("--html", arguments->page, "Write the findings to this file as a page")
      ->check(refuse_empty_name)
      ->type_name("FILE");
  command.add_flag("--lowest-opset", arguments->lowest_opset,
                   "Tell instead which opset the gathers and scatters of the model need");
  command.add_flag("--list-rules", arguments->list, "List the rules instead");
  command.add_option("--explain-rule", arguments->explained, "Explain one rule instead")
      ->type_name("LABEL");
  add_json_flag(command, chosen)->excludes(format);
  command.footer(kFooter);
  command.callback([arguments, &command, &chosen] {
    if (chosen.json) arguments->format = "json";
    chosen.json = arguments->format == "json";
    refuse_wrong_flags(command, *arguments);
    chosen.action = [arguments, &hooks = chosen.hooks](Console& console) {
      return perform(*arguments, hooks, console);
    };
  });
}

}  // namespace windrow::tool
