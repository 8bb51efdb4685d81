#include "tools/windrow/check_fix.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "tools/windrow/findings.h"
#include "tools/windrow/input_files.h"
#include "windrow/counted.h"
#include "windrow/models.h"
#include "windrow/printable.h"

namespace windrow::tool {
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

}  // namespace windrow::tool
