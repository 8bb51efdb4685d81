#include "tools/windrow/check_formats.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/windrow/check_text.h"
#include "tools/windrow/fields_json.h"
#include "tools/windrow/page.h"
#include "windrow/counted.h"
#include "windrow/operators.h"
#include "windrow/printable.h"

namespace windrow::tool {
namespace {

std::string check_text(const CheckedModel& checked, FailOn) {
  std::string text;
  print_check(checked, {}, [&text](std::initializer_list<Text> parts) {
    for (const Text& part : parts) text += printable(part.text());
    text += '\n';
  });
  return text;
}

template <Json (*kDocument)(const CheckedModel&)>
std::string as_json(const CheckedModel& checked, FailOn) {
  return json_text(kDocument(checked), JsonForm::kIndented) + "\n";
}

template <std::string (*kText)(const CheckedModel&)>
std::string as_text(const CheckedModel& checked, FailOn) {
  return kText(checked);
}

struct Format {
  const char* name;
  std::string (*make)(const CheckedModel&, FailOn);
};

constexpr std::array<Format, 7> kFormats = {{
    {"text", &check_text},
    {"json", &as_json<&check_json>},
    {"sarif", &as_json<&check_sarif>},
    {"github", &as_text<&check_github>},
    {"junit", &check_junit},
    {"html", &as_text<&check_page>},
    {"model-explorer", &as_json<&check_explorer>},
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
  return finding.verdict != Verdict::kCannot && !finding.observed_in_range && fail_on &&
         finding.severity <= *fail_on;
}

void for_each_rule(const std::function<void(const PortabilityRule&)>& visit) {
  for (const auto& rules : {portability_rules(), operator_rules()})
    std::for_each(rules.begin(), rules.end(), visit);
}

const PortabilityRule* find_rule(std::string_view label) {
  const PortabilityRule* found = nullptr;
  for_each_rule([&](const PortabilityRule& rule) {
    if (rule.label == label) found = &rule;
  });
  return found;
}

Severity worst_of(const PortabilityRule& rule) {
  Severity worst = Severity::kSlow;
  for (const RuleEffect& effect : rule.effects) worst = std::min(worst, effect.severity);
  return worst;
}

std::string_view level_of(Severity severity, std::string_view lowest) {
  switch (severity) {
    case Severity::kFails:
    case Severity::kSilent:
      return "error";
    case Severity::kUndefined:
      return "warning";
    case Severity::kSlow:
      break;
  }
  return lowest;
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

std::string runtime_names(const std::vector<std::string>& runtimes) {
  std::vector<std::string> names;
  for (const std::string& runtime : runtimes) {
    std::string name = runtime.substr(0, runtime.find(':'));
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<EffectOfRuntimes> effects_of(const PortabilityFinding& finding) {
  std::map<std::pair<Severity, std::string_view>, std::vector<std::string>> runtimes;
  for (const FindingEffect& effect : finding.effects)
    runtimes[{effect.severity, effect.effect}].push_back(effect.runtime);
  std::vector<EffectOfRuntimes> effects;
  for (const auto& [key, names] : runtimes)
    effects.push_back({key.first, std::string(key.second), runtimes_text(names)});
  return effects;
}

std::string versions_text(const RuleEffect& effect) {
  if (effect.since.empty() && effect.until.empty()) return "any";
  if (effect.until.empty()) return effect.since + " and newer";
  if (effect.since.empty()) return "up to " + effect.until;
  return effect.since == effect.until ? effect.since : effect.since + " to " + effect.until;
}

std::string basis_text(const RuleEffect& effect) {
  return fmt::format("{} {}, {}", effect.ran ? "ran" : "read", effect.source, effect.seen);
}

std::string count_text(const CheckReport& report) {
  std::array<std::size_t, 4> counts = {};  // by severity
  std::size_t impossible = 0;
  std::set<std::string_view> nodes;
  bool is_of_model = false;  // whether a finding is about no single node
  for (const PortabilityFinding& finding : report.findings) {
    if (finding.verdict == Verdict::kCannot) {
      ++impossible;
    } else {
      ++counts[static_cast<std::size_t>(finding.severity)];
      if (finding.node.empty()) {
        is_of_model = true;
      } else {
        nodes.insert(finding.node);
      }
    }
  }
  const std::size_t all = report.findings.size() - impossible;
  const std::string of_all = counted(report.nodes, "gather and scatter node");
  std::string text = all == 0 ? "no findings on " + of_all : counted(all, "finding") + " on ";
  if (is_of_model) text += nodes.empty() ? "the model, which has " + of_all : "the model and ";
  // Nodes of other operators, at which hosts part, are not counted among those.
  if (nodes.size() > report.nodes) {
    text += fmt::format("{}, with {} checked", counted(nodes.size(), "node"), of_all);
  } else if (!nodes.empty()) {
    text += fmt::format("{} of {}", nodes.size(), of_all);
  }
  const char* before = ": ";
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    text += fmt::format("{}{} {}", before, counts[i], severity_name(static_cast<Severity>(i)));
    before = ", ";
  }
  if (impossible > 0) text += fmt::format("; {} proved impossible", impossible);
  if (report.left_out > 0) text += fmt::format("; {} more are left out", report.left_out);
  return text;
}

std::vector<std::string> observed_lines(const PortabilityFinding& finding) {
  std::vector<std::string> lines;
  if (const auto& seen = finding.observed) {
    const auto& at = seen->first.position;
    const std::string where =
        at.empty() ? "as a whole" : fmt::format("first at [{}]", fmt::join(at, ", "));
    lines.push_back(fmt::format("{}: {} of {} differed, {}: got {}, expected {}", seen->runtime,
                                seen->differing, counted(seen->runs, "run"), where, seen->first.got,
                                seen->first.expected));
  }
  for (const TriedEffect& tried : finding.tried)
    lines.push_back(fmt::format("this node alone in {}: {} (the rule's effect: {})", tried.runtime,
                                tried.outcome, tried.agreement));
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

Json check_json(const CheckedModel& checked) {
  Json document = field_json(checked);
  if (checked.fixes) document["fixes"] = field_json(*checked.fixes);
  return document;
}

namespace {

// Any bytes as a value of a workflow command; `special`: signs that have a meaning there.
std::string percent_escaped(std::string_view text, std::string_view special) {
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

std::string property_value(std::string_view text) { return percent_escaped(text, "%:,"); }
std::string message_part(std::string_view text) { return percent_escaped(text, "%"); }

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
