#include "src/portability/judges.h"

namespace windrow::internal {
namespace {

constexpr const char* kKeepInRange =
    "Keep the indices in range before the node, with Clip, Max and Min or a check in the caller.";

}  // namespace

// Indices of operators that the library does not compute. s is the extent of the axis.
std::vector<RuleRow> rules_of_indexing_operators() {
  using enum Severity;
  return {
      {.label = "quantized-gather-index-range",
       .sentence = "An index of com.microsoft's GatherBlockQuantized is outside [-s, s-1].",
       .fix = kKeepInRange,
       .provocation = "",
       .example = {"onnx.GatherBlockQuantized-1",
                   R"(["uint8", [16, 16]], ["int64", [2], [0, 16]], ["float32", [16, 1]])",
                   R"("block_size": 32, "gather_axis": 0, "quantize_axis": 1)", "com.microsoft"},
       .families = kQuantizedGather,
       .dialects = kOnnx,
       .judge = judge_foreign_index,
       .effects = {ran("onnxruntime:cpu", kSilent, "gives zeros"),
                   ran("openvino:cpu", kSilent,
                       "reads outside of data and of its scales: foreign values, at times zeros, "
                       "or a crash")},
       .specification = "calls it an error"},
      {.label = "foreign-gather-nd-index-range",
       .sentence = "An index of com.microsoft's GatherND is outside [-s, s-1].",
       .fix = kKeepInRange,
       .provocation = "",
       .example = {"onnx.GatherND-1", R"(["float32", [4, 3]], ["int64", [2, 1], [0, 9]])", "",
                   "com.microsoft"},
       .families = kForeignGatherND,
       .dialects = kOnnx,
       .judge = judge_foreign_index,
       .effects = {ran("onnxruntime:cpu", kFails, kError),
                   ran("openvino:cpu", kSilent,
                       "reads outside of data: foreign values, or a crash")},
       .specification = "calls it an error"},
      {.label = "embedding-index-range",
       .sentence = "An id of com.microsoft's EmbedLayerNormalization is outside [0, s-1].",
       .fix = kKeepInRange,
       .provocation = "",
       .example = {"onnx.EmbedLayerNormalization-1",
                   R"(["int32", [1, 2], [0, 9]], null, ["float32", [4, 8]], )"
                   R"(["float32", [2, 8]], null, ["float32", [8]], ["float32", [8]])",
                   "", "com.microsoft"},
       .families = kEmbedding,
       .dialects = kOnnx,
       .judge = judge_foreign_index,
       .effects = {ran("onnxruntime:cpu", kFails, kError),
                   ran("openvino:cpu", kFails, kNoOperator)},
       .specification = "calls it an error"},
      {.label = "rotary-position-range",
       .sentence = "A position of RotaryEmbedding is outside [0, s-1], where s is the extent of "
                   "cos_cache.",
       .fix = kKeepInRange,
       .provocation = "",
       .example = {"onnx.RotaryEmbedding-23",
                   R"(["float32", [1, 2, 2, 4]], ["float32", [4, 2]], ["float32", [4, 2]], )"
                   R"(["int64", [1, 2], [0, 9]])"},
       .families = kRotaryPositions,
       .dialects = kOnnx,
       .judge = judge_foreign_index,
       .effects = {ran("onnxruntime:cpu", kFails, kError),
                   ran("openvino:cpu", kSilent,
                       "gives zeros; counts negative positions from the end"),
                   ran("onnx:reference", kFails,
                       "ends the run with an error; counts negative positions from the end")},
       .specification = "calls it an error"},
      {.label = "batch-index-range",
       .sentence = "A batch index of RoiAlign, ROIAlign or CropAndResize is outside [0, s-1].",
       .fix = kKeepInRange,
       .provocation = "",
       .example = {"onnx.RoiAlign-16",
                   R"(["float32", [2, 1, 4, 4]], ["float32", [2, 4], [0, 0, 3, 3, 0, 0, 3, 3]], )"
                   R"(["int64", [2], [0, 9]])",
                   R"("output_height": 2, "output_width": 2)"},
       .families = kBatchIndices,
       .dialects = kOnnx | kOpenvino,
       .judge = judge_foreign_index,
       .effects = {ran("onnxruntime:cpu", kFails, kError),
                   ran("openvino:cpu", kFails,
                       "ends the run with an error; reads outside of data below 0"),
                   ran("onnx:reference", kFails,
                       "ends the run with an error; counts negative indices from the end")},
       .specification = "calls it an error"},
      {.label = "class-index-range",
       .sentence = "A class of NegativeLogLikelihoodLoss or SoftmaxCrossEntropyLoss is outside "
                   "[0, s-1] and not the ignored one.",
       .fix = kKeepInRange,
       .provocation = "",
       .example = {"onnx.NegativeLogLikelihoodLoss-13",
                   R"(["float32", [2, 4]], ["int64", [2], [0, 9]])"},
       .families = kClasses,
       .dialects = kOnnx,
       .judge = judge_foreign_index,
       .effects = {ran("onnxruntime:cpu", kFails,
                       "ends the run with an error; counts from the end from -1 to -s"),
                   ran("openvino:cpu", kFails,
                       "ends the run with an error; counts from the end from -1 to -s"),
                   ran("onnx:reference", kFails,
                       "ends the run with an error; counts from the end from -1 to -s")},
       .specification = "calls it an error"},
      {.label = "reversed-length-range",
       .sentence = "A length of ReverseSequence is outside [0, s].",
       .fix = "Keep the lengths in range before the node.",
       .provocation = "",
       .example = {"onnx.ReverseSequence-10", R"(["float32", [4, 2]], ["int64", [2], [1, 9]])"},
       .families = kReversedLengths,
       .dialects = kOnnx | kOpenvino,
       .judge = judge_foreign_index,
       .effects = {ran("onnxruntime:cpu", kFails, kError), ran("openvino:cpu", kFails, kError),
                   ran("onnx:reference", kSilent, "reverses the whole axis")},
       .specification = "calls it an error"},
      {.label = "valid-length-range",
       .sentence = "A number in nonpad_kv_seqlen of Attention is outside [0, s], where s is the "
                   "number of keys.",
       .fix = "Keep the lengths in range before the node.",
       .provocation = "",
       .example = {"onnx.Attention-24",
                   R"(["float32", [2, 1, 2, 4]], ["float32", [2, 1, 4, 4]], )"
                   R"(["float32", [2, 1, 4, 4]], null, null, null, ["int64", [2], [2, 9]])"},
       .families = kValidLengths,
       .dialects = kOnnx,
       .judge = judge_foreign_index,
       .effects = {ran("onnxruntime:cpu", kFails, kError),
                   ran("openvino:cpu", kSilent, "takes all keys; gives zeros below 0"),
                   ran("onnx:reference", kSilent, "takes all keys; gives zeros below 0")},
       .specification = "calls it an error"},
  };
}

namespace {

constexpr const char* kRefusesNode =
    "refuses the node, which goes to the CPU, or ends the session where that is not allowed";
constexpr const char* kKeepPositive =
    "Make negative indices positive before the node: Where(i < 0, i + s, i).";
constexpr const char* kCoremlBuilders =
    "https://github.com/microsoft/onnxruntime/tree/main/onnxruntime/core/providers/coreml/builders/"
    "impl";
constexpr const char* kCoremlGather =
    "https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/providers/coreml/builders/"
    "impl/gather_op_builder.cc";
constexpr const char* kCoremlGatherNd =
    "https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/providers/coreml/builders/"
    "impl/gather_nd_op_builder.cc";
constexpr const char* kWebnnOperators =
    "https://github.com/microsoft/onnxruntime/blob/main/js/web/docs/webnn-operators.md";
constexpr const char* kQnnOperators =
    "https://onnxruntime.ai/docs/execution-providers/QNN-ExecutionProvider.html";

}  // namespace

// What is refused or changed by runtimes of which little is known: execution providers of ONNX
// Runtime, and converters of ONNX.
std::vector<RuleRow> rules_of_providers() {
  using enum Severity;
  return {
      {.label = "provider-operator",
       .sentence = "The operator is GatherElements, ScatterElements, Scatter, ScatterND, OneHot or "
                   "TensorScatter.",
       .fix = "Nothing, unless the transfers to the CPU cost too much: write Gather or GatherND.",
       .provocation = "",
       .example = {"onnx.GatherElements-13", R"(["float32", [4, 3]], ["int64", [2, 3]])"},
       .families = kGatherElements | kScatterElements | kScatterND | kOneHot | kTensorScatter,
       .dialects = kOnnx,
       .judge = judge_operator,
       .effects = {read("onnxruntime:coreml", kFails, kRefusesNode, kCoremlBuilders)}},
      {.label = "provider-reduction",
       .sentence = "ScatterElements or ScatterND has a reduction.",
       .fix = "Nothing, unless the transfers to the CPU cost too much.",
       .provocation = "",
       .example = {"onnx.ScatterND-18",
                   R"(["float32", [4, 3]], ["int64", [2, 1]], ["float32", [2, 3]])",
                   R"("reduction": "add")"},
       .families = kReducing,
       .dialects = kOnnx,
       .judge = judge_reduction,
       .effects = {read("onnxruntime:webnn", kFails, kRefusesNode, kWebnnOperators)}},
      {.label = "provider-batch-dims",
       .sentence = "GatherND has batch_dims other than 0.",
       .fix = "Nothing, unless the transfers to the CPU cost too much: extend the index tuples by "
              "the batch's positions.",
       .provocation = "",
       .example = {"onnx.GatherND-13", R"(["float32", [2, 3]], ["int64", [2, 1]])",
                   R"("batch_dims": 1)"},
       .families = kGatherND,
       .dialects = kOnnx,
       .judge = judge_batch_dims,
       .effects = {read("onnxruntime:webnn", kFails, kRefusesNode, kWebnnOperators),
                   read("onnxruntime:coreml", kFails, kRefusesNode, kCoremlGatherNd)}},
      {.label = "provider-variable-indices",
       .sentence = "The indices of GatherND are not a constant.",
       .fix =
           "Nothing, unless the transfers to the CPU cost too much: write Gather along one axis.",
       .provocation = "",
       .example = {"onnx.GatherND-13", R"(["float32", [4, 3]], ["int64", [2, 1]])"},
       .families = kGatherND,
       .dialects = kOnnx,
       .judge = judge_variable_indices,
       .effects = {read("onnxruntime:coreml", kFails, kRefusesNode, kCoremlGatherNd)}},
      {.label = "provider-gather-type",
       .sentence = "Gather of data other than float32, float16 and int64.",
       .fix = "Convert data to one of these types before the node.",
       .provocation = "",
       .example = {"onnx.Gather-13", R"(["int8", [4, 3]], ["int64", [2]])"},
       .families = kGather,
       .dialects = kOnnx,
       .judge = judge_coreml_gather_type,
       .effects = {read("onnxruntime:coreml", kFails, kRefusesNode, kCoremlGather)}},
      {.label = "provider-gather-nd-type",
       .sentence = "GatherND of data other than float32, float16, int32, int64 and bool.",
       .fix = "Convert data to one of these types before the node.",
       .provocation = "",
       .example = {"onnx.GatherND-13", R"(["int8", [4, 3]], ["int64", [2, 1]])"},
       .families = kGatherND,
       .dialects = kOnnx,
       .judge = judge_coreml_gather_nd_type,
       .effects = {read("onnxruntime:coreml", kFails, kRefusesNode, kCoremlGatherNd)}},
      {.label = "provider-gather-rank",
       .sentence = "The result of Gather has more than 5 axes.",
       .fix = "Reshape data and indices before the node, and the result behind it.",
       .provocation = "",
       .example = {"onnx.Gather-13", R"(["float32", [2, 2, 2, 2, 2]], ["int64", [2, 2]])"},
       .families = kGather,
       .dialects = kOnnx,
       .judge = judge_gathered_rank,
       .effects = {read("onnxruntime:coreml", kFails, kRefusesNode, kCoremlGather)}},
      {.label = "provider-boolean-gather",
       .sentence = "Gather of booleans.",
       .fix = "Convert data to uint8 before the node, and the result back behind it.",
       .provocation = "",
       .example = {"onnx.Gather-13", R"(["bool", [4, 3]], ["int64", [2]])"},
       .families = kGather,
       .dialects = kOnnx,
       .judge = judge_boolean_data,
       .effects = {read("onnxruntime:qnn", kFails,
                        "refuses the node on its HTP back end; newer releases convert it",
                        "https://github.com/onnxruntime/onnxruntime-qnn/pull/50")}},
      {.label = "provider-negative-index",
       .sentence = "An index of Gather is negative.",
       .fix = kKeepPositive,
       .provocation = "",
       .example = {"onnx.Gather-13", R"(["float32", [4, 3]], ["int64", [2], [0, -1]])"},
       .families = kGather,
       .dialects = kOnnx,
       .judge = judge_negative_index,
       .effects = {read("onnxruntime:qnn", kUndefined,
                        "takes only indices that are not negative; what it does with others is "
                        "not said",
                        kQnnOperators),
                   read("tvm:cpu", kSilent,
                        "does not count from the end: gives other elements, or foreign values",
                        "https://github.com/apache/tvm/issues/19531"),
                   read("tflite:cpu", kFails, kError,
                        "https://github.com/PINTO0309/onnx2tf/issues/275")}},
      {.label = "provider-negative-element-index",
       .sentence = "An index of GatherElements, GatherND or ScatterND is negative.",
       .fix = kKeepPositive,
       .provocation = "",
       .example = {"onnx.GatherND-13", R"(["float32", [4, 3]], ["int64", [2, 1], [0, -1]])"},
       .families = kGatherElements | kGatherND | kScatterND,
       .dialects = kOnnx,
       .judge = judge_negative_index,
       .effects = {read("tvm:cpu", kSilent,
                        "does not count from the end: gives other elements, or foreign values",
                        "https://github.com/apache/tvm/issues/20217", "", "0.26")}},
      {.label = "provider-negative-scatter-index",
       .sentence = "An index of ScatterElements or ScatterND is negative.",
       .fix = kKeepPositive,
       .provocation = "",
       .example = {"onnx.ScatterND-18",
                   R"(["float32", [4, 3]], ["int64", [1, 1], [-1]], ["float32", [1, 3]])"},
       .families = kScatterElements | kScatterND,
       .dialects = kOnnx,
       .judge = judge_negative_index,
       .effects = {read("onnxruntime:qnn", kFails,
                        "refuses the node; newer releases change constant indices",
                        "https://github.com/onnxruntime/onnxruntime-qnn/pull/311")}},
  };
}

}  // namespace windrow::internal
