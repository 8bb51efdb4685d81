#include <algorithm>
#include <string>

#include "tools/windrow/check_formats.h"
#include "tools/windrow/findings.h"
#include "windrow/printable.h"

namespace windrow::tool {
namespace {

// Any bytes as a value of a workflow command; `special`: signs that have a meaning there.
std::string escaped(std::string_view text, std::string_view special) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string value;
  for (const char c : printable(text)) {
    if (special.find(c) == std::string_view::npos) {
      value += c;
    } else {
      value += {'%', kDigits[static_cast<unsigned char>(c) >> 4U],
                kDigits[static_cast<unsigned char>(c) & 15U]};
    }
  }
  return value;
}

std::string property_value(std::string_view text) { return escaped(text, "%:,"); }
std::string message_part(std::string_view text) { return escaped(text, "%"); }

std::string annotation(std::string_view level, const CheckedModel& checked,
                       const std::string& title, const std::string& message) {
  return "::" + std::string(level) + " file=" + property_value(checked.model) +
         ",title=" + property_value(title) + "::" + message + "\n";
}

}  // namespace

std::string check_github(const CheckedModel& checked) {
  std::string lines;
  for (const PortabilityFinding& finding : checked.report.findings) {
    if (finding.verdict == Verdict::kCannot) continue;
    std::string message = message_part(finding.message);
    for (const std::string& line : observed_lines(finding))
      message += "%0Aseen: " + message_part(line);
    if (!finding.fix.empty()) message += "%0Afix: " + message_part(finding.fix);
    lines += annotation(finding.observed_in_range ? "notice" : level_of(finding.severity, "notice"),
                        checked, finding.rule + " at " + shown_path(finding.node), message);
  }
  for (const InputContract& contract : checked.report.contracts)
    lines += annotation("notice", checked, "contract of input " + contract.input,
                        message_part(contract.sentence));
  for (const UnjudgedOperator& unjudged : checked.report.not_judged)
    lines += annotation("notice", checked, "not judged", message_part(unjudged.sentence));
  for (const std::string& note : checked.report.notes)
    lines += annotation("notice", checked, "note", message_part(note));
  return lines;
}

}  // namespace windrow::tool
