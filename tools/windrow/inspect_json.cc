#include "tools/windrow/inspect_json.h"

#include <vector>

#include "tools/windrow/fields_json.h"
#include "tools/windrow/findings.h"
#include "tools/windrow/node_kinds.h"

namespace windrow::tool {
namespace {

Json shape_json(const SymbolicShape& dims) {
  if (!dims) return nullptr;
  Json shape = Json::array();
  for (const Dim& dim : *dims) {
    if (dim.is_known()) {
      shape.push_back(dim.value);
    } else {
      shape.push_back(dim.symbol.empty() ? Json(nullptr) : Json(dim.symbol));
    }
  }
  return shape;
}

// `inferred`: whether the values say what they rest on.
Json values_json(const std::vector<ValueInfo>& values, bool inferred = false) {
  Json list = Json::array();
  for (const ValueInfo& value : values) {
    const bool known = value.dtype != DType::kAbsent;
    list.push_back({{"name", value.name},
                    {"dtype", known ? Json(dtype_name(value.dtype)) : Json(nullptr)},
                    {"shape", shape_json(value.dims)}});
    if (inferred) list.back()["basis"] = basis_name(value.basis);
  }
  return list;
}

// Without the plan.
Json report_json(const NodeReport& report) {
  return {{"node", report.node},
          {"path", report.path},
          {"operator", report.operator_name},
          {"axis",
           {{"text", to_string(report.axis)},
            {"axes", field_json(report.axis.axes)},
            {"rank", field_json(report.axis.rank)},
            {"batch_dims", report.axis.batch_dims}}},
          {"out_of_range", report.policy},
          {"inputs", values_json(report.inputs, true)},
          {"outputs", values_json(report.outputs, true)},
          {"warnings", report.notes},
          {"no_plan", report.plan == nullptr ? Json(report.no_plan) : Json(nullptr)}};
}

std::string plan_text(const PlanDescription& plan) {
  return json_text(field_json(plan), JsonForm::kLine);
}

// The members of an object, without its braces, as they stand in the document.
std::string members_text(const Json& object) {
  const std::string text = json_text(object, JsonForm::kIndented);
  return text.substr(1, text.size() - 3);
}

}  // namespace

InspectDocument::InspectDocument(Console& console, const Model& model)
    : console_(console), model_(model), plans_(&plan_text) {}

void InspectDocument::begin() {
  if (begun_) return;
  begun_ = true;
  const Json head = {{"dialect", model_.dialect},
                     {"opsets", model_.opset_imports},
                     {"inputs", values_json(model_.inputs)},
                     {"outputs", values_json(model_.outputs)},
                     {"operators", NodeKinds(model_).json()}};
  console_.print_verbatim("{" + members_text(head) + ",\n  \"nodes\": [");
}

void InspectDocument::add(const NodeReport& report) {
  begin();
  std::string line = json_text(report_json(report), JsonForm::kLine);
  line.pop_back();
  line += ",\"plan\":" + (report.plan == nullptr ? "null" : plans_.find(report.plan)) + "}";
  console_.print_verbatim((has_nodes_ ? ",\n    " : "\n    ") + line);
  has_nodes_ = true;
}

void InspectDocument::finish(const Inference& found, const std::string& page) {
  begin();
  Json rest = {{"findings", findings_json(found.findings)},
               {"findings_left_out", found.findings.left_out},
               {"notes", found.notes},
               {"not_run", model_.unsupported()}};
  if (!page.empty()) rest["html"] = page;
  console_.print_verbatim((has_nodes_ ? "\n  ]," : "],") + members_text(rest) + "\n}\n");
}

}  // namespace windrow::tool
