#include "tools/windrow/check_rules.h"

#include <fmt/core.h>

#include <string>
#include <vector>

#include "tools/windrow/check_formats.h"
#include "tools/windrow/fields_json.h"
#include "tools/windrow/table.h"
#include "windrow/nearest_name.h"
#include "windrow/printable.h"

namespace windrow::tool {
void list_rules(Console& console) {
  Json list = Json::array();
  Table table;
  table.add({"RULE", "WORST", "RUNTIMES", "CONDITION"});
  for_each_rule([&](const PortabilityRule& rule) {
    list.push_back(field_json(rule));
    std::vector<std::string> runtimes;
    for (const RuleEffect& effect : rule.effects) runtimes.push_back(effect.runtime);
    table.add({rule.label, rule.effects.empty() ? "" : severity_name(worst_of(rule)),
               runtime_names(runtimes), rule.sentence});
  });
  if (console.json()) console.print_json({{"rules", list}});
  print_table(console, table);
}

void explain_rule(std::string_view label, Console& console) {
  const PortabilityRule* const rule = find_rule(label);
  NearestName nearest(label);
  for_each_rule([&nearest](const PortabilityRule& each) { nearest.consider(each.label); });
  if (rule == nullptr)
    fail(ErrorCode::kInvalidArgument,
         fmt::format("there is no rule '{}' (windrow check --list-rules names them){}",
                     printable(label), nearest.hint()));
  if (console.json()) console.print_json(field_json(*rule));
  console.print_line({Paint::kHeading, rule->label});
  console.print_line({"  ", rule->sentence});
  console.print_line({"  fix: ", rule->fix});
  console.print_line("");
  Table table;
  table.add({"RUNTIME", "VERSIONS", "SEVERITY", "EFFECT", "BASIS"});
  for (const RuleEffect& effect : rule->effects)
    table.add({effect.runtime + ":" + effect.device, versions_text(effect),
               severity_name(effect.severity), effect.effect, basis_text(effect)});
  print_table(console, table);
  if (rule->example.empty()) return;
  console.print_line("");
  console.print_line({"  a node that shows it: ", Json::parse(rule->example).dump()});
}

}  // namespace windrow::tool
