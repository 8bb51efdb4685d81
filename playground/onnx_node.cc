#include "playground/onnx_node.h"

#include "tools/windrow/fields_json.h"

namespace windrow::playground {

namespace {

// A number or a text as Python writes it; JSON's quotes and escapes are Python's too.
std::string python_text(const tool::Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  return value.is_null() ? "None" : value.dump();
}

}  // namespace

std::string onnx_node(const OperatorInfo& info, const Attributes& attributes,
                      const Explanation& explanation) {
  if (info.dialect != "onnx") return {};
  tool::Json names = tool::Json::array();
  for (const ExplainedTensor& input : explanation.inputs)
    names.push_back(input.dtype == DType::kAbsent ? "" : input.name);
  while (!names.empty() && names.back() == "") names.erase(names.size() - 1);
  std::string call = "node = helper.make_node(\n    \"" + info.name + "\", inputs=" + names.dump() +
                     ", outputs=[\"" + info.output + "\"]";
  const tool::Json given = tool::field_json(attributes);
  for (const auto& [name, value] : given.items()) call += ", " + name + "=" + python_text(value);
  if (!info.domain.empty()) call += ", domain=\"" + info.domain + "\"";
  return "from onnx import helper\n" + call + ",\n)\nopset = helper.make_opsetid(\"" + info.domain +
         "\", " + std::to_string(info.since_version) + ")\n";
}

}  // namespace windrow::playground
