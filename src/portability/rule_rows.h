#ifndef WINDROW_PORTABILITY_RULE_ROWS_H_
#define WINDROW_PORTABILITY_RULE_ROWS_H_

#include <string>
#include <vector>

#include "src/portability/judges.h"
#include "src/portability/rule.h"

// The rows of the rules, a file for each part, and the functions and texts that the rows share.
namespace windrow::internal {

// An effect that was observed in the installed release of a runtime such as "onnxruntime:cpu".
RuleEffect ran(const char* runtime, Severity severity, const char* effect);
// An effect that is documented in `source`. Versions as in RuleEffect.
RuleEffect read(const char* runtime, Severity severity, const char* effect, const char* source,
                const char* since = "", const char* until = "");

// rules_of_indices.cc, rules_of_updates.cc, rules_of_reductions.cc, rules_of_types.cc,
// rules_of_shapes.cc, rules_of_forms.cc
std::vector<RuleRow> rules_of_indices();
std::vector<RuleRow> rules_of_updates();
std::vector<RuleRow> rules_of_reductions();
std::vector<RuleRow> rules_of_types();
std::vector<RuleRow> rules_of_shapes();
std::vector<RuleRow> rules_of_forms();
// rules_of_indexing_operators.cc: operators that the library does not compute.
std::vector<RuleRow> rules_of_indexing_operators();
// rules_of_providers.cc: what execution providers of ONNX Runtime take.
std::vector<RuleRow> rules_of_providers();
// Rules about runs of hosts, in rules_of_forms.cc, which have no function and no effects.
std::vector<RuleRow> rules_of_runs();

// Effects that several rules have, and sources that several effects name.
inline constexpr const char* kError = "ends the run with an error";
inline constexpr const char* kRefuses = "refuses the model";
inline constexpr const char* kNoOperator = "refuses the model: it has no such operator";
inline constexpr const char* kNoComplexTypes = "refuses the model: it has no complex types";
inline constexpr const char* kOnnxruntimeOpsets =
    "https://onnxruntime.ai/docs/reference/compatibility.html";
inline constexpr const char* kOnnxruntime25251 =
    "https://github.com/microsoft/onnxruntime/issues/25251";
inline constexpr const char* kGatherLayer = "NvInfer.h 10.3, IGatherLayer";
inline constexpr const char* kScatterLayer = "NvInfer.h 10.3, IScatterLayer";
inline constexpr const char* kTensorrtOperators =
    "https://github.com/onnx/onnx-tensorrt/blob/main/docs/operators.md";
inline constexpr const char* kScatterPlugin =
    "https://github.com/NVIDIA/TensorRT/tree/main/plugin/scatterElementsPlugin";

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_RULE_ROWS_H_
