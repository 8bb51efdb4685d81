#include <fmt/core.h>

#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/windrow/call.h"
#include "tools/windrow/cases.h"
#include "tools/windrow/command.h"
#include "tools/windrow/console.h"
#include "windrow/counted.h"

namespace windrow::tool {
namespace {

constexpr char kVerifyFooter[] =
    "Looks in the folders, and in all folders below them, for ONNX's test layout: model.onnx\n"
    "beside test_data_set_<n>/ with input_<k>.pb and output_<k>.pb; or model.xml (OpenVINO IR)\n"
    "with input_<k>.npy and output_<k>.npy beside it or in such folders; or, for both kinds,\n"
    "inputs.npz and outputs.npz (or .safetensors) with tensors by their names. Types, shapes\n"
    "and bits must be the same (NaN equals NaN); --rtol and --atol allow floating-point numbers\n"
    "a distance of atol + rtol * |expected|. Cases with operators that are not run here are\n"
    "skipped. The exit code is 1 if a case failed, 2 if no case was found or all were skipped.\n"
    "Where elements differ, the largest absolute and relative errors and a histogram of the\n"
    "relative ones follow.\n\n"
    "Examples:\n"
    "  windrow verify /usr/share/libonnx-testdata/data/node\n"
    "  windrow verify my_cases --rtol 1e-6 --kernels plain\n";

struct VerifyArguments {
  std::vector<std::string> paths;
  Tolerance tolerance;
  bool reference = false;
  CallFlags flags;
  HostModels hosts;
};

struct Tally {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
  std::set<std::string> unsupported;  // operators that made cases be skipped
  std::vector<std::string> other_reasons;
  Json cases = Json::array();
  ErrorSizes sizes;      // of all cases
  std::string furthest;  // the case that has the largest absolute error
};

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPass:
      return "pass";
    case Outcome::kFail:
      return "fail";
    case Outcome::kSkip:
      return "skip";
  }
  return "";
}

// "Conv" of "Conv (domain ai.onnx), nodes a, b".
std::string operator_part(const std::string& entry) { return entry.substr(0, entry.find(' ')); }

void count(const Case& test, const CaseResult& result, Tally& tally) {
  switch (result.outcome) {
    case Outcome::kPass:
      ++tally.passed;
      break;
    case Outcome::kFail:
      ++tally.failed;
      break;
    case Outcome::kSkip:
      ++tally.skipped;
      for (const std::string& entry : result.unsupported) {
        tally.unsupported.insert(operator_part(entry));
      }
      if (result.unsupported.empty())
        tally.other_reasons.push_back(test.name + ": " + result.reason);
  }
  Json entry = {{"name", test.name}, {"outcome", outcome_name(result.outcome)}};
  if (!result.reason.empty()) entry["reason"] = result.reason;
  if (!result.details.is_null()) entry["mismatch"] = result.details;
  if (result.sizes.has_errors()) entry["errors"] = result.sizes.json();
  if (result.sizes.largest_absolute() > tally.sizes.largest_absolute()) tally.furthest = test.name;
  tally.sizes.add(result.sizes);
  tally.cases.push_back(std::move(entry));
}

// Skipped cases are summed up at the end: a folder of all ONNX operators has many.
void print_result(Console& console, const Case& test, const CaseResult& result) {
  if (result.outcome == Outcome::kPass) {
    const std::string errors = result.sizes.text();
    console.print_line(
        {{Paint::kGood, "pass"}, " ", test.name, errors.empty() ? "" : ": differs ", errors});
  } else if (result.outcome == Outcome::kFail) {
    console.print_line({{Paint::kBad, "FAIL"}, " ", test.name, ": ", result.reason});
    if (result.sizes.has_errors())
      console.print_line({"     elements differ ", result.sizes.text()});
  }
}

// How large the errors are, where there is one.
void print_errors(Console& console, const Tally& tally) {
  if (!tally.sizes.has_errors()) return;
  const std::string where = tally.furthest.empty() ? "" : ", in " + tally.furthest;
  console.print_line({"of ", counted(tally.sizes.elements(), "element"), " some differ ",
                      tally.sizes.text(), where});
  console.print_line({Paint::kHeading, "relative errors:"});
  for (const std::string& line : tally.sizes.lines()) console.print_line(line);
}

std::string listed(const std::set<std::string>& names) {
  constexpr std::size_t kMostListed = 12;
  std::string text;
  std::size_t shown = 0;
  for (const std::string& name : names) {
    if (shown++ == kMostListed) {
      return text + fmt::format(" and {} more (--json names them)", names.size() - kMostListed);
    }
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

void print_summary(Console& console, const Tally& tally) {
  for (const std::string& reason : tally.other_reasons) {
    console.print_line({{Paint::kCaution, "skip"}, " ", reason});
  }
  if (!tally.unsupported.empty()) {
    console.print_line({{Paint::kCaution, "skip"},
                        fmt::format(" {} with operators that are not run here: {}",
                                    tally.skipped - static_cast<int>(tally.other_reasons.size()),
                                    listed(tally.unsupported))});
  }
  print_errors(console, tally);
  console.print_line(
      fmt::format("{} passed, {} failed, {} skipped", tally.passed, tally.failed, tally.skipped));
}

std::vector<Case> all_cases(const std::vector<std::string>& paths) {
  std::vector<Case> cases;
  for (const std::string& path : paths) {
    std::vector<Case> found = find_cases(path);
    cases.insert(cases.end(), std::make_move_iterator(found.begin()),
                 std::make_move_iterator(found.end()));
  }
  if (cases.empty()) {
    fail(ErrorCode::kInvalidArgument,
         "no case found: a case is a folder with model.onnx and test_data_set_<n>/, or with "
         "model.xml, input_<k>.npy and output_<k>.npy, or with inputs.npz and outputs.npz");
  }
  return cases;
}

Tally check_all(const std::vector<Case>& cases, const CaseRuns& runs, const Tolerance& tolerance,
                Console& console) {
  Tally tally;
  Progress progress(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    progress.show(i);
    const CaseResult result = check_case(cases[i], runs, tolerance);
    progress.hide();
    count(cases[i], result, tally);
    print_result(console, cases[i], result);
    console.flush();
  }
  return tally;
}

int verify(const VerifyArguments& arguments, Console& console) {
  const std::unique_ptr<Threads> threads = arguments.flags.threads();
  std::set<std::string> warned;
  ModelRunOptions options;
  options.call = arguments.flags.options();
  options.run.threads = threads.get();
  options.reference = arguments.reference;
  options.on_note = [&](const std::string& note) { warned.insert(note); };
  const std::vector<Case> cases = all_cases(arguments.paths);
  const CaseRuns runs = {options, arguments.flags, arguments.hosts};
  const Tally tally = check_all(cases, runs, arguments.tolerance, console);
  for (const std::string& note : warned) console.warn(note);
  if (console.json()) {
    console.print_json({{"passed", tally.passed},
                        {"failed", tally.failed},
                        {"skipped", tally.skipped},
                        {"cases", tally.cases},
                        {"errors", tally.sizes.json()},
                        {"warnings", warned}});
  }
  print_summary(console, tally);
  if (tally.failed > 0) return kCaseFailed;
  if (tally.passed == 0) {
    console.warn("no case was run");
    return kBadInput;
  }
  return kFine;
}

}  // namespace

void add_verify(CLI::App& app, Invocation& chosen) {
  CLI::App& command =
      *app.add_subcommand("verify", "Run cases (model, inputs, outputs) and compare the outputs");
  auto arguments = std::make_shared<VerifyArguments>();
  command.add_option("PATH", arguments->paths, "Folders")->required()->type_name("");
  command.add_option("--rtol", arguments->tolerance.relative, "Allowed relative distance")
      ->check(CLI::NonNegativeNumber)
      ->type_name("NUMBER");
  command.add_option("--atol", arguments->tolerance.absolute, "Allowed absolute distance")
      ->check(CLI::NonNegativeNumber)
      ->type_name("NUMBER");
  command.add_flag("--reference", arguments->reference,
                   "Run the operators element by element, without plans and kernels");
  arguments->flags.add_options_to(command);
  arguments->flags.add_threads_to(command);
  arguments->hosts.add_options_to(command, chosen.hooks.run_in_host);
  add_json_flag(command, chosen);
  command.footer(kVerifyFooter);
  set_action(command, chosen, arguments, &verify);
}

}  // namespace windrow::tool
