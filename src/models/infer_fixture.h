#ifndef WINDROW_MODELS_INFER_FIXTURE_H_
#define WINDROW_MODELS_INFER_FIXTURE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "windrow/models.h"

// Models for the tests of inference, and what it found as text.
namespace windrow::infer_fixture {

using Names = std::vector<std::string>;

inline ValueInfo value(const std::string& name, DType type, std::vector<Dim> dims) {
  return {name, type, std::move(dims)};
}

inline ValueInfo untyped(const std::string& name) { return {name, DType::kAbsent, std::nullopt}; }

inline ModelNode node(const std::string& op, const Names& inputs, const std::string& output,
                      Attributes attributes = {}) {
  return {"node_" + output, "", op, inputs, {output}, std::move(attributes), ""};
}

inline Attributes with(const std::string& name, std::int64_t number) { return {{name, number}}; }

// x float32[N, 4], i int64[3]; no nodes.
inline Model gather_model() {
  Model model;
  model.opset_imports[""] = 13;
  model.inputs = {value("x", DType::kFloat32, {{-1, "N"}, {4, ""}}),
                  value("i", DType::kInt64, {{3, ""}})};
  return model;
}

// "float32[N, 4] proven"
inline std::string shown(const ValueInfo& value) {
  return to_string(value) + " " + std::string(basis_name(value.basis));
}

inline std::string shown(const Inference& found, const std::string& name) {
  return shown(found.values().at(name));
}

// Of the graph with that path.
inline std::string shown(const Inference& found, const std::string& path, const std::string& name) {
  for (const GraphInference& graph : found.graphs) {
    if (graph.path == path) return shown(graph.values.at(name));
  }
  return "no graph " + path;
}

inline std::vector<std::string> findings(const Inference& found) {
  std::vector<std::string> texts;
  for (const Finding& finding : found.findings.list) texts.push_back(to_string(finding));
  return texts;
}

}  // namespace windrow::infer_fixture

#endif  // WINDROW_MODELS_INFER_FIXTURE_H_
