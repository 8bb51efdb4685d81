#include "tools/windrow/check.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/windrow/check_formats.h"
#include "tools/windrow/check_text.h"
#include "tools/windrow/command.h"
#include "tools/windrow/console.h"
#include "tools/windrow/fields_json.h"
#include "tools/windrow/input_files.h"
#include "tools/windrow/model_inputs.h"
#include "tools/windrow/ops.h"
#include "tools/windrow/output_files.h"
#include "windrow/counted.h"
#include "windrow/lowest_opset.h"
#include "windrow/models.h"
#include "windrow/nearest_name.h"
#include "windrow/printable.h"

namespace windrow::tool {
namespace {

constexpr char kCheckFooter[] =
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
  command.footer(kCheckFooter);
  command.callback([arguments, &command, &chosen] {
    if (chosen.json) arguments->format = "json";
    chosen.json = arguments->format == "json";
    refuse_wrong_flags(command, *arguments);
    chosen.action = [arguments, &hooks = chosen.hooks](Console& console) {
      return perform(*arguments, hooks, console);
    };
  });
}

namespace {

// Whether a finding is about a rule of an operator, which a newer opset may not have. Raising the
// opset takes onnx's converter.
bool may_need_opset(const CheckReport& report) {
  std::set<std::string_view> labels;
  for (const PortabilityRule& rule : operator_rules()) labels.insert(rule.label);
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&labels](const auto& finding) { return labels.contains(finding.rule); });
}

// What the Python package's command could do beyond this one.
std::vector<std::string> notes_of(const FixRequest& request, const CheckReport& report) {
  if (!may_need_opset(report)) return {};
  return {fmt::format(
      "a newer opset may allow what a finding is about, and raising it takes onnx's converter: "
      "python -m windrow check {} --fix {}",
      shown_file(request.model), shown_output(request.out))};
}

FixOutcome verify_and_write(const FixRequest& request, const Model& model, const FixedModel& fixed,
                            const CheckReport& report, std::optional<OutputFiles>& files) {
  FixOutcome outcome = {"", fixed.applied, fixed.left, {}, notes_of(request, report)};
  if (fixed.applied.empty()) return outcome;
  const FixVerification runs = verify_fix(model, fixed, report.contracts).value();
  if (!runs.failure.empty())
    fail(ErrorCode::kInvalidArgument,
         fmt::format("{} is not written: {}", printable(request.out), runs.failure));
  outcome.runs.push_back({"windrow", runs.equal, runs.refused, runs.gained, 0, "", runs.reasons});
  files.emplace(request.out, OutputFiles::Into::kFile, ".onnx");
  files->add_model(fixed.model, request.out);
  outcome.out = request.out;
  return outcome;
}

// "verified in openvino: 3 runs gave the same bits before and after, 1 run proved nothing; run 4
// ..."
std::string runs_text(const FixRuns& runs) {
  const bool shows_something = runs.failure.empty() && runs.equal + runs.gained + runs.repaired > 0;
  std::string told;
  const auto tell = [&told](int count, std::string_view what) {
    if (count > 0)
      told += fmt::format("{}{} {}", told.empty() ? "" : ", ", counted(count, "run"), what);
  };
  tell(runs.equal, "gave the same bits before and after");
  tell(runs.repaired, "gave Windrow's result only after");
  tell(runs.gained, "gave a value only after");
  tell(runs.refused, "proved nothing");
  if (told.empty()) told = "no run";
  if (!runs.reasons.empty()) told += "; " + printable(runs.reasons.front());
  return fmt::format("{} in {}: {}", shows_something ? "verified" : "not verified", runs.host,
                     told);
}

}  // namespace

FixOutcome fix_file(const FixRequest& request, const CheckReport& report, const CommandHooks& hooks,
                    std::optional<OutputFiles>& files) {
  const Model model = load_model(request.model).value();
  FixOptions options;
  options.unsafe = request.unsafe;
  options.infer = infer_options(model, hooks, "check --fix");
  const FixedModel fixed = fix_model(model, report, options).value();
  // A change may add operators that do not run here.
  const bool runs_here = fixed.applied.empty() || fixed.model.unsupported().empty();
  if (!hooks.fix_in_host && runs_here && request.inputs == nullptr)
    return verify_and_write(request, model, fixed, report, files);
  if (!hooks.fix_in_host)
    fail(ErrorCode::kUnsupported,
         "--fix verifies the change of this model by runs in host runtimes, which the Python "
         "package does: python -m windrow check");
  if (request.out != kStandardStream) return hooks.fix_in_host(request, report).value();
  files.emplace(request.out, OutputFiles::Into::kFile, ".onnx");
  FixRequest aside = request;
  aside.out = files->target_of(request.out).string();
  FixOutcome outcome = hooks.fix_in_host(aside, report).value();
  if (outcome.out.empty()) {
    files.reset();
  } else {
    outcome.out = request.out;
  }
  return outcome;
}

void print_fixes(const FixOutcome& outcome, const PrintLine& print) {
  const auto print_changes = [&print](Text label, const std::vector<ModelFix>& changes) {
    for (const ModelFix& change : changes)
      print({label, shown_path(change.node), ": ", change.what, " (", change.rule,
             change.safe ? ")" : "; unsafe)"});
  };
  print_changes({Paint::kGood, "fixed: "}, outcome.applied);
  print_changes({Paint::kCaution, "left: "}, outcome.left);
  for (const FixRuns& runs : outcome.runs) print({runs_text(runs)});
  for (const std::string& note : outcome.notes) print({"note: ", note});
  if (outcome.out.empty()) {
    print({"nothing was changed, and no model is written"});
  } else {
    print({"wrote ", shown_output(outcome.out)});
  }
}

CheckReport without_fixed(CheckReport report, const FixOutcome& outcome) {
  std::set<std::pair<std::string_view, std::string_view>> fixed;
  for (const ModelFix& change : outcome.applied) fixed.emplace(change.rule, change.node);
  for (const ModelFix& change : outcome.left) fixed.erase({change.rule, change.node});
  std::erase_if(report.findings, [&fixed](const PortabilityFinding& finding) {
    return fixed.contains({finding.rule, finding.node});
  });
  return report;
}

namespace {

std::string opset_text(std::optional<int> opset) { return opset ? std::to_string(*opset) : "none"; }

std::string why_text(const NodeOpset& node) {
  return node.rule.empty() ? node.why : fmt::format("{} ({})", node.why, node.rule);
}

// "opset 16" or "opset 1 of ai.onnx.ml"
std::string named_opset(const std::string& domain, int opset) {
  return domain.empty() ? fmt::format("opset {}", opset)
                        : fmt::format("opset {} of {}", opset, printable(domain));
}

// "needs opset 16 (for write) and declares 15"
std::string domain_text(const DomainOpset& domain) {
  const std::string node = printable(shown_path(domain.node));
  const std::string declared = domain.declared ? fmt::format("declares {}", *domain.declared)
                                               : std::string("declares none of the domain");
  if (!domain.lowest) return fmt::format("no opset allows {}; it {}", node, declared);
  return fmt::format("needs {} (for {}) and {}", named_opset(domain.domain, *domain.lowest), node,
                     declared);
}

void print_needs(const std::string& name, const LowestOpset& needs, Console& console) {
  if (needs.nodes.empty()) {
    console.print_line({name, ": has no gather or scatter node, and needs no opset for them"});
    return;
  }
  Table table;
  table.add({"NODE", "OPERATOR", "DECLARED", "LOWEST", "WHY"});
  for (const NodeOpset& node : needs.nodes)
    table.add({shown_path(node.node), node.operator_name, opset_text(node.declared),
               opset_text(node.lowest), why_text(node)});
  print_table(console, table);
  if (needs.left_out > 0) console.print_line(fmt::format("and {} more", needs.left_out));
  console.print_line("");
  for (const DomainOpset& domain : needs.domains)
    console.print_line({name, ": ", domain_text(domain)});
}

}  // namespace

int show_lowest_opset(const std::string& path, const CommandHooks& hooks, Console& console) {
  const std::string name = shown_file(path);
  InputFiles files;
  const Model model = files.load_model(files.model_path(path));
  const LowestOpset needs =
      lowest_opset(model, infer_options(model, hooks, "check --lowest-opset")).value();
  if (console.json()) {
    console.print_json(field_json(OpsetReport{name, needs}));
  } else {
    print_needs(name, needs, console);
  }
  return needs.is_enough ? kFine : kCaseFailed;
}

void list_rules(Console& console) {
  Json list = Json::array();
  Table table;
  table.add({"RULE", "WORST", "RUNTIMES", "CONDITION"});
  for_each_rule([&](const PortabilityRule& rule) {
    list.push_back(field_json(rule));
    std::vector<std::string> runtimes;
    for (const RuleEffect& effect : rule.effects) runtimes.push_back(effect.runtime);
    table.add({rule.label, rule.effects.empty() ? "" : severity_name(worst_of(rule)),
               runtime_names(runtimes), rule.sentence});
  });
  if (console.json()) console.print_json({{"rules", list}});
  print_table(console, table);
}

void explain_rule(std::string_view label, Console& console) {
  const PortabilityRule* const rule = find_rule(label);
  NearestName nearest(label);
  for_each_rule([&nearest](const PortabilityRule& each) { nearest.consider(each.label); });
  if (rule == nullptr)
    fail(ErrorCode::kInvalidArgument,
         fmt::format("there is no rule '{}' (windrow check --list-rules names them){}",
                     printable(label), nearest.hint()));
  if (console.json()) console.print_json(field_json(*rule));
  console.print_line({Paint::kHeading, rule->label});
  console.print_line({"  ", rule->sentence});
  console.print_line({"  fix: ", rule->fix});
  console.print_line("");
  Table table;
  table.add({"RUNTIME", "VERSIONS", "SEVERITY", "EFFECT", "BASIS"});
  for (const RuleEffect& effect : rule->effects)
    table.add({effect.runtime + ":" + effect.device, versions_text(effect),
               severity_name(effect.severity), effect.effect, basis_text(effect)});
  print_table(console, table);
  if (rule->example.empty()) return;
  console.print_line("");
  console.print_line({"  a node that shows it: ", Json::parse(rule->example).dump()});
}

}  // namespace windrow::tool
