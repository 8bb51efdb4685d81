#include "tests/conformance/case_record.h"

#include <stdexcept>

namespace windrow::tests {
namespace {

using nlohmann::json;

AttributeValue parse_attribute(const json& value) {
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>();
  throw std::runtime_error("an attribute is " + value.dump());
}

CallOptions parse_options(const json& record) {
  CallOptions options;
  if (!record.contains("options")) return options;
  const json& values = record.at("options");
  if (values.contains("out_of_range")) {
    options.out_of_range = parse_out_of_range(values.at("out_of_range").get<std::string>());
    if (!options.out_of_range) throw std::runtime_error("unknown out_of_range policy");
  }
  if (values.contains("negative")) {
    options.negative = parse_negative(values.at("negative").get<std::string>());
    if (!options.negative) throw std::runtime_error("unknown meaning of negative indices");
  }
  if (values.contains("padding_index"))
    options.padding_index = values.at("padding_index").get<std::int64_t>();
  if (values.contains("duplicates")) {
    const auto duplicates = parse_duplicates(values.at("duplicates").get<std::string>());
    if (!duplicates) throw std::runtime_error("unknown duplicates policy");
    options.duplicates = *duplicates;
  }
  options.strict = values.value("strict", false);
  return options;
}

std::vector<std::optional<int>> parse_versions(const json& record) {
  std::vector<std::optional<int>> versions;
  const auto add = [&](const json& value) {
    const auto version = value.is_null() ? std::nullopt : std::optional<int>(value.get<int>());
    if (std::find(versions.begin(), versions.end(), version) == versions.end())
      versions.push_back(version);
  };
  if (record.contains("version")) add(record.at("version"));
  if (record.contains("versions") && record.at("versions").is_array())
    for (const json& version : record.at("versions")) add(version);
  if (versions.empty()) versions.push_back(std::nullopt);
  return versions;
}

IndexFault parse_fault(const json& value) {
  IndexFault fault;
  fault.input = value.at("input").get<std::string>();
  fault.position = value.at("position").get<std::vector<std::int64_t>>();
  fault.value_text = value.at("value").dump();
  fault.axis = value.at("axis").get<std::int64_t>();
  fault.extent = value.at("extent").get<std::int64_t>();
  fault.count = value.at("count").get<std::int64_t>();
  return fault;
}

void parse_expectation(const json& record, CaseRecord& result) {
  result.is_error = record.contains("error");
  if (result.is_error) {
    result.error_kind = record.value("error_kind", std::string());
    result.constraint = record.value("constraint", std::string());
    result.message = record.value("message", std::string());
    if (record.contains("fault")) result.fault = parse_fault(record.at("fault"));
    return;
  }
  const json& outputs = record.at("outputs");
  if (outputs.size() != 1) throw std::runtime_error("a record has not one output");
  result.output = parse_tensor(outputs.at(0), &result.closeness.exact);
  if (record.contains("tolerance")) {
    result.closeness.relative = record.at("tolerance").at(0).get<double>();
    result.closeness.absolute = record.at("tolerance").at(1).get<double>();
  }
}

}  // namespace

std::vector<TensorView> CaseRecord::views() const { return {inputs.begin(), inputs.end()}; }

CaseRecord parse_case(const json& record) {
  CaseRecord result;
  result.name = record.at("name").get<std::string>();
  result.dialect = record.at("dialect").get<std::string>();
  result.op = record.at("op").get<std::string>();
  result.versions = parse_versions(record);
  result.options = parse_options(record);
  for (const auto& [name, value] : record.at("attrs").items())
    result.attributes[name] = parse_attribute(value);
  for (const json& input : record.at("inputs"))
    result.inputs.push_back(input.is_null() ? Tensor() : parse_tensor(input));
  parse_expectation(record, result);
  return result;
}

}  // namespace windrow::tests
