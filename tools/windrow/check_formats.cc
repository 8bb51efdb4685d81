#include "tools/windrow/check_formats.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "windrow/printable.h"

namespace windrow::tool {
namespace {

// Of text that is not for a terminal.
constexpr std::size_t kTextWidth = 100;

std::string check_text(const CheckedModel& checked, FailOn) {
  std::string text;
  print_check(checked, kTextWidth, [&text](std::initializer_list<Text> parts) {
    for (const Text& part : parts) text += printable(part.text());
    text += '\n';
  });
  return text;
}

template <Json (*document)(const CheckedModel&)>
std::string as_json(const CheckedModel& checked, FailOn) {
  return json_text(document(checked), JsonForm::kIndented) + "\n";
}

template <std::string (*text)(const CheckedModel&)>
std::string as_text(const CheckedModel& checked, FailOn) {
  return text(checked);
}

struct Format {
  const char* name;
  std::string (*make)(const CheckedModel&, FailOn);
};

constexpr std::array<Format, 2> kFormats = {{
    {"text", &check_text},
    {"json", &as_json<&check_json>},
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
  return finding.verdict != Verdict::kCannot && fail_on && finding.severity <= *fail_on;
}

FindingCounts::FindingCounts(const CheckReport& report) : by_severity(4) {
  std::set<std::string_view> named;
  for (const PortabilityFinding& finding : report.findings) {
    if (finding.verdict == Verdict::kCannot) {
      ++impossible;
    } else {
      ++by_severity[static_cast<std::size_t>(finding.severity)];
      named.insert(finding.node);
    }
  }
  nodes = named.size();
}

std::size_t FindingCounts::all() const noexcept {
  return std::accumulate(by_severity.begin(), by_severity.end(), std::size_t{0});
}

std::string FindingCounts::text() const {
  std::string text;
  for (std::size_t i = 0; i < by_severity.size(); ++i) {
    if (by_severity[i] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", by_severity[i],
                        severity_name(static_cast<Severity>(i)));
  }
  return text;
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

std::string witness_text(const PortabilityFinding& finding) {
  if (finding.value.empty()) return "";
  const std::string position =
      finding.position.empty() ? "" : fmt::format("[{}]", fmt::join(finding.position, ", "));
  return fmt::format("{}{} is {}", finding.input, position, finding.value);
}

std::vector<std::string> observed_lines(const PortabilityFinding& finding) {
  std::vector<std::string> lines;
  if (const auto& seen = finding.observed) {
    lines.push_back(fmt::format("{}: {} of {} runs differed, first at [{}]: got {}, expected {}",
                                seen->runtime, seen->differing, seen->runs,
                                fmt::join(seen->first.position, ", "), seen->first.got,
                                seen->first.expected));
  }
  for (const TriedEffect& tried : finding.tried)
    lines.push_back(
        fmt::format("{} alone: {} ({})", tried.runtime, tried.outcome, tried.agreement));
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
