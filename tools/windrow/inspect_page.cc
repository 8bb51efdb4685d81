#include "tools/windrow/inspect_page.h"

#include <fmt/core.h>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/windrow/findings.h"
#include "tools/windrow/model_text.h"
#include "tools/windrow/node_kinds.h"
#include "tools/windrow/page.h"

namespace windrow::tool {
namespace {

constexpr std::size_t kMostNodes = 2000;  // rows of the table of gathers and scatters
constexpr std::size_t kMostRows = 500;    // of each other table

std::string interface_of(const Model& model) {
  HtmlTable table({"", "Name", "Type"}, kMostRows);
  const auto add = [&table](const char* kind, const std::vector<ValueInfo>& values) {
    for (const ValueInfo& value : values) table.add({{kind}, {value.name}, {to_string(value)}});
  };
  add("input", model.inputs);
  add("input with a default", model.default_inputs);
  add("output", model.outputs);
  return page_section("Interface", table.html("values"));
}

std::string kinds_of(const NodeKinds& kinds) {
  HtmlTable table({"Operator", "Domain", "Nodes", "of them in bodies and functions"}, kMostRows);
  for (const NodeKinds::Count& kind : kinds.most_frequent_first())
    table.add({{kind.op_type},
               {kind.domain},
               {std::to_string(kind.count)},
               {std::to_string(kind.inside)}});
  return page_section("All nodes by operator", table.html("operators"));
}

std::string others_of(const Model& model) {
  HtmlTable table({"Operator and nodes"}, kMostRows);
  for (const std::string& other : model.unsupported()) table.add({{other}});
  return table.count() == 0 ? "" : page_section("Not run here", table.html("operators"));
}

std::vector<std::string> lines_of(const std::vector<ValueInfo>& values) {
  std::vector<std::string> lines;
  for (const ValueInfo& value : values) lines.push_back(value_text(value));
  return lines;
}

std::string plan_html(const PlanDescription& plan) {
  return fmt::format(
      "<details><summary>plan: kernel {}, {} bytes a row</summary><pre>{}</pre></details>",
      html_text(plan.kernel), plan.row_bytes, html_lines(to_string(plan)));
}

// "2 of them are gathers or scatters"
std::string gathers_text(std::size_t count) {
  if (count == 0) return "none of them is a gather or scatter";
  return count == 1 ? "1 of them is a gather or scatter"
                    : fmt::format("{} of them are gathers or scatters", count);
}

}  // namespace

InspectPage::InspectPage(const Model& model, std::string title)
    : model_(model),
      title_(std::move(title)),
      plans_(&plan_html),
      nodes_({"Node", "Operator", "Axis", "Out of range", "Inputs", "Outputs"}, kMostNodes),
      warnings_({"Node", "Warning"}, kMostRows),
      findings_({"Finding"}, kMostRows) {}

void InspectPage::add(const NodeReport& report) {
  for (const std::string& note : report.notes) warnings_.add({{shown_path(report.path)}, {note}});
  nodes_.add(
      {{shown_path(report.path)},
       {report.operator_name},
       {to_string(report.axis)},
       {report.policy},
       lines_of(report.inputs),
       lines_of(report.outputs)},
      report.plan == nullptr ? "no plan: " + html_text(report.no_plan) : plans_.find(report.plan));
}

void InspectPage::add(const Inference& found) {
  for (const Finding& finding : found.findings.list) findings_.add({{to_string(finding)}});
  if (found.findings.left_out > 0)
    findings_.add({{fmt::format("and {} more", found.findings.left_out)}});
  for (const std::string& note : found.notes) findings_.add({{"note: " + note}});
}

std::string InspectPage::html() const {
  const NodeKinds kinds(model_);
  const std::string subtitle =
      fmt::format("{}, {}; {}", html_text(kinds.count_text()), html_text(opsets_text(model_)),
                  gathers_text(nodes_.count()));
  std::string html = interface_of(model_);
  if (warnings_.count() > 0) html += page_section("Warnings", warnings_.html("warnings"));
  if (findings_.count() > 0)
    html += page_section("Broken rules, contradictions and notes", findings_.html("findings"));
  html += page_section("Gathers and scatters",
                       nodes_.count() == 0 ? "<p>There are none.</p>\n" : nodes_.html("nodes"));
  html += kinds_of(kinds) + others_of(model_);
  return page_html(title_, subtitle, html);
}

}  // namespace windrow::tool
