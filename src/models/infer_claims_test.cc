#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/models/infer_fixture.h"
#include "windrow/models.h"

namespace windrow {
namespace {

using namespace infer_fixture;  // NOLINT(google-build-using-namespace)

TEST(Claims, CompleteWhatIsUnknownAndMarkWhatFollows) {
  Model model = gather_model();
  model.nodes = {node("Relu", {"x"}, "r"), node("Gather", {"r", "i"}, "y"),
                 node("Gather", {"x", "i"}, "z"), node("Neg", {"y"}, "n")};
  model.values = {value("r", DType::kFloat32, {{7, ""}, {4, ""}})};
  const Inference found = model.infer().value();
  EXPECT_EQ(shown(found, "x"), "float32[N, 4] proven");
  EXPECT_EQ(shown(found, "r"), "float32[7, 4] claimed");
  EXPECT_EQ(shown(found, "y"), "float32[3, 4] claimed");
  EXPECT_EQ(shown(found, "z"), "float32[3, 4] proven");
  EXPECT_EQ(shown(found, "n"), "? unknown");
  EXPECT_TRUE(found.findings.list.empty());
}

// Real runtimes accept such a file.
TEST(Claims, ThatContradictAreFindingsAndChangeNothing) {
  Model model = gather_model();
  model.nodes = {node("Gather", {"x", "i"}, "y"), node("Gather", {"y", "i"}, "z")};
  model.values = {value("y", DType::kInt64, {{5, ""}, {4, ""}})};
  model.outputs = {value("z", DType::kFloat32, {{3, ""}, {4, ""}, {1, ""}})};
  const Inference found = model.infer().value();
  EXPECT_EQ(shown(found, "y"), "float32[3, 4] proven");
  EXPECT_EQ(shown(found, "z"), "float32[3, 4] proven");
  EXPECT_EQ(findings(found),
            (std::vector<std::string>{
                "node 'node_y': the model declares 'y' as int64[5, 4], but it is float32[3, 4]",
                "node 'node_z': the model declares 'z' as float32[3, 4, 1], but it is "
                "float32[3, 4]"}));
  EXPECT_EQ(found.findings.list[0].node, "main/node_y");
  EXPECT_EQ(found.findings.list[0].value, "y");
  EXPECT_EQ(found.findings.list[0].kind, Finding::Kind::kContradiction);
  EXPECT_TRUE(found.first_broken_rule().ok());
}

TEST(Claims, ThatContradictOtherClaimsNameThem) {
  Model model = gather_model();
  model.nodes = {node("Relu", {"x"}, "r"), node("Gather", {"r", "i"}, "y")};
  model.values = {value("r", DType::kFloat32, {{7, ""}, {6, ""}}),
                  value("y", DType::kFloat32, {{3, ""}, {4, ""}})};
  const Inference found = model.infer().value();
  EXPECT_EQ(shown(found, "y"), "float32[3, 6] claimed");
  EXPECT_EQ(findings(found),
            std::vector<std::string>{
                "node 'node_y': the model declares 'y' as float32[3, 4], but it is float32[3, 6] "
                "(if 'r' is what the file claims)"});
}

TEST(Claims, ThatBreakARuleAreNamed) {
  Model model = gather_model();
  model.nodes = {node("Relu", {"x"}, "r"), node("Gather", {"r", "i"}, "y", with("axis", 1)),
                 node("Gather", {"x", "i"}, "z")};
  model.values = {value("r", DType::kFloat32, {{7, ""}})};
  const Inference found = model.infer().value();
  ASSERT_EQ(found.findings.list.size(), 1U);
  EXPECT_EQ(found.findings.list[0].status.constraint(), "ONNX-Gather-A1");
  EXPECT_EQ(found.findings.list[0].claim, "r");
  EXPECT_EQ(shown(found, "y"), "? unknown");
  EXPECT_EQ(shown(found, "z"), "float32[3, 4] proven");
}

TEST(Claims, OfConstantsAndInputsAreCompared) {
  Model model = gather_model();
  model.values = {value("x", DType::kFloat32, {{-1, "N"}, {5, ""}})};
  EXPECT_EQ(
      findings(model.infer().value()),
      std::vector<std::string>{"the model declares 'x' as float32[N, 5], but it is float32[N, 4]"});
}

TEST(Findings, ABrokenRuleDoesNotEndInference) {
  Model model = gather_model();
  model.nodes = {node("Gather", {"x", "i"}, "bad", with("axis", 9)),
                 node("Gather", {"bad", "i"}, "after"), node("Gather", {"x", "i"}, "good"),
                 node("Gather", {"x", "i", "i"}, "many")};
  const Inference found = model.infer().value();
  ASSERT_EQ(found.findings.list.size(), 2U);
  EXPECT_EQ(found.findings.list[0].node, "main/node_bad");
  EXPECT_EQ(found.findings.list[0].status.constraint(), "ONNX-Gather-A1");
  EXPECT_EQ(found.findings.list[1].node, "main/node_many");
  EXPECT_EQ(shown(found, "bad"), "? unknown");
  EXPECT_EQ(shown(found, "after"), "? unknown");
  EXPECT_EQ(shown(found, "good"), "float32[3, 4] proven");
  EXPECT_EQ(model.inspect().value().size(), 4U);
}

TEST(Findings, AreBounded) {
  Model model = gather_model();
  for (int i = 0; i < 1500; ++i)
    model.nodes.push_back(node("Gather", {"x", "i"}, "y" + std::to_string(i), with("axis", 9)));
  const Findings found = model.infer().value().findings;
  EXPECT_EQ(found.list.size(), 1000U);
  EXPECT_EQ(found.left_out, 500U);
}

// x -> Shape -> Cast -> Add -> the indices of a Gather.
Model foreign_chain() {
  Model model = gather_model();
  model.nodes = {node("Shape", {"x"}, "shape"), node("Cast", {"shape"}, "cast"),
                 node("Add", {"cast", "cast"}, "sum"), node("Gather", {"x", "sum"}, "y")};
  return model;
}

TEST(Others, AreAskedOnceWhereAGatherNeedsThem) {
  const Model model = foreign_chain();
  int asked = 0;
  InferOptions options;
  options.infer_others = [&](const Model& given) -> Result<GraphValueInfos> {
    ++asked;
    EXPECT_EQ(&given, &model);
    return GraphValueInfos{{"main", {{"sum", value("sum", DType::kInt32, {{2, ""}})}}}};
  };
  const Inference found = model.infer(options).value();
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(shown(found, "sum"), "int32[2] onnx");
  EXPECT_EQ(shown(found, "y"), "float32[2, 4] onnx");
  EXPECT_EQ(shown(found, "shape"), "int64[2] proven");
  EXPECT_EQ(shown(model.infer().value(), "y"), "float32? proven");
}

TEST(Others, AreNotAskedWhereNobodyNeedsThem) {
  Model model = gather_model();
  model.nodes = {node("Gather", {"x", "i"}, "y"), node("Relu", {"y"}, "z")};
  InferOptions options;
  options.infer_others = [](const Model&) -> Result<GraphValueInfos> {
    ADD_FAILURE();
    return GraphValueInfos();
  };
  EXPECT_TRUE(model.infer(options).ok());
}

TEST(Others, DoNotOverruleRulesAndAreCheckedAgainstClaims) {
  Model model = foreign_chain();
  model.values = {value("sum", DType::kInt64, {{2, ""}})};
  InferOptions options;
  options.infer_others = [](const Model&) -> Result<GraphValueInfos> {
    return GraphValueInfos{{"main",
                            {{"sum", value("sum", DType::kInt32, {{2, ""}})},
                             {"shape", value("shape", DType::kInt32, {{9, ""}})},
                             {"y", value("y", DType::kInt32, {{9, ""}})}}}};
  };
  const Inference found = model.infer(options).value();
  EXPECT_EQ(shown(found, "shape"), "int64[2] proven");
  EXPECT_EQ(shown(found, "y"), "float32[2, 4] onnx");
  EXPECT_EQ(findings(found),
            std::vector<std::string>{
                "node 'node_sum': the model declares 'sum' as int64[2], but it is int32[2] "
                "(if 'sum' is what onnx infers)"});
}

TEST(Others, ABrokenRuleNamesTheClaimThatItIsBasedOn) {
  Model model = foreign_chain();
  model.nodes.push_back(node("Gather", {"sum", "x"}, "z", {{"axis", std::int64_t{3}}}));
  InferOptions options;
  options.infer_others = [](const Model&) -> Result<GraphValueInfos> {
    return GraphValueInfos{{"main", {{"sum", value("sum", DType::kInt32, {{2, ""}})}}}};
  };
  const std::vector<std::string> found = findings(model.infer(options).value());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].ends_with("(if 'sum' is what onnx infers)")) << found[0];
}

TEST(Others, FailuresAreNotes) {
  InferOptions options;
  options.infer_others = [](const Model&) -> Result<GraphValueInfos> {
    return Status(ErrorCode::kUnsupported, "nobody knows");
  };
  const Inference found = foreign_chain().infer(options).value();
  EXPECT_EQ(found.notes, std::vector<std::string>{"nobody knows"});
  EXPECT_EQ(shown(found, "sum"), "? unknown");
}

}  // namespace
}  // namespace windrow
