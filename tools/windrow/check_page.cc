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
constexpr std::size_t kMostOpen = 20;        // findings whose details are not folded

// What stands under a finding's row.
std::string details_of(const PortabilityFinding& finding, bool open) {
  std::string list;
  const auto add = [&list](const std::string& item) { list += "<li>" + item + "</li>"; };
  const bool is_impossible = finding.verdict == Verdict::kCannot;
  if (!is_impossible) {
    for (const EffectOfRuntimes& effect : effects_of(finding))
      add(fmt::format("<b class=\"{0}\">{0}</b> {1} ({2})", severity_name(effect.severity),
                      html_text(effect.effect), html_text(effect.runtimes)));
  }
  for (const std::string& premise : finding.premises) add("if " + html_text(premise));
  for (const std::string& line : observed_lines(finding)) add("seen: " + html_text(line));
  if (!is_impossible && !finding.fix.empty()) add("<b>fix</b> " + html_text(finding.fix));
  return fmt::format("<details{}><summary>{}</summary><ul>{}</ul></details>", open ? " open" : "",
                     html_text(finding.what.empty() ? finding.message : finding.what), list);
}

std::string findings_of(const CheckReport& report) {
  HtmlTable table({"Node", "Operator", "Rule", "Verdict", "Worst", "Runtimes"}, kMostFindings);
  for (const PortabilityFinding& finding : report.findings) {
    const bool is_impossible = finding.verdict == Verdict::kCannot;
    table.add({{shown_path(finding.node)},
               {finding.operator_name},
               {finding.rule},
               {std::string(verdict_name(finding.verdict))},
               {std::string(severity_name(finding.severity))},
               {is_impossible ? runtimes_text(finding.runtimes) : runtime_names(finding.runtimes)}},
              details_of(finding, report.findings.size() <= kMostOpen),
              is_impossible ? "cannot" : severity_name(finding.severity));
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
  for_each_rule([&](const PortabilityRule& rule) {
    if (!broken.contains(rule.label)) return;
    for (const RuleEffect& effect : rule.effects)
      table.add({{rule.label},
                 {effect.runtime + ":" + effect.device},
                 {versions_text(effect)},
                 {std::string(severity_name(effect.severity))},
                 {effect.effect},
                 {basis_text(effect)}});
  });
  return table.count() == 0 ? "" : page_section("What runtimes do", table.html("effects"));
}

std::string notes_of(const CheckReport& report) {
  HtmlTable table({"Note"}, kMostRows);
  for (const std::string& note : report.notes) table.add({{note}});
  return table.count() == 0 ? "" : page_section("Notes", table.html("notes"));
}

std::string not_judged_of(const CheckReport& report) {
  HtmlTable table({"Operator", "Input", "Nodes", "Why"}, kMostRows);
  for (const UnjudgedOperator& unjudged : report.not_judged)
    table.add({{unjudged.operator_name},
               {unjudged.input},
               {std::to_string(unjudged.count)},
               {unjudged.why}});
  return table.count() == 0 ? "" : page_section("Not judged", table.html("not-judged"));
}

}  // namespace

std::string check_page(const CheckedModel& checked) {
  const CheckReport& report = checked.report;
  return page_html(std::filesystem::path(checked.model).filename().native(),
                   html_text(count_text(report)),
                   findings_of(report) + contracts_of(report) + not_judged_of(report) +
                       notes_of(report) + rules_of(report));
}

}  // namespace windrow::tool
