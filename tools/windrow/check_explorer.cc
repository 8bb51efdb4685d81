#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "tools/windrow/check_formats.h"
#include "tools/windrow/findings.h"

namespace windrow::tool {
namespace {

const char* colour_of(Severity severity) {
  switch (severity) {
    case Severity::kFails:
      return "#f4a7a3";
    case Severity::kSilent:
      return "#f9c59a";
    case Severity::kUndefined:
      return "#fbe7a1";
    case Severity::kSlow:
      break;
  }
  return "#d5dbe3";
}

struct OfNode {
  Severity worst = Severity::kSlow;
  std::set<std::string> rules;
};

}  // namespace

Json check_explorer(const CheckedModel& checked) {
  std::map<std::string, OfNode> nodes;
  for (const PortabilityFinding& finding : checked.report.findings) {
    if (finding.verdict == Verdict::kCannot) continue;
    OfNode& node = nodes[shown_path(finding.node)];
    node.worst = std::min(node.worst, finding.severity);
    node.rules.insert(finding.rule);
  }
  Json results = Json::object();
  for (const UnjudgedOperator& unjudged : checked.report.not_judged) {
    for (const std::string& path : unjudged.nodes)
      results[shown_path(path)] = {{"value", "not judged: " + unjudged.input},
                                   {"bgColor", "#d5dbe3"},
                                   {"textColor", "#1c2330"}};
  }
  for (const auto& [path, node] : nodes) {
    std::string value(severity_name(node.worst));
    for (const std::string& rule : node.rules)
      value += (rule == *node.rules.begin() ? ": " : ", ") + rule;
    results[path] = {
        {"value", value}, {"bgColor", colour_of(node.worst)}, {"textColor", "#1c2330"}};
  }
  return {{"results", results}};
}

}  // namespace windrow::tool
