#include "src/portability/rule_rows.h"

namespace windrow::internal {
namespace {

constexpr const char* kNoDuplicates =
    "If the model accumulates there, as an exported index_put_ with accumulate=True, index_add_ or "
    "scatter_add_ does, write reduction=\"add\" (opset 16; \"sum\" in OpenVINO): leaving updates "
    "out "
    "would make a wrong result permanent. To tell, run the original with one index twice: if the "
    "cell gets the sum of both updates, it accumulates. Otherwise leave only the last update of "
    "each "
    "cell before the node; Windrow takes the last one in row-major order.";

}  // namespace

// Cells that several updates are of.
std::vector<RuleRow> rules_of_updates() {
  using enum Severity;
  return {
      {.label = "scatter-elements-duplicates",
       .sentence = "Two updates of ScatterElements without a reduction have the same cell.",
       .fix = kNoDuplicates,
       .provocation = "duplicates",
       .example = {"onnx.ScatterElements-18",
                   R"(["float32", [4]], ["int64", [2], [1, 1]], ["float32", [2]])"},
       .families = kScatterElements,
       .dialects = kEveryDialect,
       .judge = judge_duplicates,
       .effects = {read("onnxruntime:cuda", kUndefined, "takes any of the updates",
                        "https://github.com/onnx/onnx/issues/4548"),
                   read("openvino:gpu", kUndefined, "takes any of the updates",
                        "https://github.com/openvinotoolkit/openvino/issues/29154"),
                   read("tensorrt:gpu", kUndefined, "does not say which update it takes",
                        kScatterLayer)},
       .specification = "leaves open which update stays"},
      {.label = "scatter-nd-duplicates",
       .sentence = "Two updates of ScatterND without a reduction have the same cell.",
       .fix = kNoDuplicates,
       .provocation = "race",
       .example = {"onnx.ScatterND-18",
                   R"(["float32", [4, 3]], ["int64", [2, 1], [1, 1]], ["float32", [2, 3]])"},
       .families = kScatterND,
       .dialects = kEveryDialect,
       .judge = judge_duplicates,
       .effects = {ran("onnxruntime:cpu", kUndefined, "takes any of the updates: its threads race"),
                   read("onnxruntime:cuda", kUndefined, "takes any of the updates",
                        "https://github.com/onnx/onnx/issues/4548"),
                   ran("openvino:cpu", kUndefined, "takes any of the updates: its threads race"),
                   read("tensorrt:gpu", kUndefined, "does not say which update it takes",
                        kScatterLayer)},
       .specification = "leaves open which update stays"},
      {.label = "scatter-update-duplicates",
       .sentence = "Two updates of OpenVINO's ScatterUpdate have the same cell.",
       .fix = kNoDuplicates,
       .provocation = "race",
       .example =
           {"openvino.ScatterUpdate-3",
            R"(["float32", [4, 3]], ["int64", [2], [1, 1]], ["float32", [2, 3]], ["int32", [], [0]])"},
       .families = kScatterUpdate,
       .dialects = kOpenvino,
       .judge = judge_duplicates,
       .effects = {ran("openvino:cpu", kUndefined, "takes any of the updates: its threads race")}},
      {.label = "tensor-scatter-length",
       .sentence = "The update of TensorScatter is longer than the cache.",
       .fix = "Give at most as many positions as the cache has.",
       .example = {"onnx.TensorScatter-24", R"(["float32", [2, 4, 3]], ["float32", [2, 6, 3]])",
                   R"("axis": 1, "mode": "circular")"},
       .families = kTensorScatter,
       .dialects = kOnnx,
       .judge = judge_cache_length,
       .effects = {ran("onnxruntime:cpu", kFails, kError), ran("onnx:reference", kFails, kError)}},
      {.label = "scatter-nd-race",
       .sentence = "Two updates of ScatterND with a reduction have the same cell.",
       .fix = "Write ScatterElements, which does not race; --fix does where each tuple is one "
              "index. Or run the node with Windrow's plug-in or with one thread.",
       .provocation = "race",
       .example = {"onnx.ScatterND-18",
                   R"(["float32", [4]], ["int64", [2, 1], [1, 1]], ["float32", [2]])",
                   R"("reduction": "add")"},
       .families = kScatterND,
       .dialects = kOnnx,
       .judge = judge_reduced_duplicates,
       .effects = {ran("onnxruntime:cpu", kSilent,
                       "loses updates: its threads read and write a cell at the same time")}},
      {.label = "float-sum-order",
       .sentence =
           "Several updates of a cell are added or multiplied as floats, in an order that no "
           "specification gives.",
       .fix =
           "Compare such results with a tolerance; integers, or float64 rounded at the end, do not "
           "depend on the order.",
       .provocation = "fine-sums",
       .example = {"onnx.ScatterElements-18",
                   R"(["float32", [4]], ["int64", [3], [1, 1, 1]], ["float32", [3]])",
                   R"("reduction": "add")"},
       .families = kReducing,
       .dialects = kOnnx | kOpenvino,
       .judge = judge_float_sums,
       .effects = {read("onnxruntime:cuda", kUndefined, "rounds differently from run to run",
                        "https://github.com/microsoft/onnxruntime/issues/13962"),
                   read("openvino:gpu", kUndefined, "rounds differently from run to run",
                        "https://github.com/openvinotoolkit/openvino/issues/24021"),
                   read("tensorrt:gpu", kUndefined, "rounds differently from run to run",
                        kScatterPlugin)}},
  };
}

}  // namespace windrow::internal
