#ifndef WINDROW_TOOLS_WINDROW_CHECK_FORMATS_H_
#define WINDROW_TOOLS_WINDROW_CHECK_FORMATS_H_

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/windrow/command.h"
#include "tools/windrow/console.h"

// The formats of `windrow check`, a file each, and what they share.
namespace windrow::tool {

// The severity from which on findings count; absent: none do.
using FailOn = std::optional<Severity>;

// Throws Error (kInvalidArgument) unless `name` is the name of a severity or "never".
FailOn parse_fail_on(std::string_view name);

bool is_failure(const PortabilityFinding& finding, FailOn fail_on);

// Calls `visit` with every rule of portability and of operators, in the order of --list-rules.
void for_each_rule(const std::function<void(const PortabilityRule&)>& visit);
// The rule of this label; null if there is none.
const PortabilityRule* find_rule(std::string_view label);

// The severity of the rule's worst effect.
Severity worst_of(const PortabilityRule& rule);

// "error", "warning" or, for the least severity, `lowest`: the levels of other tools.
std::string_view level_of(Severity severity, std::string_view lowest);

// "onnxruntime:cpu,cuda; tensorrt:gpu"
std::string runtimes_text(const std::vector<std::string>& runtimes);
// The same without devices, each runtime once: "onnxruntime, tensorrt"
std::string runtime_names(const std::vector<std::string>& runtimes);
// An effect and the runtimes that have it.
struct EffectOfRuntimes {
  Severity severity;
  std::string effect;    // "gives zeros"
  std::string runtimes;  // runtimes_text()
};
// Ordered by severity, the worst first.
std::vector<EffectOfRuntimes> effects_of(const PortabilityFinding& finding);

// The versions for which an effect is known: "1.27 and newer", "any".
std::string versions_text(const RuleEffect& effect);
// How the effect is known: "ran 1.31.1, 2026-11-23".
std::string basis_text(const RuleEffect& effect);
// "4 findings on 3 of 12 gather and scatter nodes: 1 fails, 2 silent, 1 undefined"
std::string count_text(const CheckReport& report);
// What runs in hosts showed, as one line each.
std::vector<std::string> observed_lines(const PortabilityFinding& finding);

using PrintLine = std::function<void(std::initializer_list<Text>)>;
// Prints the findings as a table.
void print_check(const CheckedModel& checked, const TextWidths& widths, const PrintLine& print);

Json check_json(const CheckedModel& checked);
// SARIF 2.1.0
Json check_sarif(const CheckedModel& checked);
// Custom node data of the viewer Model Explorer.
Json check_explorer(const CheckedModel& checked);
// Workflow commands of GitHub Actions, which become annotations.
std::string check_github(const CheckedModel& checked);
// JUnit's XML: a suite for each rule, a case for each node.
std::string check_junit(const CheckedModel& checked, FailOn fail_on);
// An HTML document without scripts that loads nothing.
std::string check_page(const CheckedModel& checked);

// The names of formats, for messages and checks of flags.
std::vector<std::string> check_format_names();

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_CHECK_FORMATS_H_
