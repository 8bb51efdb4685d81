#include "src/portability/indexing_operators.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "src/models/infer_fixture.h"
#include "windrow/check.h"

namespace windrow {
namespace {

using infer_fixture::node;
using infer_fixture::value;

ModelNode of(const std::string& domain, ModelNode made) {
  made.domain = domain;
  return made;
}

// ids int64[n] -> GatherBlockQuantized of 16 rows.
Model quantized(std::vector<std::int64_t> ids) {
  Model model;
  model.opset_imports = {{"", 21}, {"com.microsoft", 1}};
  model.constants["q"] = Tensor::allocate(DType::kUint4, {16, 32}).value();
  model.inputs = {value("s", DType::kFloat32, {{16, ""}, {2, ""}})};
  if (ids.empty()) {
    model.inputs.push_back(value("ids", DType::kInt64, {{-1, "n"}}));
  } else {
    model.constants["ids"] =
        Tensor::from<std::int64_t>({static_cast<std::int64_t>(ids.size())}, ids);
  }
  model.nodes = {of("com.microsoft", node("GatherBlockQuantized", {"q", "ids", "s"}, "y",
                                          {{"block_size", std::int64_t{16}}}))};
  model.outputs = {infer_fixture::untyped("y")};
  return model;
}

CheckReport report_of(const Model& model) { return check(model).value(); }

TEST(IndexingOperators, JudgeConstantIndices) {
  const CheckReport report = report_of(quantized({3, 16}));
  ASSERT_EQ(report.findings.size(), 1U);
  const PortabilityFinding& finding = report.findings[0];
  EXPECT_EQ(finding.rule, "quantized-gather-index-range");
  EXPECT_EQ(finding.operator_name, "com.microsoft.GatherBlockQuantized-1");
  EXPECT_EQ(finding.verdict, Verdict::kHappens);
  EXPECT_EQ(finding.value, "16");
  EXPECT_NE(finding.message.find("axis 0 of data takes -16 to 15"), std::string::npos)
      << finding.message;
  EXPECT_EQ(report.nodes, 1U);
  EXPECT_TRUE(report_of(quantized({15, -16})).findings.empty());
}

TEST(IndexingOperators, AskTheCallerForLegalIds) {
  const CheckReport report = report_of(quantized({}));
  EXPECT_TRUE(report.findings.empty());
  ASSERT_EQ(report.contracts.size(), 1U);
  EXPECT_EQ(report.contracts[0].sentence, "ids must lie in -16 to 15");
}

TEST(IndexingOperators, JudgeWhatARunSaw) {
  CheckOptions options;
  options.observed["main/node_y"].inputs = {
      nullptr, std::make_shared<const Tensor>(Tensor::of<std::int64_t>({2}, {0, 40}))};
  const CheckReport report = check(quantized({}), options).value();
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].verdict, Verdict::kHappens);
  EXPECT_EQ(report.findings[0].evidence, Evidence::kInputs);
}

TEST(IndexingOperators, JudgeEveryInputOfIndices) {
  Model model;
  model.opset_imports = {{"", 21}, {"com.microsoft", 1}};
  model.inputs = {value("w", DType::kFloat32, {{4, ""}, {8, ""}}),
                  value("p", DType::kFloat32, {{2, ""}, {8, ""}}),
                  value("g", DType::kFloat32, {{8, ""}}), value("b", DType::kFloat32, {{8, ""}})};
  for (const char* const name : {"ids", "segments"})
    model.constants[name] = Tensor::of<std::int32_t>({1, 2}, {0, 5});
  model.nodes = {of("com.microsoft", node("EmbedLayerNormalization",
                                          {"ids", "segments", "w", "p", "p", "g", "b"}, "y"))};
  const CheckReport report = report_of(model);
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].input, "input_ids");
  EXPECT_EQ(report.findings[1].input, "segment_ids");
}

Model loss(const std::vector<std::int64_t>& classes, Attributes attributes) {
  Model model;
  model.opset_imports[""] = 13;
  model.inputs = {value("x", DType::kFloat32, {{2, ""}, {4, ""}})};
  model.constants["t"] = Tensor::from<std::int64_t>({2}, classes);
  model.nodes = {node("NegativeLogLikelihoodLoss", {"x", "t"}, "y", std::move(attributes))};
  return model;
}

TEST(IndexingOperators, TakeTheIgnoredClassForLegal) {
  const Attributes ignored = {{"ignore_index", std::int64_t{-100}}};
  const CheckReport bad = report_of(loss({1, 4}, ignored));
  ASSERT_EQ(bad.findings.size(), 1U);
  EXPECT_EQ(bad.findings[0].verdict, Verdict::kHappens);
  EXPECT_EQ(report_of(loss({1, -100}, {})).findings.at(0).verdict, Verdict::kHappens);
  for (const PortabilityFinding& finding : report_of(loss({1, -100}, ignored)).findings)
    EXPECT_NE(finding.verdict, Verdict::kHappens) << finding.message;
}

// The length may be the extent itself.
TEST(IndexingOperators, KnowLengthsFromPositions) {
  for (const std::int64_t length : {-1, 0, 8, 9}) {
    Model model;
    model.opset_imports[""] = 10;
    model.inputs = {value("x", DType::kFloat32, {{8, ""}, {2, ""}})};
    model.constants["n"] = Tensor::of<std::int64_t>({2}, {1, length});
    model.nodes = {node("ReverseSequence", {"x", "n"}, "y")};
    EXPECT_EQ(report_of(model).findings.size(), length < 0 || length > 8 ? 1U : 0U) << length;
  }
}

TEST(IndexingOperators, ThatNoRuleJudgesAreCounted) {
  Model model;
  model.opset_imports = {{"", 13}, {"com.microsoft", 1}};
  model.inputs = {value("x", DType::kFloat32, {{2, ""}}), value("i", DType::kInt64, {})};
  model.nodes = {node("SequenceConstruct", {"x", "x"}, "s"), node("SequenceAt", {"s", "i"}, "a"),
                 node("SequenceAt", {"s", "i"}, "b"), node("Unsqueeze", {"x", "i"}, "c")};
  const CheckReport report = report_of(model);
  EXPECT_TRUE(report.findings.empty());
  ASSERT_EQ(report.not_judged.size(), 1U);
  EXPECT_EQ(report.not_judged[0].count, 2U);
  EXPECT_EQ(report.not_judged[0].nodes, (std::vector<std::string>{"main/node_a", "main/node_b"}));
  EXPECT_EQ(report.not_judged[0].sentence,
            "position of onnx.SequenceAt-13 (2 nodes): the number of a sequence's elements is not "
            "known");
}

// A rank with another meaning, or an unknown one, is said.
TEST(IndexingOperators, OfAnotherRankAreCounted) {
  Model model;
  model.opset_imports = {{"", 21}, {"com.microsoft", 1}};
  model.inputs = {value("x", DType::kFloat32, {{1, ""}, {2, ""}, {2, ""}, {4, ""}}),
                  value("p", DType::kInt64, {{1, ""}}),
                  value("c", DType::kFloat32, {{16, ""}, {2, ""}})};
  model.nodes = {of("com.microsoft", node("RotaryEmbedding", {"x", "p", "c", "c"}, "y"))};
  const CheckReport report = report_of(model);
  EXPECT_EQ(report.nodes, 0U);
  EXPECT_EQ(report.not_judged.size(), 1U);
  EXPECT_TRUE(report.contracts.empty());
}

std::vector<std::string> notes_on(const std::string& domain, const std::string& input, DType type) {
  Model model;
  model.opset_imports = {{"", 21}, {domain, 1}};
  model.inputs = {value(input, type, {{2, ""}})};
  model.nodes = {of(domain, node("Fetch", {input}, "y"))};
  return report_of(model).notes;
}

TEST(IndexingOperators, ThatAreUnknownAreNoted) {
  ASSERT_EQ(notes_on("mine", "token_ids", DType::kInt64).size(), 1U);
  EXPECT_NE(notes_on("mine", "token_ids", DType::kInt64)[0].find("mine.Fetch-1 is not known"),
            std::string::npos);
  EXPECT_TRUE(notes_on("mine", "token_ids", DType::kFloat32).empty());
  EXPECT_TRUE(notes_on("mine", "sizes", DType::kInt64).empty());
}

TEST(IndexingOperators, AreNotFunctionsOfTheModel) {
  Model model;
  model.opset_imports = {{"", 21}, {"mine", 1}};
  model.inputs = {value("ids", DType::kInt64, {{2, ""}})};
  model.nodes = {of("mine", node("Fetch", {"ids"}, "y"))};
  ModelFunction function;
  function.domain = "mine";
  function.opset_imports[""] = 21;
  function.graph.name = "Fetch";
  model.functions = {function};
  EXPECT_TRUE(report_of(model).notes.empty());
}

TEST(IndexingOperators, AreRecognisedByWords) {
  for (const char* const name : {"indices", "input_ids", "model/pos.1", "wordIdx", "/gather/Index"})
    EXPECT_TRUE(internal::is_named_like_index(name)) << name;
  for (const char* const name : {"", "grid", "hidden", "pose", "video", "idle", "x1"})
    EXPECT_FALSE(internal::is_named_like_index(name)) << name;
}

}  // namespace
}  // namespace windrow
