#include "tools/windrow/check_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/windrow/check.h"
#include "tools/windrow/check_formats.h"
#include "tools/windrow/console.h"
#include "tools/windrow/page.h"
#include "windrow/printable.h"

namespace windrow::tool {
namespace {

const char* kind_name(Finding::Kind kind) {
  return kind == Finding::Kind::kBrokenRule ? "broken rule" : "contradiction";
}

}  // namespace

InferOptions infer_options(const Model& model, const CommandHooks& hooks,
                           const std::string& words) {
  InferOptions options;
  if (model.dialect != "onnx") return options;
  options.infer_others = hooks.infer_others;
  if (!options.infer_others) {
    const std::string lack = fmt::format(
        "this is the native command, which does not infer types and shapes of other "
        "operators, so that findings may stay open; with the package onnx, "
        "python -m windrow {} infers them",
        words);
    options.infer_others = [lack](const Model&) -> Result<GraphValueInfos> {
      return Status(ErrorCode::kUnsupported, lack);
    };
  }
  return options;
}

std::string shown_path(const std::string& path) {
  return path.starts_with("main/") ? path.substr(5) : path;
}

void print_findings(Console& console, const Inference& found) {
  const Findings& findings = found.findings;
  if (!findings.list.empty()) {
    console.print_line("");
    console.print_line({Paint::kHeading, "broken rules and contradictions:"});
  }
  for (const Finding& finding : findings.list) console.print_line({"  ", to_string(finding)});
  if (findings.left_out > 0) console.print_line(fmt::format("  and {} more", findings.left_out));
  if (!found.notes.empty()) console.print_line("");
  for (const std::string& note : found.notes) console.print_line({"note: ", note});
}

Json findings_json(const Findings& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings.list) {
    list.push_back({{"kind", kind_name(finding.kind)},
                    {"graph", finding.graph},
                    {"node", finding.node},
                    {"value", finding.value},
                    {"label", finding.status.constraint()},
                    {"message", finding.status.message()},
                    {"claim", finding.claim}});
  }
  return list;
}

namespace {

// Where there are more findings, only the first few of each rule are explained.
constexpr std::size_t kExplainedAll = 40;
constexpr std::size_t kExplainedOfRule = 3;
// Characters of a node's path for which its column makes room.
constexpr std::size_t kWidestNode = 48;
constexpr std::size_t kGap = 2;
constexpr std::size_t kIndent = 4;
constexpr std::size_t kLeastWidth = 24;  // of running text

// The words of a printable text in lines of `width` characters, if no word is longer.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::size_t used = 0;  // characters of the last line
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t length = width_of(word);
    if (lines.empty() || used + 1 + length > width) {
      lines.emplace_back(word);
      used = length;
    } else {
      lines.back().append(" ").append(word);
      used += 1 + length;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::optional<Paint> paint_of(const PortabilityFinding& finding) {
  if (finding.verdict == Verdict::kCannot) return Paint::kGood;
  switch (finding.severity) {
    case Severity::kFails:
    case Severity::kSilent:
      return Paint::kBad;
    case Severity::kUndefined:
      return Paint::kCaution;
    case Severity::kSlow:
      break;
  }
  return std::nullopt;
}

Text maybe_painted(std::optional<Paint> paint, std::string_view text) {
  return paint ? Text(*paint, text) : Text(text);
}

// Columns; the runtimes stand behind them where there is room.
using Cells = std::array<std::string, 5>;
constexpr std::size_t kSeverityColumn = 4;

Cells cells_of(const PortabilityFinding& finding) {
  return {printable(shown_path(finding.node)), finding.operator_name, finding.rule,
          std::string(verdict_name(finding.verdict)), std::string(severity_name(finding.severity))};
}

class CheckTable {
 public:
  CheckTable(const CheckedModel& checked, const TextWidths& widths, const PrintLine& print)
      : findings_(checked.report.findings), widths_(widths), print_(print) {
    for (const PortabilityFinding& finding : findings_) {
      const Cells cells = cells_of(finding);
      for (std::size_t i = 0; i < cells.size(); ++i)
        columns_[i] = std::max(columns_[i], std::min(width_of(cells[i]), kWidestNode));
    }
    for (const std::size_t column : columns_) columns_width_ += column + kGap;
    stacked_ = columns_width_ > widths_.table;
  }

  void print() {
    if (!stacked_) {
      const Cells headings = {"NODE", "OPERATOR", "RULE", "VERDICT", "WORST"};
      std::string line = before_severity(headings) + headings[kSeverityColumn];
      line.append(columns_width_ - width_of(line), ' ');
      line += "RUNTIMES";
      print_({Text(Paint::kHeading, line)});
    }
    for (const PortabilityFinding& finding : findings_) {
      const bool explained = is_explained(finding);
      if (stacked_) {
        print_stacked(finding);
      } else {
        print_row(finding, explained);
      }
      if (explained) explain(finding);
    }
  }

  bool left_some_unexplained() const noexcept { return unexplained_; }

 private:
  // The cells before the severity with what fills their columns. A longer cell pushes the next
  // ones, which catch up where there is room.
  std::string before_severity(const Cells& cells) const {
    std::string line;
    std::size_t end = 0;  // of the column
    for (std::size_t i = 0; i < kSeverityColumn; ++i) {
      end += columns_[i] + kGap;
      line += cells[i];
      const std::size_t length = width_of(line);
      line.append(std::max(end, length + kGap) - length, ' ');
    }
    return line;
  }

  void print_row(const PortabilityFinding& finding, bool explained) {
    const Cells cells = cells_of(finding);
    const std::string line = before_severity(cells);
    const std::size_t node = cells[0].size();
    const std::size_t room = widths_.table - columns_width_;
    // The explanation has the devices.
    const std::string runtimes = explained && finding.verdict != Verdict::kCannot
                                     ? runtime_names(finding.runtimes)
                                     : runtimes_text(finding.runtimes);
    const bool has_room = width_of(runtimes) <= room;
    const std::string& severity = cells[kSeverityColumn];
    const std::string gap(has_room ? columns_[kSeverityColumn] + kGap - width_of(severity) : 0,
                          ' ');
    print_({Text(Paint::kHeading, std::string_view(line).substr(0, node)),
            std::string_view(line).substr(node), maybe_painted(paint_of(finding), severity), gap,
            has_room ? runtimes : ""});
    if (!has_room && !explained) print_lines("", runtimes);
  }

  // Where the terminal is too narrow for a table.
  void print_stacked(const PortabilityFinding& finding) {
    const Cells cells = cells_of(finding);
    print_({Text(Paint::kHeading, cells[0]), "  ", cells[1]});
    print_({"  ", cells[2], "  ", cells[3], "  ",
            maybe_painted(paint_of(finding), cells[kSeverityColumn])});
  }

  // Counts the findings of each rule that it is asked for.
  bool is_explained(const PortabilityFinding& finding) {
    const bool explained =
        findings_.size() <= kExplainedAll || explained_of_[finding.rule]++ < kExplainedOfRule;
    unexplained_ = unexplained_ || !explained;
    return explained;
  }

  void explain(const PortabilityFinding& finding) {
    print_lines("", finding.what.empty() ? finding.message : finding.what);
    if (finding.verdict != Verdict::kCannot) {
      for (const EffectOfRuntimes& effect : effects_of(finding))
        print_lines(fmt::format("{}: ", severity_name(effect.severity)),
                    fmt::format("{} ({})", effect.effect, effect.runtimes));
    }
    for (const std::string& premise : finding.premises) print_lines("if ", premise);
    for (const std::string& line : observed_lines(finding)) print_lines("seen: ", line);
    if (finding.verdict == Verdict::kCannot || finding.fix.empty()) return;
    const auto [known, is_new] = fixes_.emplace(finding.fix, shown_path(finding.node));
    print_lines("fix: ", is_new ? finding.fix : "as for " + known->second);
  }

  // Running text below a row; further lines stand under the first one's text.
  void print_lines(std::string_view label, std::string_view text) {
    const std::size_t before = kIndent + label.size();
    const std::size_t room = std::max(kLeastWidth, widths_.prose - std::min(before, widths_.prose));
    std::string indent = std::string(kIndent, ' ') + std::string(label);
    for (const std::string& line : wrapped(printable(text), room)) {
      print_({indent, line});
      indent.assign(before, ' ');
    }
  }

  const std::vector<PortabilityFinding>& findings_;
  TextWidths widths_;
  const PrintLine& print_;
  std::array<std::size_t, 5> columns_ = {4, 8, 4, 7, 5};  // characters, first of the headings
  std::size_t columns_width_ = 0;                         // with gaps
  bool stacked_ = false;
  bool unexplained_ = false;
  std::map<std::string, std::size_t> explained_of_;  // by rule
  std::map<std::string, std::string> fixes_;         // the first node with a fix
};

// The command that explains the first finding's rule.
std::string rule_line(const std::vector<PortabilityFinding>& findings) {
  const std::string& rule = findings.front().rule;
  const bool alone = std::all_of(findings.begin(), findings.end(),
                                 [&](const auto& finding) { return finding.rule == rule; });
  return fmt::format("windrow check --explain-rule {} explains the {}rule.", printable(rule),
                     alone ? "" : "first ");
}

}  // namespace

void print_check(const CheckedModel& checked, const TextWidths& widths, const PrintLine& print) {
  const CheckReport& report = checked.report;
  if (!report.findings.empty()) {
    CheckTable table(checked, widths, print);
    table.print();
    if (table.left_some_unexplained())
      print({"The first findings of each rule are explained; --format json and html explain all."});
    for (const std::string& line : wrapped(rule_line(report.findings), widths.prose)) print({line});
    print({""});
  }
  for (const InputContract& contract : report.contracts)
    print({Text(Paint::kHeading, "contract: "), contract.sentence});
  for (const UnjudgedOperator& unjudged : report.not_judged)
    print({Text(Paint::kCaution, "not judged: "), unjudged.sentence});
  for (const std::string& note : report.notes) print({Text(Paint::kCaution, "note: "), note});
  if (checked.fixes) print_fixes(*checked.fixes, print);
  const bool is_fine =
      std::all_of(report.findings.begin(), report.findings.end(),
                  [](const auto& finding) { return finding.verdict == Verdict::kCannot; });
  print(
      {Text(is_fine ? Paint::kGood : Paint::kHeading, checked.model + ": " + count_text(report))});
}

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
