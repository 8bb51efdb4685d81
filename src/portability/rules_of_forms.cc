#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/models/check_inputs.h"
#include "src/models/infer_node.h"
#include "src/portability/judges.h"
#include "src/portability/operator_rules.h"
#include "windrow/check.h"

namespace windrow::internal {

// Operators and their versions and attributes.
std::vector<RuleRow> rules_of_forms() {
  using enum Severity;
  return {
      {.label = "scatter-deprecated",
       .sentence = "The operator is Scatter in opset 11 or newer, where it is deprecated.",
       .fix = "Write ScatterElements, which is the same; --fix does.",
       .example = {"onnx.Scatter-11", R"(["float32", [4]], ["int64", [1]], ["float32", [1]])"},
       .families = kScatterElements,
       .dialects = kOnnx,
       .judge = judge_deprecated,
       .effects = {ran("onnxruntime:cpu", kFails, kRefuses),
                   read("onnxruntime:cuda", kFails, kRefuses,
                        "https://onnx.ai/onnx/operators/onnx__Scatter.html")}},
      {.label = "scatter-old",
       .sentence = "The operator is Scatter.",
       .fix = "Write ScatterElements in opset 11 or newer, which is the same; --fix does.",
       .example = {"onnx.Scatter-10", R"(["float32", [4]], ["int64", [1]], ["float32", [1]])"},
       .families = kScatterElements,
       .dialects = kOnnx,
       .judge = judge_old_scatter,
       .effects = {ran("onnx:reference", kFails, "has no such operator")}},
      {.label = "feature-extractor",
       .sentence = "The operator is ArrayFeatureExtractor.",
       .fix = "Write Gather along the last axis, with Reshape of the indices to one axis; --fix "
              "does where no index can be negative.",
       .example = {"onnx.ArrayFeatureExtractor-1", R"(["float32", [4, 3]], ["int64", [2]])"},
       .families = kFeatureExtractor,
       .dialects = kOnnx,
       .judge = judge_operator,
       .effects = {ran("openvino:cpu", kFails, kNoOperator),
                   ran("openvino:evaluate", kFails, kNoOperator),
                   read("tensorrt:gpu", kFails, kNoOperator, kTensorrtOperators)}},
      {.label = "tensor-scatter",
       .sentence = "The operator is TensorScatter.",
       .fix =
           "Write ScatterND with the positions as index tuples for runtimes without the operator.",
       .example = {"onnx.TensorScatter-24",
                   R"(["float32", [2, 4, 3]], ["float32", [2, 2, 3]], ["int64", [2], [0, 1]])",
                   R"("axis": 1)"},
       .families = kTensorScatter,
       .dialects = kOnnx,
       .judge = judge_operator,
       .effects =
           {read("onnxruntime:cpu", kFails, "has no such operator", kOnnxruntimeOpsets, "", "1.24"),
            ran("openvino:cpu", kFails, kNoOperator), ran("openvino:evaluate", kFails, kNoOperator),
            read("tensorrt:gpu", kFails, "has no such operator", kTensorrtOperators, "", "10.14")}},
      {.label = "tensor-scatter-form",
       .sentence =
           "TensorScatter has another form than TensorRT's cache updates: rank 4, axis -2 of "
           "a fixed extent, linear mode, and float32, float16 or bfloat16.",
       .fix = "Bring the cache into that form, or write ScatterND.",
       .provocation = "",
       .example = {"onnx.TensorScatter-24",
                   R"(["float32", [2, 2, 4, 3]], ["float32", [2, 2, 2, 3]], ["int64", [2]])",
                   R"("mode": "circular")"},
       .families = kTensorScatter,
       .dialects = kOnnx,
       .judge = judge_cache_limits,
       .effects = {read("tensorrt:gpu", kFails, kRefuses, kTensorrtOperators, "10.15")}},
      {.label = "one-hot-scalar-indices",
       .sentence = "The indices of OneHot are a scalar.",
       .fix =
           "Reshape the indices to a vector before the node and the result behind it; --fix does.",
       .example = {"onnx.OneHot-11", R"(["int64", []], ["int64", [], [4]], ["float32", [2]])"},
       .families = kOneHot,
       .dialects = kOnnx,
       .judge = judge_scalar_indices,
       .effects = {ran("onnxruntime:cpu", kFails, kRefuses)}},
      {.label = "one-hot-zero-depth",
       .sentence = "The depth of OneHot is 0.",
       .fix = "Leave the node out where depth is 0, with If.",
       .example = {"onnx.OneHot-11", R"(["int64", [2]], ["int64", [], [0]], ["float32", [2]])"},
       .families = kOneHot,
       .dialects = kOnnx,
       .judge = judge_zero_depth,
       .effects = {ran("onnxruntime:cpu", kFails, kError)}},
      {.label = "one-hot-28",
       .sentence = "The operator is OneHot of opset 28.",
       .fix = "Write OneHot of opset 11, which is the same but for bfloat16.",
       .example = {"onnx.OneHot-28", R"(["int64", [2]], ["int64", [], [4]], ["float32", [2]])"},
       .families = kOneHot,
       .dialects = kOnnx,
       .judge = judge_new_one_hot,
       .effects = {read("onnxruntime:cpu", kFails, kRefuses, kOnnxruntimeOpsets, "", "1.31")}},
      {.label = "axis-not-constant",
       .sentence = "The axis of Gather is not a constant.",
       .fix = "Make the axis a constant; --fix does where the axis has one value in every run.",
       .example = {"openvino.Gather-8", R"(["float32", [4, 3]], ["int32", [2]], ["int32", []])"},
       .families = kGather,
       .dialects = kOpenvino,
       .judge = judge_axis_input,
       .effects = {ran(
           "openvino:cpu", kFails,
           "refuses the model; Gather-1 uses an axis that was never read, and crashes")}},
      {.label = "axis-of-4-bits",
       .sentence = "The axis is negative and of type i4.",
       .fix = "Write the axis as i32 or i64; --fix does.",
       .example = {"openvino.Gather-8",
                   R"(["float32", [4, 3]], ["int32", [2]], ["int4", [], [-1]])"},
       .families = kGather | kScatterUpdate | kScatterElements,
       .dialects = kOpenvino,
       .judge = judge_narrow_axis,
       .effects = {ran("openvino:cpu", kFails, "reads -1 as 15: refuses it, or uses it unchecked"),
                   ran("openvino:evaluate", kFails,
                       "reads -1 as 15: refuses it, or uses it unchecked")}},
      {.label = "gather-nd-fused-batch",
       .sentence = "GatherND-5 with batch_dims above 1, which makes one axis of all batch axes.",
       .fix = "Write GatherND-8, and Reshape its result if the one axis is meant; --fix does.",
       .example = {"openvino.GatherND-5", R"(["float32", [2, 2, 2]], ["int64", [2, 2, 1]])",
                   R"("batch_dims": 2)"},
       .families = kGatherND,
       .dialects = kOpenvino,
       .judge = judge_fused_batch,
       .effects = {ran("openvino:cpu", kUndefined,
                       "gives one batch axis, as GatherND-5 says and GatherND-8 does not"),
                   read("onnxruntime:cpu", kSilent, "keeps the batch axes apart in its GatherND",
                        "https://onnx.ai/onnx/operators/onnx__GatherND.html")},
       .is_of_conversion = true},
  };
}

std::vector<RuleRow> rules_of_runs() {
  return {
      {.label = "unexplained",
       .sentence = "A host gives another result than Windrow, and no rule explains it.",
       .fix = "Repeat the node alone with the values that the finding shows, and report it.",
       .provocation = "",
       .families = kEveryFamily,
       .dialects = kEveryDialect},
      {.label = "outputs-differ",
       .sentence = "Two hosts give different values for the same inputs of the model.",
       .fix = "Replace the node that makes the value, or change the numbers that it gets: both "
              "hosts agree on all of its inputs.",
       .provocation = "",
       .families = kEveryFamily,
       .dialects = kEveryDialect},
      {.label = "host-failure",
       .sentence = "A host refuses the model, or its process ends.",
       .fix = "See what the host says, and the other findings of the node.",
       .provocation = "",
       .families = kEveryFamily,
       .dialects = kEveryDialect},
  };
}

}  // namespace windrow::internal

// The rules that nodes must keep by the definitions of their operators.
namespace windrow {
namespace {

// A rule as the documents of the operators have it.
struct RuleText {
  std::string_view label;
  std::string_view kind;  // as in cases/rules.json
  std::string_view sentence;
  std::string_view because;  // the reason if the rule is a decision of this library; else empty
};

constexpr RuleText kTexts[] = {
#include "src/portability/rule_texts.inc"
};

// A rule about a node and the model that holds it.
struct ModelRule {
  const char* label;
  const char* sentence;
  const char* fix;
};

constexpr ModelRule kModelRules[] = {
    {internal::kOperatorOutputs, "a node has as many outputs as its operator: one",
     "Name one output of the node."},
    {internal::kOperatorVersion,
     "the version of the operator set that the model names has the operator",
     "Write a version that has the operator."},
    {internal::kOpsetImport, "the model imports an opset of the domain of each node",
     "Add the domain with its version to the model's opset_import."},
};

// "docs/operators/onnx.md" for "ONNX-Gather-A1"; the rules of calls stand in all documents.
std::string document_of(std::string_view label) {
  for (const auto& [dialect, document] :
       {std::pair<std::string_view, const char*>("ARRAY-", "array"),
        {"OPENVINO-", "openvino"},
        {"TENSORRT-", "tensorrt"}}) {
    if (label.starts_with(dialect)) return "docs/operators/" + std::string(document) + ".md";
  }
  return "docs/operators/onnx.md";
}

PortabilityRule rule_of(const RuleText& text) {
  PortabilityRule rule;
  rule.label = text.label;
  rule.sentence = "must hold: " + std::string(text.sentence);
  if (!text.because.empty()) rule.sentence += " (a decision: " + std::string(text.because) + ")";
  rule.fix = "Change the node so that this holds: " + std::string(text.sentence) + " (" +
             document_of(text.label) + ").";
  rule.effects = internal::observed_effects(text.label);
  return rule;
}

}  // namespace

std::string_view internal::kind_of_operator_rule(std::string_view label) {
  const RuleText* const text =
      internal::find_where(kTexts, [label](const RuleText& row) { return row.label == label; });
  return text == nullptr ? "" : text->kind;
}

std::span<const PortabilityRule> operator_rules() {
  static const auto* const rules = [] {
    auto* const made = new std::vector<PortabilityRule>();
    for (const RuleText& text : kTexts) made->push_back(rule_of(text));
    for (const ModelRule& row : kModelRules)
      made->push_back({row.label, std::string("must hold: ") + row.sentence, row.fix, "", "",
                       internal::observed_effects(row.label)});
    return made;
  }();
  return *rules;
}

}  // namespace windrow

namespace windrow::internal {

// Element types that a runtime lacks, or narrows.
std::vector<RuleRow> rules_of_types() {
  using enum Severity;
  return {
      {.label = "type-complex",
       .sentence = "Data is complex.",
       .fix = "Gather and scatter the real and the imaginary parts as an axis of extent 2.",
       .example = {"onnx.Gather-13", R"(["complex64", [4]], ["int64", [2]])"},
       .families = kEveryFamily,
       .dialects = kOnnx,
       .judge = judge_complex,
       .effects = {ran("onnxruntime:cpu", kFails, kNoComplexTypes),
                   ran("openvino:cpu", kFails, kNoComplexTypes),
                   read("tensorrt:gpu", kFails, kNoComplexTypes, kTensorrtOperators)}},
      {.label = "type-text",
       .sentence = "Data is strings, in an operator other than Gather.",
       .fix = "Gather and scatter numbers that stand for the strings.",
       .example = {"onnx.GatherElements-13", R"(["string", [2]], ["int64", [2]])"},
       .families = (kGathers | kScatters) & ~static_cast<unsigned>(kGather),
       .dialects = kOnnx | kOpenvino,
       .judge = judge_text,
       .effects = {ran("openvino:cpu", kFails, kRefuses),
                   ran("openvino:evaluate", kFails, kRefuses)}},
      {.label = "type-text-slices",
       .sentence = "Gather of strings, with slices of several elements.",
       .fix = "Gather numbers that stand for the strings, or run the node with Windrow's plug-in.",
       .example = {"onnx.Gather-13",
                   R"(["string", [2, 2], ["a", "b", "c", "d"]], ["int64", [2], [1, 0]])"},
       .families = kGather,
       .dialects = kOnnx,
       .judge = judge_text_slices,
       .effects = {ran("onnxruntime:cpu", kSilent,
                       "copies the first element of each slice alone")}},
      {.label = "type-not-in-tensorrt",
       .sentence = "Data has a type that no TensorRT layer supports.",
       .fix = "Cast data to a type of float32, float16, bfloat16, int32, int64 and bool; --fix "
              "does for integers of 8 and 16 bits.",
       .provocation = "",
       .example = {"onnx.Gather-13", R"(["float64", [4, 3]], ["int64", [2]])"},
       .families = kGathers | kScatters,
       .dialects = kOnnx,
       .judge = judge_tensorrt_type,
       .effects = {read("tensorrt:gpu", kFails, "refuses the model, or narrows the type",
                        kTensorrtOperators)}},
      {.label = "type-tensor-scatter",
       .sentence = "The cache of TensorScatter is strings, or of a type of 8-bit floats or 4 bits.",
       .fix =
           "Keep the cache in a type that ONNX Runtime copies, such as uint8 with the same bits.",
       .example =
           {"onnx.TensorScatter-24",
            R"(["float8_e4m3fn", [2, 4, 3]], ["float8_e4m3fn", [2, 2, 3]], ["int64", [2], [0, 1]])",
            R"("axis": 1)"},
       .families = kTensorScatter,
       .dialects = kOnnx,
       .judge = judge_copied_type,
       .effects = {ran("onnxruntime:cpu", kFails, "refuses the model: it has no code for it")}},
      {.label = "type-float64",
       .sentence = "Data is float64.",
       .fix = "Nothing within OpenVINO. Compute with float32 everywhere, or run the node in ONNX "
              "Runtime or Windrow.",
       .provocation = "wide-floats",
       .example = {"onnx.Gather-13", R"(["float64", [2], [1e+300, 0.1]], ["int64", [2], [0, 1]])"},
       .families = kGathers | kScatters | kOneHot,
       .dialects = kOnnx | kOpenvino,
       .judge = judge_float64,
       .effects = {ran("openvino:cpu", kSilent, "rounds to float32")}},
      {.label = "type-wide-integers",
       .sentence = "Data or updates hold an integer that does not fit in int32, or their sums may.",
       .fix = "Split such numbers into two int32, or run the node in ONNX Runtime or Windrow.",
       .provocation = "wide-integers",
       .example = {"onnx.Gather-13",
                   R"(["int64", [2], [1099511627781, 7]], ["int64", [2], [0, 1]])"},
       .families = kGathers | kScatters | kOneHot,
       .dialects = kOnnx | kOpenvino,
       .judge = judge_wide_data,
       .effects = {ran("openvino:cpu", kSilent,
                       "keeps the low 32 bits of inputs, and makes constants the nearest int32"),
                   read("tensorrt:gpu", kSilent, "makes constants the nearest int32",
                        kTensorrtOperators, "", "8.6")}},
      {.label = "type-odd-bits",
       .sentence = "Data is f4e2m1, nf4, u1 or u2.",
       .fix = "Convert data to another type before the node.",
       .example = {"openvino.Gather-8", R"(["nf4", [4]], ["int32", [2]], ["int32", [], [0]])"},
       .families = kGathers | kScatters,
       .dialects = kOpenvino,
       .judge = judge_odd_bits,
       .effects = {ran("openvino:cpu", kSilent,
                       "gives other values, reads outside of data, or refuses the node")}},
      {.label = "index-type",
       .sentence = "Indices have a type that ONNX's operator does not list: int64, and in Gather, "
                   "GatherElements and ScatterElements int32.",
       .fix = "Cast the indices to int64; --fix does.",
       .example = {"onnx.GatherND-13", R"(["float32", [4, 3]], ["int32", [2, 1], [0, 1]])"},
       .families = kGathers | kScatters,
       .dialects = kOnnx,
       .judge = judge_index_type,
       .effects = {ran("onnxruntime:cpu", kFails, kRefuses)}},
      {.label = "scatter-int64-indices",
       .sentence = "The indices of a TensorRT scatter layer are int64.",
       .fix = "Cast the indices to int32, or build a strongly typed network.",
       .provocation = "",
       .example = {"tensorrt.Scatter-10",
                   R"(["float32", [4]], ["int64", [1, 1]], ["float32", [1]])", R"("mode": "ND")"},
       .families = kReducing,
       .dialects = kTensorrt,
       .judge = judge_int64_indices,
       .effects = {read("tensorrt:gpu", kFails, "refuses a weakly typed network",
                        "https://github.com/pytorch/TensorRT/issues/4008", "", "10.16")}},
      {.label = "one-hot-float-indices",
       .sentence = "The indices of OneHot are floats.",
       .fix = "Cast the indices to int64; --fix does.",
       .example = {"onnx.OneHot-11",
                   R"(["float32", [2], [0.5, 1.5]], ["int64", [], [4]], ["float32", [2], [0, 1]])"},
       .families = kOneHot,
       .dialects = kOnnx,
       .judge = judge_float_indices,
       .effects = {ran("onnxruntime:cpu", kFails,
                       "refuses the model, or compares indices with a fraction as they are"),
                   ran("onnx:reference", kSilent, "compares indices with a fraction as they are"),
                   read("tensorrt:gpu", kFails, kRefuses, "NvInfer.h 10.3, IOneHotLayer")}},
  };
}

}  // namespace windrow::internal
