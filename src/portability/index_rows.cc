#include "src/portability/rows.h"

namespace windrow::internal {
namespace {

constexpr const char* kKeepInRange =
    "Keep the indices in range: clip them, or wrap them with Mod, before the node. --unsafe-fixes "
    "adds a Clip.";

}  // namespace

// What indices address.
std::vector<RuleRow> index_rows() {
  using enum Severity;
  return {
      {.label = "gather-index-range",
       .sentence = "An index of Gather is outside of [-s, s-1], s being the extent of the axis.",
       .fix = kKeepInRange,
       .provocation = "index-above",
       .example = R"({"dialect": "onnx", "operator": "Gather", "version": 13, "attributes": {},
 "inputs": [["float32", [4, 3]], ["int64", [2], [0, 7]]]})",
       .families = kGather,
       .dialects = kEveryDialect,
       .judge = judge_index_range,
       .effects = {ran("onnxruntime:cpu", kFails, "ends the run with an error"),
                   read("onnxruntime:cuda", kSilent, "gives zeros",
                        "https://github.com/microsoft/onnxruntime/issues/25251"),
                   read("onnxruntime:directml", kSilent, "takes the nearest element of the axis",
                        "https://github.com/microsoft/onnxruntime/issues/25251"),
                   ran("openvino:cpu", kSilent, "gives zeros"),
                   read("openvino:gpu", kSilent, "gives zeros",
                        "https://github.com/microsoft/onnxruntime/issues/25251"),
                   ran("openvino:evaluate", kSilent, "gives zeros"),
                   read("tensorrt:gpu", kSilent, "gives zeros", "NvInfer.h 10.3, IGatherLayer"),
                   ran("onnx:reference", kFails, "ends the run with an error")}},
      {.label = "gather-negative-index",
       .sentence = "An index of Gather is negative, which this version of the operator does not "
                   "define.",
       .fix = "Add the extent of the axis to negative indices, or write the newest version of the "
              "operator.",
       .provocation = "index-negative",
       .example = R"({"dialect": "openvino", "operator": "Gather", "version": 7, "attributes": {},
 "inputs": [["float32", [4, 3]], ["int32", [2], [0, -1]], ["int32", [], [0]]]})",
       .families = kGather,
       .dialects = kOpenvino,
       .judge = judge_negative_index,
       .effects = {ran("openvino:cpu", kSilent, "gives zeros")}},
  };
}

}  // namespace windrow::internal
