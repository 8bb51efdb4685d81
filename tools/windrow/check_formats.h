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

// The severity from which on findings count; absent: none does.
using FailOn = std::optional<Severity>;

// Throws Error (kInvalidArgument) for what is neither a severity's name nor "never".
FailOn parse_fail_on(std::string_view name);

bool is_failure(const PortabilityFinding& finding, FailOn fail_on);

// Findings that were not proved impossible, of each severity.
struct FindingCounts {
  explicit FindingCounts(const CheckReport& report);

  std::size_t all() const noexcept;
  // "1 fails, 2 silent"; empty: there are none.
  std::string text() const;

  std::vector<std::size_t> by_severity;
  std::size_t impossible = 0;  // those that were proved so
  std::size_t nodes = 0;       // that have others
};

// "onnxruntime:cpu,cuda; tensorrt:gpu"
std::string runtimes_text(const std::vector<std::string>& runtimes);
// "indices[0, 3] is 7"; empty if there is no value.
std::string witness_text(const PortabilityFinding& finding);
// What runs of hosts showed, a line each.
std::vector<std::string> observed_lines(const PortabilityFinding& finding);

using PrintLine = std::function<void(std::initializer_list<Text>)>;
// The table for people, in lines of about `width` characters.
void print_check(const CheckedModel& checked, std::size_t width, const PrintLine& print);

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
