#include "python/src/fields.h"

namespace windrow::python {

void parse_name(const std::string& name, Severity& field) {
  if (const auto value = parse_severity(name)) return void(field = *value);
  throw wrong_argument("there is no severity '" + name + "'");
}
void parse_name(const std::string& name, Verdict& field) {
  if (const auto value = parse_verdict(name)) return void(field = *value);
  throw wrong_argument("there is no verdict '" + name + "'");
}
void parse_name(const std::string& name, Evidence& field) {
  if (const auto value = parse_evidence(name)) return void(field = *value);
  throw wrong_argument("there is no evidence '" + name + "'");
}

}  // namespace windrow::python
