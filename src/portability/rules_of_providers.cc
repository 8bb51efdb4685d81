#include "src/portability/rule_rows.h"

namespace windrow::internal {
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
