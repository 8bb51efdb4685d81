#ifndef WINDROW_PORTABILITY_ROWS_H_
#define WINDROW_PORTABILITY_ROWS_H_

#include <string>
#include <vector>

#include "src/portability/judges.h"
#include "src/portability/rule.h"

// The rows of the rules, a file for each part, and the words in which they are written.
namespace windrow::internal {

// An effect that was seen here. `runtime`: "onnxruntime:cpu", of the release that is installed.
RuleEffect ran(const char* runtime, Severity severity, const char* effect);
// An effect that `source` tells. Versions as in RuleEffect.
RuleEffect read(const char* runtime, Severity severity, const char* effect, const char* source,
                const char* since = "", const char* until = "");

// index_rows.cc, update_rows.cc, reduction_rows.cc, type_rows.cc, shape_rows.cc, form_rows.cc
std::vector<RuleRow> index_rows();
std::vector<RuleRow> update_rows();
std::vector<RuleRow> reduction_rows();
std::vector<RuleRow> type_rows();
std::vector<RuleRow> shape_rows();
std::vector<RuleRow> form_rows();
// Of what runs hosts: they have no function and no effects.
std::vector<RuleRow> run_rows();

// Sources that several effects name.
inline constexpr const char* kOnnxruntime25251 =
    "https://github.com/microsoft/onnxruntime/issues/25251";
inline constexpr const char* kGatherLayer = "NvInfer.h 10.3, IGatherLayer";
inline constexpr const char* kScatterLayer = "NvInfer.h 10.3, IScatterLayer";
inline constexpr const char* kTensorrtOperators =
    "https://github.com/onnx/onnx-tensorrt/blob/main/docs/operators.md";
inline constexpr const char* kScatterPlugin =
    "https://github.com/NVIDIA/TensorRT/tree/main/plugin/scatterElementsPlugin";

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_ROWS_H_
