#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tools/windrow/check_formats.h"
#include "tools/windrow/findings.h"
#include "tools/windrow/html_text.h"
#include "windrow/printable.h"

namespace windrow::tool {
namespace {

// Any bytes as text or attribute of XML 1.0, which has no way to write some characters.
std::string xml_text(std::string_view text) {
  std::string xml;
  const std::string plain = printable(text);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    // U+FFFE and U+FFFF are not characters of XML.
    if (plain.compare(i, 2, "\xef\xbf") == 0 && (plain[i + 2] & 0xfe) == 0xbe) {
      xml += fmt::format("\\uff{:02x}", 0x40U + (static_cast<unsigned char>(plain[i + 2])));
      i += 2;
    } else {
      xml += escaped(plain[i]);
    }
  }
  return xml;
}

std::string details_of(const PortabilityFinding& finding) {
  std::string text = xml_text(finding.message) + "\n";
  for (const std::string& premise : finding.premises) text += "if " + xml_text(premise) + "\n";
  for (const std::string& line : observed_lines(finding)) text += "seen: " + xml_text(line) + "\n";
  if (!finding.fix.empty()) text += "fix: " + xml_text(finding.fix) + "\n";
  return text;
}

std::string case_of(const PortabilityFinding& finding, bool failed) {
  const std::string head = fmt::format(R"(    <testcase classname="{}" name="{}")",
                                       xml_text(finding.rule), xml_text(shown_path(finding.node)));
  if (finding.verdict == Verdict::kCannot) return head + "/>\n";
  const std::string details = details_of(finding);
  if (!failed) return fmt::format("{}>\n<system-out>{}</system-out></testcase>\n", head, details);
  return fmt::format("{}>\n<failure type=\"{}\" message=\"{}\">{}</failure></testcase>\n", head,
                     severity_name(finding.severity),
                     xml_text(finding.what.empty() ? finding.message : finding.what), details);
}

struct Suite {
  std::string cases;
  std::size_t tests = 0;
  std::size_t failures = 0;

  void add(const std::string& text, bool failed) {
    cases += text;
    ++tests;
    failures += failed ? 1 : 0;
  }
};

}  // namespace

std::string check_junit(const CheckedModel& checked, FailOn fail_on) {
  std::vector<std::string> order;
  std::map<std::string, Suite> suites;
  Suite all;
  const auto add = [&](const std::string& suite, const std::string& text, bool failed) {
    if (!suites.contains(suite)) order.push_back(suite);
    suites[suite].add(text, failed);
    all.add("", failed);
  };
  for (const PortabilityFinding& finding : checked.report.findings) {
    const bool failed = is_failure(finding, fail_on);
    add(finding.rule, case_of(finding, failed), failed);
  }
  // A model without findings is a test that passed, not one that is missing.
  if (order.empty())
    add("windrow check", "    <testcase classname=\"windrow check\" name=\"portability\"/>\n",
        false);
  std::string remarks;
  for (const InputContract& contract : checked.report.contracts)
    remarks += "contract: " + xml_text(contract.sentence) + "\n";
  for (const UnjudgedOperator& unjudged : checked.report.not_judged)
    remarks += "not judged: " + xml_text(unjudged.sentence) + "\n";
  for (const std::string& note : checked.report.notes) remarks += "note: " + xml_text(note) + "\n";
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"windrow check {}\" tests=\"{}\" failures=\"{}\">\n",
      xml_text(checked.model), all.tests, all.failures);
  for (const std::string& name : order) {
    const Suite& suite = suites[name];
    xml += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n{}",
                       xml_text(name), suite.tests, suite.failures, suite.cases);
    if (&name == &order.front() && !remarks.empty())
      xml += "    <system-out>" + remarks + "</system-out>\n";
    xml += "  </testsuite>\n";
  }
  return xml + "</testsuites>\n";
}

}  // namespace windrow::tool
