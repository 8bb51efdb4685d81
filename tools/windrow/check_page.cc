#include <fmt/core.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tools/windrow/check_formats.h"
#include "tools/windrow/findings.h"
#include "tools/windrow/html_text.h"
#include "tools/windrow/page.h"

namespace windrow::tool {
namespace {

constexpr std::size_t kMostFindings = 2000;  // rows of the table
constexpr std::size_t kMostRows = 500;       // of each other table

// What stands under a finding's row.
std::string details_of(const PortabilityFinding& finding) {
  std::string html =
      "<p>" + html_text(finding.what.empty() ? finding.message : finding.what) + "</p>\n<ul>";
  if (finding.verdict != Verdict::kCannot) {
    for (const FindingEffect& effect : finding.effects)
      html +=
          fmt::format("<li><b class=\"{0}\">{0}</b> {1} {2}</li>", severity_name(effect.severity),
                      html_text(effect.runtime), html_text(effect.effect));
  }
  for (const std::string& premise : finding.premises)
    html += "<li>if " + html_text(premise) + "</li>";
  for (const std::string& line : observed_lines(finding))
    html += "<li>seen: " + html_text(line) + "</li>";
  html += "</ul>\n";
  if (finding.verdict != Verdict::kCannot && !finding.fix.empty())
    html += "<p class=\"fix\">Fix: " + html_text(finding.fix) + "</p>\n";
  return "<details><summary>what, where and how to fix it</summary>" + html + "</details>";
}

std::string findings_of(const CheckReport& report) {
  HtmlTable table({"Worst", "Verdict", "Node", "Operator", "Rule", "Runtimes"}, kMostFindings);
  for (const PortabilityFinding& finding : report.findings) {
    table.add({{std::string(severity_name(finding.severity))},
               {std::string(verdict_name(finding.verdict))},
               {shown_path(finding.node)},
               {finding.operator_name},
               {finding.rule},
               {runtimes_text(finding.runtimes)}},
              details_of(finding));
  }
  const std::string html = table.count() == 0 ? "<p>There are none.</p>\n" : table.html("findings");
  return page_section("Findings", html);
}

std::string contracts_of(const CheckReport& report) {
  HtmlTable table({"Input", "Contract", "Read by", "Rules"}, kMostRows);
  for (const InputContract& contract : report.contracts)
    table.add({{contract.input}, {contract.sentence}, contract.nodes, contract.rules});
  return table.count() == 0 ? "" : page_section("What callers must keep to", table.html("inputs"));
}

// The rules of findings, with what is known of runtimes.
std::string rules_of(const CheckReport& report) {
  std::set<std::string_view> broken;
  for (const PortabilityFinding& finding : report.findings) broken.insert(finding.rule);
  HtmlTable table({"Rule", "Runtime", "Versions", "Severity", "Effect", "Basis"}, kMostRows);
  for (const PortabilityRule& rule : portability_rules()) {
    if (!broken.contains(rule.label)) continue;
    for (const RuleEffect& effect : rule.effects)
      table.add({{rule.label},
                 {effect.runtime + ":" + effect.device},
                 {versions_text(effect)},
                 {std::string(severity_name(effect.severity))},
                 {effect.effect},
                 {basis_text(effect)}});
  }
  return table.count() == 0 ? "" : page_section("What runtimes do", table.html("effects"));
}

std::string notes_of(const CheckReport& report) {
  HtmlTable table({"Note"}, kMostRows);
  for (const std::string& note : report.notes) table.add({{note}});
  return table.count() == 0 ? "" : page_section("Notes", table.html("notes"));
}

}  // namespace

std::string check_page(const CheckedModel& checked) {
  const CheckReport& report = checked.report;
  return page_html(
      std::filesystem::path(checked.model).filename().native(), html_text(count_text(report)),
      findings_of(report) + contracts_of(report) + notes_of(report) + rules_of(report));
}

}  // namespace windrow::tool
