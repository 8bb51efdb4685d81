#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>

#include "tools/windrow/check_formats.h"
#include "tools/windrow/fields_json.h"
#include "tools/windrow/findings.h"
#include "windrow/operators.h"

namespace windrow::tool {
namespace {

// A path as a reference, whatever bytes it has.
std::string uri_of(const std::string& path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool stays = byte < 0x80 && (std::isalnum(byte) != 0 ||
                                       std::string_view("-._~/").find(c) != std::string_view::npos);
    uri += stays ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

Json message_of(const std::string& text) { return {{"text", text}}; }

Json descriptor_of(const PortabilityRule& rule) {
  return {{"id", rule.label},
          {"shortDescription", message_of(rule.sentence)},
          {"help", message_of(rule.fix)},
          {"defaultConfiguration", {{"level", level_of(worst_of(rule), "note")}}},
          {"properties", {{"effects", field_json(rule.effects)}}}};
}

// The descriptors of rules, and where those of findings are.
class Rules {
 public:
  Rules() {
    for (const PortabilityRule& rule : portability_rules()) {
      places_.emplace(rule.label, descriptors_.size());
      descriptors_.push_back(descriptor_of(rule));
    }
  }

  // The rules of operators are very many: those of findings have descriptors. What runs of hosts
  // find belongs to rules that have no row.
  std::size_t find(const std::string& label) {
    const auto [known, is_new] = places_.emplace(label, descriptors_.size());
    const PortabilityRule* const rule = is_new ? find_rule(label) : nullptr;
    if (is_new)
      descriptors_.push_back(rule != nullptr ? descriptor_of(*rule) : Json{{"id", label}});
    return known->second;
  }

  const Json& descriptors() const noexcept { return descriptors_; }

 private:
  Json descriptors_ = Json::array();
  std::map<std::string, std::size_t> places_;
};

Json result_of(const PortabilityFinding& finding, const Json& artifact, Rules& rules) {
  const bool passed = finding.verdict == Verdict::kCannot;
  const std::string path = shown_path(finding.node);
  Json properties = field_json(finding);
  for (const char* elsewhere : {"rule", "node", "message"}) properties.erase(elsewhere);
  return {{"ruleId", finding.rule},
          {"ruleIndex", rules.find(finding.rule)},
          {"kind", passed ? "pass" : "fail"},
          {"level", passed                      ? std::string_view("none")
                    : finding.observed_in_range ? std::string_view("note")
                                                : level_of(finding.severity, "note")},
          {"message",
           message_of(finding.message + (finding.fix.empty() ? "" : "\nFix: " + finding.fix))},
          {"locations",
           {{{"physicalLocation", {{"artifactLocation", artifact}}},
             {"logicalLocations",
              {{{"name", path}, {"fullyQualifiedName", finding.node}, {"kind", "object"}}}}}}},
          {"partialFingerprints", {{"ruleAndNode/v1", finding.rule + " " + finding.node}}},
          {"properties", std::move(properties)}};
}

}  // namespace

Json check_sarif(const CheckedModel& checked) {
  const Json artifact = {{"uri", uri_of(checked.model)}, {"index", 0}};
  Rules rules;
  Json results = Json::array();
  for (const PortabilityFinding& finding : checked.report.findings)
    results.push_back(result_of(finding, artifact, rules));
  Json notifications = Json::array();
  for (const UnjudgedOperator& unjudged : checked.report.not_judged)
    notifications.push_back(
        {{"level", "note"}, {"message", message_of("not judged: " + unjudged.sentence)}});
  for (const std::string& note : checked.report.notes)
    notifications.push_back({{"level", "note"}, {"message", message_of(note)}});
  Json run = {
      {"tool",
       {{"driver", {{"name", "windrow"}, {"version", version()}, {"rules", rules.descriptors()}}}}},
      {"invocations",
       {{{"executionSuccessful", true}, {"toolExecutionNotifications", notifications}}}},
      {"artifacts", {{{"location", artifact}, {"roles", {"analysisTarget"}}}}},
      {"results", results},
      {"properties",
       {{"nodes", checked.report.nodes},
        {"left_out", checked.report.left_out},
        {"contracts", field_json(checked.report.contracts)}}}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", {std::move(run)}}};
}

}  // namespace windrow::tool
