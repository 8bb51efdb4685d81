#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "tools/windrow/check_formats.h"
#include "tools/windrow/findings.h"
#include "tools/windrow/table.h"
#include "windrow/printable.h"

namespace windrow::tool {
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

std::string padded(std::string_view text, std::size_t width) {
  std::string cell(text);
  cell.append(width - std::min(width, width_of(text)), ' ');
  return cell;
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

// Columns: node, operator, rule, verdict, severity; the runtimes stand behind them.
using Cells = std::array<std::string, 5>;
constexpr std::size_t kSeverityColumn = 4;

Cells cells_of(const PortabilityFinding& finding) {
  return {printable(shown_path(finding.node)), finding.operator_name, finding.rule,
          std::string(verdict_name(finding.verdict)), std::string(severity_name(finding.severity))};
}

class CheckTable {
 public:
  CheckTable(const CheckedModel& checked, std::size_t width, const PrintLine& print)
      : findings_(checked.report.findings), width_(width), print_(print) {
    for (const PortabilityFinding& finding : findings_) {
      const Cells cells = cells_of(finding);
      for (std::size_t i = 0; i < cells.size(); ++i)
        widths_[i] = std::max(widths_[i], std::min(width_of(cells[i]), kWidestNode));
    }
    for (const std::size_t width_of_column : widths_) table_width_ += width_of_column + kGap;
    stacked_ = table_width_ + kLeastWidth > width_;
  }

  void print() {
    if (!stacked_)
      print_row({"NODE", "OPERATOR", "RULE", "VERDICT", "WORST"}, "RUNTIMES", Paint::kHeading);
    for (const PortabilityFinding& finding : findings_) {
      const Cells cells = cells_of(finding);
      const std::string runtimes = runtimes_text(finding.runtimes);
      if (stacked_) {
        print_stacked(cells, runtimes, paint_of(finding));
      } else {
        print_row(cells, runtimes, paint_of(finding));
      }
      if (is_explained(finding)) explain(finding);
    }
  }

  bool left_some_unexplained() const noexcept { return unexplained_; }

 private:
  void print_row(const Cells& cells, const std::string& runtimes, std::optional<Paint> paint) {
    std::string before;
    std::size_t used = 0;
    for (std::size_t i = 0; i < kSeverityColumn; ++i) {
      used += widths_[i] + kGap;
      before += cells[i];
      // A longer cell pushes the next ones, which catch up where there is room.
      const std::size_t length = width_of(before);
      before.append(std::max(used, length + kGap) - length, ' ');
    }
    const std::string severity = padded(cells[kSeverityColumn], widths_[kSeverityColumn] + kGap);
    const bool is_heading = paint == Paint::kHeading;
    const std::vector<std::string> lines = wrapped(runtimes, width_ - table_width_);
    print_({maybe_painted(is_heading ? paint : std::nullopt, before),
            maybe_painted(paint, severity),
            maybe_painted(is_heading ? paint : std::nullopt, lines.empty() ? "" : lines[0])});
    const std::string indent(table_width_, ' ');
    for (std::size_t i = 1; i < lines.size(); ++i) print_({indent, lines[i]});
  }

  void print_stacked(const Cells& cells, const std::string& runtimes, std::optional<Paint> paint) {
    print_({Text(Paint::kHeading, cells[0]), "  ", cells[1]});
    print_({"  ", cells[2], "  ", cells[3], "  ", maybe_painted(paint, cells[kSeverityColumn])});
    print_lines("", runtimes);
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
    if (finding.verdict != Verdict::kCannot) print_effects(finding);
    for (const std::string& premise : finding.premises) print_lines("if ", premise);
    for (const std::string& line : observed_lines(finding)) print_lines("seen: ", line);
    if (finding.verdict == Verdict::kCannot) return;
    const auto [known, is_new] = fixes_.emplace(finding.fix, shown_path(finding.node));
    print_lines("fix: ", is_new ? finding.fix : "as for " + known->second);
  }

  // A line for each effect, with the runtimes that have it.
  void print_effects(const PortabilityFinding& finding) {
    std::map<std::string_view, std::vector<std::string>> runtimes;
    for (const FindingEffect& effect : finding.effects)
      runtimes[effect.effect].push_back(effect.runtime);
    for (const FindingEffect& effect : finding.effects) {
      auto group = runtimes.extract(effect.effect);
      if (!group.empty()) print_lines("", runtimes_text(group.mapped()) + ": " + effect.effect);
    }
  }

  // Running text below a row; further lines stand under the first one's text.
  void print_lines(std::string_view label, std::string_view text) {
    const std::string shown = printable(text);
    const std::size_t room = width_ > kIndent + label.size() ? width_ - kIndent - label.size() : 1;
    std::string before = std::string(kIndent, ' ') + std::string(label);
    for (const std::string& line : wrapped(shown, std::max(room, kLeastWidth))) {
      print_({before, line});
      before.assign(before.size(), ' ');
    }
  }

  const std::vector<PortabilityFinding>& findings_;
  std::size_t width_;
  const PrintLine& print_;
  std::array<std::size_t, 5> widths_ = {4, 8, 4, 7, 5};  // of the headings
  std::size_t table_width_ = 0;
  bool stacked_ = false;  // the terminal is too narrow for a table
  bool unexplained_ = false;
  std::map<std::string, std::size_t> explained_of_;  // rule
  std::map<std::string, std::string> fixes_;         // the node for which a fix was printed
};

std::string summary_of(const CheckedModel& checked, const FindingCounts& counts) {
  const auto plural = [](std::size_t count, const char* word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
  };
  const std::string all = plural(checked.report.nodes, "gather and scatter node");
  std::string text = counts.all() == 0 ? fmt::format("{}: no findings on {}", checked.model, all)
                                       : fmt::format("{}: {} on {} of {}: {}", checked.model,
                                                     plural(counts.all(), "finding"), counts.nodes,
                                                     all, counts.text());
  if (counts.impossible > 0)
    text += fmt::format("; {} proved impossible", plural(counts.impossible, "more"));
  if (checked.report.left_out > 0)
    text += fmt::format("; {} left out", plural(checked.report.left_out, "more finding"));
  return text;
}

}  // namespace

void print_check(const CheckedModel& checked, std::size_t width, const PrintLine& print) {
  const CheckReport& report = checked.report;
  if (!report.findings.empty()) {
    CheckTable table(checked, width, print);
    table.print();
    if (table.left_some_unexplained())
      print({"The first findings of each rule are explained; --format json and html explain all."});
    print({""});
  }
  for (const InputContract& contract : report.contracts)
    print({Text(Paint::kHeading, "contract: "), contract.sentence});
  for (const std::string& note : report.notes) print({Text(Paint::kCaution, "note: "), note});
  const FindingCounts counts(report);
  const std::string summary = summary_of(checked, counts);
  print({counts.all() == 0 ? Text(Paint::kGood, summary) : Text(Paint::kHeading, summary)});
}

}  // namespace windrow::tool
