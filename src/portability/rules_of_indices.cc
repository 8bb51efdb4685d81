#include "src/portability/judges.h"

namespace windrow::internal {
namespace {

constexpr const char* kKeepInRange =
    "Keep the indices in range before the node, with Max and Min or with Less and Where, which "
    "--unsafe-fixes puts there; OpenVINO computes Mod, Div and Clip of integers in float32.";
constexpr const char* kKeepPositive =
    "Make negative indices positive before the node: Where(i < 0, i + s, i); --fix does.";
constexpr const char* kCudaGather =
    "https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/providers/cuda/tensor/"
    "gather_impl.cu";
constexpr const char* kCudaElements =
    "https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/providers/cuda/tensor/"
    "gather_elements_impl.cu";
constexpr const char* kCudaScatterND =
    "https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/providers/cuda/tensor/"
    "scatter_nd_impl.cu";

}  // namespace

// What indices address. s is the extent of the axis that an index addresses.
std::vector<RuleRow> rules_of_indices() {
  using enum Severity;
  return {
      {.label = "gather-index-range",
       .sentence = "An index of Gather is outside [-s, s-1], where s is the extent of the axis.",
       .fix = kKeepInRange,
       .provocation = "index-above",
       .example = {"onnx.Gather-13", R"(["float32", [4, 3]], ["int64", [2], [0, 7]])"},
       .families = kGather,
       .dialects = kEveryDialect,
       .judge = judge_index_range,
       .effects = {ran("onnxruntime:cpu", kFails, kError),
                   read("onnxruntime:cuda", kSilent, "gives zeros", kCudaGather),
                   read("onnxruntime:directml", kSilent, "takes the nearest element",
                        kOnnxruntime25251),
                   ran("openvino:cpu", kSilent,
                       "gives zeros, unless the axis has no elements (gather-on-empty-axis)"),
                   read("openvino:gpu", kSilent, "gives zeros", kOnnxruntime25251),
                   ran("openvino:evaluate", kSilent, "gives zeros"),
                   read("tensorrt:gpu", kSilent, "gives zeros", kGatherLayer),
                   read("onnxruntime:webnn", kSilent, "takes the nearest element",
                        "https://www.w3.org/TR/webnn/#api-mlgraphbuilder-gather"),
                   ran("onnx:reference", kFails, kError)},
       .specification = "calls it an error"},
      {.label = "gather-of-range",
       .sentence = "The indices of Gather are the result of a Range of integers that no other node "
                   "reads and that is computed in the run; its start or its limit is negative, or "
                   "an index is not below s.",
       .fix =
           "Keep start and limit of the Range between 0 and s with Max and Min, or write a Slice, "
           "whose bounds say what is meant.",
       .provocation = "",
       .families = kGather,
       .dialects = kOnnx,
       .judge = judge_range_indices,
       .effects = {ran(
           "onnxruntime:cpu", kSilent,
           "makes a Slice of both nodes when it optimises at the level extended or all: "
           "indices beyond the axis are left out, and negative ones count as a slice's "
           "bounds do, which gives fewer elements, other ones or none")}},
      {.label = "gather-short-index-range",
       .sentence =
           "An index of Gather is out of range, and data is a vector of at most 64 integers "
           "of 32 or 64 bits.",
       .fix = kKeepInRange,
       .provocation = "index-above",
       .example = {"onnx.Gather-13", R"(["int32", [8]], ["int64", [2], [0, 9]])"},
       .families = kGather,
       .dialects = kOnnx | kOpenvino,
       .judge = judge_short_index_range,
       .effects = {ran("openvino:cpu", kSilent,
                       "gives values from memory beside data, or crashes")}},
      {.label = "gather-elements-index-range",
       .sentence = "An index of GatherElements is outside [-s, s-1].",
       .fix = kKeepInRange,
       .provocation = "index-above",
       .example = {"onnx.GatherElements-13",
                   R"(["float32", [4, 3]], ["int64", [1, 3], [0, 1, 9]])"},
       .families = kGatherElements,
       .dialects = kEveryDialect,
       .judge = judge_index_range,
       .effects = {ran("onnxruntime:cpu", kFails, kError),
                   read("onnxruntime:cuda", kSilent, "leaves the element unwritten", kCudaElements),
                   ran("openvino:cpu", kFails,
                       "ends the run with an error, unless the axis has no elements "
                       "(elements-empty-axis)"),
                   read("tensorrt:gpu", kSilent, "gives zeros", kGatherLayer),
                   ran("onnx:reference", kSilent, "counts on from the other end of the axis")},
       .specification = "calls it an error"},
      {.label = "gather-nd-index-range",
       .sentence = "An index of GatherND is outside [-s, s-1].",
       .fix = kKeepInRange,
       .provocation = "index-above",
       .example = {"onnx.GatherND-13", R"(["float32", [4, 3]], ["int64", [2, 2], [0, 1, 9, 0]])"},
       .families = kGatherND,
       .dialects = kEveryDialect,
       .judge = judge_index_range,
       .effects = {ran("onnxruntime:cpu", kFails, kError),
                   read("onnxruntime:cuda", kSilent, "reads outside of data",
                        "https://github.com/microsoft/onnxruntime/issues/31646"),
                   ran("openvino:cpu", kSilent,
                       "reads outside of data: foreign values, or a crash"),
                   read("tensorrt:gpu", kSilent, "gives zeros", kGatherLayer),
                   ran("onnx:reference", kFails, kError)},
       .specification = "calls it an error"},
      {.label = "scatter-elements-index-range",
       .sentence = "An index of ScatterElements is outside [-s, s-1].",
       .fix = kKeepInRange,
       .provocation = "index-below",
       .example = {"onnx.ScatterElements-18",
                   R"(["float32", [4, 3]], ["int64", [1, 1], [-9]], ["float32", [1, 1]])"},
       .families = kScatterElements,
       .dialects = kEveryDialect,
       .judge = judge_index_range,
       .effects = {ran("onnxruntime:cpu", kFails, kError),
                   read("onnxruntime:cuda", kSilent, "leaves the update out", kCudaElements),
                   ran("openvino:cpu", kSilent,
                       "writes outside of data below -s; ends the run with an error above s-1; "
                       "gives data where it has no elements"),
                   ran("openvino:evaluate", kFails, kError),
                   read("tensorrt:gpu", kUndefined, "does not say what it does", kScatterLayer),
                   ran("onnx:reference", kFails, kError)},
       .specification = "calls it an error"},
      {.label = "scatter-nd-index-range",
       .sentence = "An index of ScatterND is outside [-s, s-1].",
       .fix = kKeepInRange,
       .provocation = "index-above",
       .example = {"onnx.ScatterND-18",
                   R"(["float32", [4, 3]], ["int64", [1, 2], [0, 5]], ["float32", [1]])"},
       .families = kScatterND,
       .dialects = kEveryDialect,
       .judge = judge_index_range,
       .effects = {ran("onnxruntime:cpu", kFails, kError),
                   read("onnxruntime:cuda", kSilent, "writes the nearest cell", kCudaScatterND),
                   ran("openvino:cpu", kFails,
                       "ends the run with an error; gives data where it has no elements"),
                   ran("openvino:evaluate", kFails, kError),
                   read("tensorrt:gpu", kUndefined, "does not say what it does", kScatterLayer),
                   ran("onnx:reference", kFails, kError)},
       .specification = "calls it an error"},
      {.label = "scatter-update-index-range",
       .sentence = "An index of ScatterUpdate is outside [-s, s-1].",
       .fix = kKeepInRange,
       .provocation = "index-above",
       .example =
           {"openvino.ScatterUpdate-3",
            R"(["float32", [4, 3]], ["int64", [1], [9]], ["float32", [1, 3]], ["int32", [], [0]])"},
       .families = kScatterUpdate,
       .dialects = kOpenvino,
       .judge = judge_index_range,
       .effects = {ran("openvino:cpu", kFails,
                       "ends the run with an error; writes outside of short vectors of integers"),
                   ran("openvino:evaluate", kFails, kError)},
       .specification = "calls it an error"},
      {.label = "feature-extractor-index-range",
       .sentence = "An index of ArrayFeatureExtractor is outside [0, s-1].",
       .fix = kKeepInRange,
       .provocation = "index-negative",
       .example = {"onnx.ArrayFeatureExtractor-1",
                   R"(["float32", [4, 3]], ["int64", [2], [0, -1]])"},
       .families = kFeatureExtractor,
       .dialects = kOnnx,
       .judge = judge_index_range,
       .effects = {ran("onnxruntime:cpu", kFails, kError),
                   ran("onnx:reference", kSilent, "counts negative indices from the end")},
       .specification = "calls it an error"},
      {.label = "one-hot-index-range",
       .sentence = "An index of OneHot is outside [-depth, depth-1].",
       .fix =
           "Nothing for ONNX Runtime and OpenVINO, which give a slice of off_value as ONNX says. "
           "For TensorRT keep the indices in range before the node.",
       .provocation = "",
       .example = {"onnx.OneHot-11",
                   R"(["int64", [2], [0, 7]], ["int64", [], [4]], ["float32", [2]])"},
       .families = kOneHot,
       .dialects = kOnnx | kTensorrt,
       .judge = judge_index_range,
       .effects = {read("tensorrt:gpu", kUndefined, "does not say what it does",
                        "NvInfer.h 10.3, IOneHotLayer")}},
      {.label = "tensor-scatter-position",
       .sentence =
           "A position of TensorScatter is negative, or leaves no room in the cache for the "
           "update in linear mode.",
       .fix = "Keep write_indices in range before the node, or use circular mode where the cache "
              "wraps.",
       .provocation = "index-negative",
       .example = {"onnx.TensorScatter-24",
                   R"(["float32", [2, 4, 3]], ["float32", [2, 2, 3]], ["int64", [2], [0, -1]])",
                   R"("axis": 1)"},
       .families = kTensorScatter,
       .dialects = kOnnx | kTensorrt,
       .judge = judge_cache_position,
       .effects = {ran("onnxruntime:cpu", kFails, kError),
                   read("tensorrt:gpu", kSilent, "leaves out what does not fit",
                        "NvInfer.h 10.15, IKVCacheUpdateLayer"),
                   ran("onnx:reference", kSilent,
                       "counts negative positions from the end; ends the run with an error where "
                       "there is no room")},
       .specification = "calls it an error"},
      {.label = "gather-negative-index",
       .sentence = "An index is negative, and the operator is OpenVINO's Gather-1 or Gather-7.",
       .fix = "Use Gather-8, which counts negative indices from the end; --fix does.",
       .provocation = "index-negative",
       .example = {"openvino.Gather-7",
                   R"(["float32", [4, 3]], ["int32", [2], [0, -1]], ["int32", [], [0]])"},
       .families = kGather,
       .dialects = kOpenvino,
       .judge = judge_negative_in_old_gather,
       .effects = {ran("openvino:cpu", kSilent, "gives zeros"),
                   ran("openvino:evaluate", kUndefined, "counts from the end")}},
      {.label = "old-negative-index",
       .sentence =
           "An index is negative in a version of the operator that requires [0, s-1]: ONNX's "
           "Gather before opset 11 and Scatter; OpenVINO's GatherND-5, "
           "ScatterElementsUpdate-3 and ScatterNDUpdate-3.",
       .fix =
           "Write the newest version of the operator, which counts negative indices from the end; "
           "--fix does where both are equal.",
       .provocation = "index-negative",
       .example = {"openvino.ScatterNDUpdate-3",
                   R"(["float32", [4, 3]], ["int64", [1, 2], [-1, 0]], ["float32", [1]])"},
       .families = kGather | kGatherND | kScatterElements | kScatterND,
       .dialects = kOnnx | kOpenvino,
       .judge = judge_negative_in_old_version,
       .effects = {ran("onnxruntime:cpu", kUndefined, "counts from the end"),
                   ran("openvino:cpu", kUndefined, "counts from the end"),
                   read("tensorrt:gpu", kUndefined, "counts from the end", kTensorrtOperators)}},
      {.label = "scatter-update-negative-index",
       .sentence = "An index of OpenVINO's ScatterUpdate is negative.",
       .fix = "Make negative indices positive before the node: Where(i < 0, i + s, i); "
              "--unsafe-fixes does, since they are errors.",
       .provocation = "index-negative",
       .example =
           {"openvino.ScatterUpdate-3",
            R"(["float32", [4, 3]], ["int64", [1], [-1]], ["float32", [1, 3]], ["int32", [], [0]])"},
       .families = kScatterUpdate,
       .dialects = kOpenvino,
       .judge = judge_negative_index,
       .effects = {ran("openvino:cpu", kFails, kError), ran("openvino:evaluate", kFails, kError)}},
      {.label = "scatter-negative-index",
       .sentence = "An index of ScatterElements or ScatterND is negative.",
       .fix = kKeepPositive,
       .provocation = "index-negative",
       .example = {"onnx.ScatterND-18",
                   R"(["float32", [4, 3]], ["int64", [1, 2], [-1, 0]], ["float32", [1]])"},
       .families = kReducing,
       .dialects = kOnnx | kTensorrt,
       .judge = judge_negative_index,
       .effects = {read("tensorrt:gpu", kUndefined,
                        "does not say what it does; with a reduction its plug-in writes outside of "
                        "data",
                        kScatterPlugin)}},
      {.label = "gather-negative-index-dynamic",
       .sentence = "An index of a gather is negative, and the extent of the axis is not fixed.",
       .fix = kKeepPositive,
       .provocation = "index-negative",
       .example = {"onnx.Gather-13", R"(["float32", [-1, 3]], ["int64", [2], [0, -1]])"},
       .families = kGathers,
       .dialects = kOnnx | kTensorrt,
       .judge = judge_negative_on_dynamic_axis,
       .effects = {read("tensorrt:gpu", kUndefined, "does not say what it does", kGatherLayer)}},
      {.label = "one-hot-negative-index",
       .sentence = "An index of OneHot-9 is negative.",
       .fix = "Write opset 11, in which negative indices count from the end.",
       .provocation = "index-negative",
       .example = {"onnx.OneHot-9",
                   R"(["int64", [2], [0, -1]], ["int64", [], [4]], ["float32", [2], [0, 1]])"},
       .families = kOneHot,
       .dialects = kOnnx,
       .judge = judge_negative_in_old_one_hot,
       .effects = {ran("onnxruntime:cpu", kSilent, "counts from the end, as OneHot-11 says"),
                   ran("onnx:reference", kSilent, "counts from the end, as OneHot-11 says")}},
      {.label = "index-beyond-32-bits",
       .sentence = "An index is out of range and does not fit in int32.",
       .fix = kKeepInRange,
       .provocation = "index-wide",
       .example = {"onnx.Gather-13", R"(["float32", [4, 3]], ["int64", [2], [0, 4294967297]])"},
       .families = kGathers | kScatters,
       .dialects = kEveryDialect,
       .judge = judge_wide_index,
       .implies = judge_index_range,
       .effects =
           {ran("openvino:cpu", kSilent, "keeps the low 32 bits: 4294967297 is read as 1"),
            read("tensorrt:gpu", kSilent,
                 "converts int64 indices to int32, unless data is int64, before it checks "
                 "their range",
                 "https://docs.nvidia.com/deeplearning/tensorrt/operators/docs/Gather.html")}},
  };
}

}  // namespace windrow::internal
