#include "tests/portability/node_model.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/conformance/case_record.h"

namespace windrow::tests {
namespace {

using nlohmann::json;

AttributeValue attribute_of(const json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  return value.get<std::string>();
}

ValueInfo input_of(const std::string& name, const json& input) {
  ValueInfo value;
  value.name = name;
  const auto type = parse_dtype(input.at(0).get<std::string>());
  if (!type) throw std::runtime_error("unknown type " + input.at(0).dump());
  value.dtype = *type;
  value.dims.emplace();
  for (const json& extent : input.at(1)) {
    value.dims->emplace_back();
    value.dims->back().value = extent.get<std::int64_t>();
  }
  return value;
}

}  // namespace

Model model_of_node(const json& node) {
  Model model;
  model.dialect = node.at("dialect").get<std::string>();
  ModelNode made;
  made.name = "node";
  made.op_type = node.at("operator").get<std::string>();
  const int version = node.at("version").get<int>();
  if (model.dialect == "onnx") {
    made.domain = node.value("domain", "");
    if (made.op_type == "ArrayFeatureExtractor") made.domain = "ai.onnx.ml";
    model.opset_imports[made.domain] = version;
  } else {
    made.version = version;
  }
  for (const auto& [name, value] : node.at("attributes").items())
    made.attributes[name] = attribute_of(value);
  for (const json& input : node.at("inputs")) {
    if (input.is_null()) {
      made.inputs.emplace_back();
      continue;
    }
    const std::string name = "input_" + std::to_string(made.inputs.size());
    made.inputs.push_back(name);
    if (input.size() == 2) {
      model.inputs.push_back(input_of(name, input));
    } else {
      model.constants[name] =
          parse_tensor({{"dtype", input.at(0)}, {"shape", input.at(1)}, {"data", input.at(2)}});
    }
  }
  made.outputs = {"output"};
  model.nodes = {std::move(made)};
  model.outputs = {{"output", DType::kAbsent, std::nullopt}};
  return model;
}

}  // namespace windrow::tests
