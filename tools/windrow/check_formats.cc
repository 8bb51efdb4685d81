#include "tools/windrow/check_formats.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "windrow/counted.h"
#include "windrow/printable.h"

namespace windrow::tool {
namespace {

std::string check_text(const CheckedModel& checked, FailOn) {
  std::string text;
  print_check(checked, {}, [&text](std::initializer_list<Text> parts) {
    for (const Text& part : parts) text += printable(part.text());
    text += '\n';
  });
  return text;
}

template <Json (*kDocument)(const CheckedModel&)>
std::string as_json(const CheckedModel& checked, FailOn) {
  return json_text(kDocument(checked), JsonForm::kIndented) + "\n";
}

template <std::string (*kText)(const CheckedModel&)>
std::string as_text(const CheckedModel& checked, FailOn) {
  return kText(checked);
}

struct Format {
  const char* name;
  std::string (*make)(const CheckedModel&, FailOn);
};

constexpr std::array<Format, 7> kFormats = {{
    {"text", &check_text},
    {"json", &as_json<&check_json>},
    {"sarif", &as_json<&check_sarif>},
    {"github", &as_text<&check_github>},
    {"junit", &check_junit},
    {"html", &as_text<&check_page>},
    {"model-explorer", &as_json<&check_explorer>},
}};

}  // namespace

FailOn parse_fail_on(std::string_view name) {
  if (name == "never") return std::nullopt;
  if (const auto severity = parse_severity(name)) return severity;
  fail(ErrorCode::kInvalidArgument,
       fmt::format("there is no severity '{}'; there are fails, silent, undefined, slow and never",
                   printable(name)));
}

bool is_failure(const PortabilityFinding& finding, FailOn fail_on) {
  return finding.verdict != Verdict::kCannot && !finding.observed_in_range && fail_on &&
         finding.severity <= *fail_on;
}

void for_each_rule(const std::function<void(const PortabilityRule&)>& visit) {
  for (const auto& rules : {portability_rules(), operator_rules()})
    std::for_each(rules.begin(), rules.end(), visit);
}

const PortabilityRule* find_rule(std::string_view label) {
  const PortabilityRule* found = nullptr;
  for_each_rule([&](const PortabilityRule& rule) {
    if (rule.label == label) found = &rule;
  });
  return found;
}

Severity worst_of(const PortabilityRule& rule) {
  Severity worst = Severity::kSlow;
  for (const RuleEffect& effect : rule.effects) worst = std::min(worst, effect.severity);
  return worst;
}

std::string_view level_of(Severity severity, std::string_view lowest) {
  switch (severity) {
    case Severity::kFails:
    case Severity::kSilent:
      return "error";
    case Severity::kUndefined:
      return "warning";
    case Severity::kSlow:
      break;
  }
  return lowest;
}

std::string runtimes_text(const std::vector<std::string>& runtimes) {
  std::string text;
  std::string_view last;
  for (const std::string& runtime : runtimes) {
    const std::size_t colon = std::min(runtime.find(':'), runtime.size());
    const std::string_view name = std::string_view(runtime).substr(0, colon);
    if (name == last && colon < runtime.size()) {
      text += "," + runtime.substr(colon + 1);
    } else {
      text += (text.empty() ? "" : "; ") + runtime;
    }
    last = name;
  }
  return text;
}

std::string runtime_names(const std::vector<std::string>& runtimes) {
  std::vector<std::string> names;
  for (const std::string& runtime : runtimes) {
    std::string name = runtime.substr(0, runtime.find(':'));
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<EffectOfRuntimes> effects_of(const PortabilityFinding& finding) {
  std::map<std::pair<Severity, std::string_view>, std::vector<std::string>> runtimes;
  for (const FindingEffect& effect : finding.effects)
    runtimes[{effect.severity, effect.effect}].push_back(effect.runtime);
  std::vector<EffectOfRuntimes> effects;
  for (const auto& [key, names] : runtimes)
    effects.push_back({key.first, std::string(key.second), runtimes_text(names)});
  return effects;
}

std::string versions_text(const RuleEffect& effect) {
  if (effect.since.empty() && effect.until.empty()) return "any";
  if (effect.until.empty()) return effect.since + " and newer";
  if (effect.since.empty()) return "up to " + effect.until;
  return effect.since == effect.until ? effect.since : effect.since + " to " + effect.until;
}

std::string basis_text(const RuleEffect& effect) {
  return fmt::format("{} {}, {}", effect.ran ? "ran" : "read", effect.source, effect.seen);
}

std::string count_text(const CheckReport& report) {
  std::array<std::size_t, 4> counts = {};  // by severity
  std::size_t impossible = 0;
  std::set<std::string_view> nodes;
  bool is_of_model = false;  // whether a finding is about no single node
  for (const PortabilityFinding& finding : report.findings) {
    if (finding.verdict == Verdict::kCannot) {
      ++impossible;
    } else {
      ++counts[static_cast<std::size_t>(finding.severity)];
      if (finding.node.empty()) {
        is_of_model = true;
      } else {
        nodes.insert(finding.node);
      }
    }
  }
  const std::size_t all = report.findings.size() - impossible;
  const std::string of_all = counted(report.nodes, "gather and scatter node");
  std::string text = all == 0 ? "no findings on " + of_all : counted(all, "finding") + " on ";
  if (is_of_model) text += nodes.empty() ? "the model, which has " + of_all : "the model and ";
  // Nodes of other operators, at which hosts part, are not counted among those.
  if (nodes.size() > report.nodes) {
    text += fmt::format("{}, with {} checked", counted(nodes.size(), "node"), of_all);
  } else if (!nodes.empty()) {
    text += fmt::format("{} of {}", nodes.size(), of_all);
  }
  const char* before = ": ";
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    text += fmt::format("{}{} {}", before, counts[i], severity_name(static_cast<Severity>(i)));
    before = ", ";
  }
  if (impossible > 0) text += fmt::format("; {} proved impossible", impossible);
  if (report.left_out > 0) text += fmt::format("; {} more are left out", report.left_out);
  return text;
}

std::vector<std::string> observed_lines(const PortabilityFinding& finding) {
  std::vector<std::string> lines;
  if (const auto& seen = finding.observed) {
    const auto& at = seen->first.position;
    const std::string where =
        at.empty() ? "as a whole" : fmt::format("first at [{}]", fmt::join(at, ", "));
    lines.push_back(fmt::format("{}: {} of {} differed, {}: got {}, expected {}", seen->runtime,
                                seen->differing, counted(seen->runs, "run"), where, seen->first.got,
                                seen->first.expected));
  }
  for (const TriedEffect& tried : finding.tried)
    lines.push_back(fmt::format("this node alone in {}: {} (the rule's effect: {})", tried.runtime,
                                tried.outcome, tried.agreement));
  return lines;
}

std::vector<std::string> check_format_names() {
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  return names;
}

Result<bool> check_fails(const CheckReport& report, std::string_view fail_on) {
  try {
    const FailOn severity = parse_fail_on(fail_on);
    return std::any_of(
        report.findings.begin(), report.findings.end(),
        [severity](const PortabilityFinding& finding) { return is_failure(finding, severity); });
  } catch (const Error& error) {
    return error.status();
  }
}

Result<std::string> format_check(const CheckedModel& checked, std::string_view format,
                                 std::string_view fail_on) {
  try {
    const FailOn severity = parse_fail_on(fail_on);
    for (const Format& row : kFormats)
      if (format == row.name) return row.make(checked, severity);
    fail(ErrorCode::kInvalidArgument,
         fmt::format("there is no format '{}'; there are {}", printable(format),
                     fmt::join(check_format_names(), ", ")));
  } catch (const Error& error) {
    return error.status();
  }
}

}  // namespace windrow::tool
