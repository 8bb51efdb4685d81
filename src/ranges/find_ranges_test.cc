#include <memory>
#include <utility>

#include "src/ranges/facts_fixture.h"

namespace windrow::internal {
namespace {

class FindRanges : public FactsFixture {
 protected:
  // Adds a node to the body that is being built.
  static ModelNode body_node(const std::string& op, std::vector<std::string> inputs,
                             std::vector<std::string> outputs, Attributes attributes = {}) {
    ModelNode made;
    made.name = op + "_" + outputs.front();
    made.attributes = std::move(attributes);
    made.op_type = op;
    made.inputs = std::move(inputs);
    made.outputs = std::move(outputs);
    return made;
  }
  static NodeBody body(const std::string& attribute, const std::vector<std::string>& inputs,
                       std::vector<ModelNode> nodes, const std::vector<std::string>& outputs) {
    auto graph = std::make_shared<Graph>();
    for (const std::string& name : inputs) graph->inputs.push_back({name, DType::kAbsent, {}});
    for (const std::string& name : outputs) graph->outputs.push_back({name, DType::kAbsent, {}});
    graph->nodes = std::move(nodes);
    return {attribute, std::move(graph)};
  }
  Status status() {
    return find_ranges(model, options, extents, [](const NodeFacts&) {});
  }
};

TEST_F(FindRanges, AnInitializerThatARunMayReplaceProvesNothing) {
  input("i", DType::kInt64, {"k"});
  number("zero", 0);
  number("high", 9);
  list("table", {1, 2, 3});
  model.default_inputs.push_back({"high", DType::kInt64, dims({})});
  model.default_inputs.push_back({"table", DType::kInt64, dims({"n"})});
  node("Clip", {"i", "zero", "high"}, {"clipped"});
  node("Identity", {"table"}, {"same"});
  EXPECT_EQ(text("clipped"), "?..?");
  EXPECT_EQ(text("same"), "?..?");
  EXPECT_EQ(shape("same"), "[table.shape[0]]");
  EXPECT_EQ(fact("same").constant, nullptr);
  EXPECT_EQ(fact("same").source_input, "");
}

TEST_F(FindRanges, WhatTheFileClaimsProvesNothing) {
  input("x", DType::kFloat32, {"n"});
  model.values.push_back({"y", DType::kFloat32, dims({"4", "4"})});
  node("Unknown", {"x"}, {"y"});
  node("ArgMax", {"y"}, {"places"});
  EXPECT_EQ(shape("y"), "?");
  EXPECT_EQ(text("places"), "0.." + std::to_string(Extents::kLargest - 1));
}

// Two inputs whose dimensions have one name have extents of their own, which are equal by a
// premise.
TEST_F(FindRanges, EqualSymbolsAreTwoExtents) {
  input("x", DType::kFloat32, {"n"});
  input("y", DType::kFloat32, {"n"});
  node("Add", {"x", "y"}, {"sum"});
  node("Relu", {"x"}, {"same"});
  EXPECT_EQ(shape("sum"), "[x.shape[0]] if x.shape[0] = y.shape[0], both called n");
  EXPECT_EQ(shape("same"), "[x.shape[0]]");
}

TEST_F(FindRanges, AssumptionsArePremises) {
  input("ids", DType::kInt64, {"n"});
  number("one", 1);
  options.assumed["ids"] = {0, 30521};
  node("Add", {"ids", "one"}, {"next"});
  EXPECT_EQ(text("next"), "1..30522 if ids lies in 0 to 30521 (assumed)");
  EXPECT_EQ(fact("next").source_input, "");
}

TEST_F(FindRanges, AssumptionsAboutNothingAreErrors) {
  input("x", DType::kString, {"n"});
  input("ids", DType::kInt64, {"n"});
  options.assumed["x"] = {0, 1};
  EXPECT_EQ(status().code(), ErrorCode::kInvalidArgument);
  options.assumed = {{"ids", {1, 0}}};
  EXPECT_EQ(status().code(), ErrorCode::kInvalidArgument);
  options.assumed = {{"other", {0, 1}}};
  EXPECT_NE(status().message().find("'other'"), std::string::npos);
}

// A large constant is read only where indices come from it.
TEST_F(FindRanges, LargeConstantsAreReadWhereTheyCount) {
  int reads = 0;
  const auto large = [&reads](DType type) {
    return Constant(type, {200000}, [&reads, type]() -> Result<Tensor> {
      ++reads;
      return Tensor::zeros(type, {200000});
    });
  };
  model.constants.emplace("weights", large(DType::kFloat32));
  model.constants.emplace("numbers", large(DType::kInt64));
  model.constants.emplace("table", large(DType::kInt64));
  list("i", {0});
  list("data", {5, 6});
  node("Add", {"weights", "weights"}, {"a"});
  node("Add", {"numbers", "numbers"}, {"b"});
  EXPECT_EQ(text("b"), "?..?");
  EXPECT_EQ(reads, 0);
  facts.clear();
  extents = {};
  node("Gather", {"table", "i"}, {"indices"});
  node("Gather", {"data", "indices"}, {"c"});
  EXPECT_EQ(text("indices"), "0..0");
  EXPECT_EQ(reads, 1);
}

TEST_F(FindRanges, BranchesSeeWhatIsAroundThemAndAreJoined) {
  input("flag", DType::kBool, {});
  input("i", DType::kInt64, {"k"});
  number("zero", 0);
  number("nine", 9);
  number("five", 5);
  node("Clip", {"i", "zero", "nine"}, {"safe"});
  node("If", {"flag"}, {"chosen"});
  model.nodes.back().bodies = {
      body("then_branch", {}, {body_node("Add", {"safe", "five"}, {"a"})}, {"a"}),
      body("else_branch", {}, {body_node("Min", {"safe", "five"}, {"b"})}, {"b"})};
  EXPECT_EQ(text("a"), "5..14");
  EXPECT_EQ(text("b"), "0..5");
  EXPECT_EQ(text("chosen"), "0..14");
  EXPECT_EQ(shape("chosen"), "[i.shape[0]]");
}

// What OpenVINO's If gives in a model's first run may be foreign memory.
TEST_F(FindRanges, WhatIsChosenIsWhatTheRuntimeChooses) {
  extents = Extents(profile_of("openvino", "cpu"));
  input("flag", DType::kBool, {});
  list("three", {3});
  node("If", {"flag"}, {"chosen"});
  model.nodes.back().bodies = {
      body("then_branch", {}, {body_node("Identity", {"three"}, {"a"})}, {"a"}),
      body("else_branch", {}, {body_node("Identity", {"three"}, {"b"})}, {"b"})};
  EXPECT_EQ(text("a"), "3..3");
  EXPECT_EQ(text("chosen"), "?..?");
  EXPECT_EQ(shape("chosen"), "[1]");
}

TEST_F(FindRanges, ALoopCountsAndCarriesSums) {
  input("x", DType::kFloat32, {"n"});
  number("zero", 0);
  number("one", 1);
  list("seven", {7});
  node("Shape", {"x"}, {"shape"});
  node("Gather", {"shape", "zero"}, {"n"});
  node("Loop", {"n", "", "zero", "seven"}, {"last", "kept", "numbers"});
  model.nodes.back().bodies = {body(
      "body", {"i", "going", "carried", "same"},
      {body_node("Identity", {"i"}, {"number"}), body_node("Add", {"carried", "one"}, {"next"}),
       body_node("Identity", {"going"}, {"on"}), body_node("Identity", {"seven"}, {"still"})},
      {"on", "next", "still", "number"})};
  EXPECT_EQ(text("number"), "0..x.shape[0]-1");
  EXPECT_EQ(text("next"), "?..?");
  EXPECT_EQ(text("last"), "?..?");
  EXPECT_EQ(text("kept"), "7..7");
  EXPECT_EQ(text("numbers"), "0..x.shape[0]-1");
}

TEST_F(FindRanges, WhatALoopKeepsHoldsInEveryIteration) {
  input("x", DType::kFloat32, {"n", "3"});
  number("trips", 9);
  number("start", 2);
  number("one", 1);
  number("five", 5);
  node("Shape", {"x"}, {"shape"});
  node("Loop", {"trips", "", "x", "x", "start", "shape"}, {"rows", "longer", "last", "list"});
  model.nodes.back().bodies = {
      body("body", {"i", "going", "a", "b", "count", "extents"},
           {body_node("Neg", {"a"}, {"negative"}),
            body_node("Concat", {"b", "b"}, {"both"}, {{"axis", std::int64_t{0}}}),
            body_node("Add", {"count", "one"}, {"more"}),
            body_node("Min", {"more", "five"}, {"next"}), body_node("Identity", {"going"}, {"on"}),
            body_node("Identity", {"extents"}, {"same_extents"})},
           {"on", "negative", "both", "next", "same_extents"})};
  EXPECT_EQ(shape("negative"), "[x.shape[0], 3]");
  EXPECT_EQ(shape("rows"), "[x.shape[0], 3]");
  EXPECT_EQ(shape("both"), "[?, 3]");
  EXPECT_EQ(shape("longer"), "[longer.shape[0], 3]");
  EXPECT_EQ(text("more"), "3..6");
  EXPECT_EQ(text("last"), "2..5");
  EXPECT_EQ(shape("same_extents"), "[2]");
  EXPECT_EQ(text("list"), "0..x.shape[0]+3");
}

TEST_F(FindRanges, TheNumberOfAnIterationIsAScalarIfItsBodyDeclaresOne) {
  number("trips", 9);
  list("five", {5});
  node("Loop", {"trips", "", "five"}, {"a"});
  auto inner = body("body", {"i", "going", "x"},
                    {body_node("Identity", {"going"}, {"on"}), body_node("Neg", {"i"}, {"minus"}),
                     body_node("Identity", {"x"}, {"same"})},
                    {"on", "same"});
  auto declared = std::make_shared<Graph>(*inner.graph);
  declared->inputs[0].dims.emplace();
  inner.graph = declared;
  model.nodes.back().bodies = {inner};
  EXPECT_EQ(shape("minus"), "[]");
}

TEST_F(FindRanges, TheNumberOfAnIterationHasRank1ByAPremise) {
  number("trips", 9);
  node("Loop", {"trips", ""}, {});
  auto inner =
      body("body", {"i", "going"},
           {body_node("Identity", {"going"}, {"on"}), body_node("Neg", {"i"}, {"minus"})}, {"on"});
  auto declared = std::make_shared<Graph>(*inner.graph);
  declared->inputs[0].dims = dims({"k"});
  inner.graph = declared;
  model.nodes.back().bodies = {inner};
  EXPECT_EQ(shape("minus"), "[1] if i has the shape int64[1], as its body declares");
}

TEST_F(FindRanges, CarriedValuesThatChangePlacesHoldBoth) {
  number("trips", 9);
  number("three", 3);
  number("seven", 7);
  node("Loop", {"trips", "", "three", "seven"}, {"a", "b"});
  model.nodes.back().bodies = {
      body("body", {"i", "going", "x", "y"},
           {body_node("Identity", {"going"}, {"on"}), body_node("Identity", {"y"}, {"to_x"}),
            body_node("Identity", {"x"}, {"to_y"})},
           {"on", "to_x", "to_y"})};
  EXPECT_EQ(text("to_x"), "3..7");
  EXPECT_EQ(text("b"), "3..7");
  EXPECT_EQ(shape("a"), "[]");
}

TEST_F(FindRanges, AScanSeesSlices) {
  input("bytes", DType::kUint8, {"n"});
  node("Cast", {"bytes"}, {"rows"}, {{"to", std::int64_t{7}}});
  number("start", 0);
  node("Scan", {"start", "rows"}, {"state", "stacked"}, {{"num_scan_inputs", std::int64_t{1}}});
  model.nodes.back().bodies = {
      body("body", {"s", "row"},
           {body_node("Add", {"s", "row"}, {"sum"}), body_node("Identity", {"row"}, {"seen"})},
           {"sum", "seen"})};
  EXPECT_EQ(text("seen"), "0..255");
  EXPECT_EQ(text("sum"), "?..?");
  EXPECT_EQ(text("stacked"), "0..255");
}

TEST_F(FindRanges, NothingIsKnownOfTheInputsOfAFunction) {
  ModelFunction function;
  function.domain = "mine";
  function.opset_imports[""] = 18;
  function.graph.name = "Half";
  function.graph.inputs.push_back({"a", DType::kAbsent, {}});
  function.graph.outputs.push_back({"b", DType::kAbsent, {}});
  function.graph.nodes.push_back(body_node("ArgMax", {"a"}, {"b"}));
  model.functions.push_back(std::move(function));
  EXPECT_EQ(text("b"), "0.." + std::to_string(Extents::kLargest - 1));
  EXPECT_EQ(shape("b"), "?");
}

// A node that is marked as a function of the model, or has an attribute that can't be read.
TEST_F(FindRanges, UnsupportedNodesProveNothing) {
  input("x", DType::kFloat32, {"3"});
  node("ArgMax", {"x"}, {"places"});
  model.nodes.back().unsupported = "it is a function of the model";
  EXPECT_EQ(fact("places").dtype, DType::kAbsent);
}

// Very many small tensors become one interval each, so that memory and time are bounded.
TEST_F(FindRanges, SingleElementsAreGivenUpInLargeModels) {
  model.constants.emplace("ones",
                          Tensor::from<std::int64_t>({1000}, std::vector<std::int64_t>(1000, 1)));
  node("Add", {"ones", "ones"}, {"v0"});
  for (int i = 0; i < 3000; ++i)
    node("Min", {"v" + std::to_string(i), "ones"}, {"v" + std::to_string(i + 1)});
  EXPECT_EQ(fact("v1").range.integers.size(), 1000U);
  EXPECT_EQ(text("v3000"), "1..1");
}

class OperatorRange : public FactsFixture {};

TEST_F(OperatorRange, AGatherOfIndicesReadsAPartOfATable) {
  input("i", DType::kInt64, {"n"});
  list("table", {10, 20, 30, 40});
  number("low", -2);
  number("zero", 0);
  number("one", 1);
  node("Clip", {"i", "low", "one"}, {"either"});
  node("Clip", {"i", "zero", "one"}, {"first"});
  node("Sub", {"first", "one"}, {"shifted"});
  number("minus", -1);
  node("Clip", {"i", "low", "minus"}, {"last"});
  node("Gather", {"table", "either"}, {"a"});
  node("Gather", {"table", "first"}, {"b"});
  node("Gather", {"table", "last"}, {"c"});
  node("Gather", {"table", "i"}, {"d"});
  EXPECT_EQ(text("a"), "10..40");
  EXPECT_EQ(text("b"), "10..20");
  EXPECT_EQ(text("c"), "30..40");
  EXPECT_EQ(text("d"), "10..40");
}

TEST_F(OperatorRange, AGatherOfKnownPositionsChoosesElements) {
  constant("table", {1, 2, 3, 4, 5, 6}, {2, 3});
  list("order", {2, -3});
  number("row", 1);
  node("Gather", {"table", "order"}, {"columns"}, {{"axis", std::int64_t{1}}});
  node("Gather", {"table", "row"}, {"last"});
  EXPECT_EQ(text("columns"), "3..3 1..1 6..6 4..4");
  EXPECT_EQ(text("last"), "4..4 5..5 6..6");
}

TEST_F(OperatorRange, AGatherKeepsTheAxesThatItDoesNotRead) {
  input("x", DType::kFloat32, {"n", "5"});
  input("rows", DType::kInt64, {"a", "b"});
  node("NonZero", {"x"}, {"found"});
  node("Transpose", {"found"}, {"tuples"});
  node("Gather", {"tuples", "rows"}, {"some"});
  number("one", 1);
  node("Gather", {"tuples", "one"}, {"second"}, {{"axis", std::int64_t{1}}});
  EXPECT_EQ(text("some"), "0..x.shape[0]-1 0..4");
  EXPECT_EQ(fact("some").range.axis, 2);
  EXPECT_EQ(text("second"), "0..4");
  EXPECT_EQ(shape("second"), "[found.shape[1]]");
}

TEST_F(OperatorRange, AnIndexOutOfRangeMayReadZero) {
  take_dialect("tensorrt", 10);
  input("i", DType::kInt32, {"n"});
  model.constants.emplace("table", Tensor::of<std::int32_t>({3}, {5, 6, 7}));
  node("Gather", {"table", "i"}, {"a"}, {{"axis", std::int64_t{0}}});
  model.nodes.back().version = 10;
  EXPECT_EQ(text("a"), "0..7");
}

TEST_F(OperatorRange, OpenVinoGathersReadZeroUnlessTheIndexIsInRange) {
  take_dialect("openvino", 8);
  input("i", DType::kInt64, {"n"});
  list("table", {5, 6, 7});
  number("axis", 0);
  node("Clamp", {"i"}, {"safe"}, {{"min", std::string("0")}, {"max", std::string("2")}});
  node("Gather", {"table", "i", "axis"}, {"a"}, {{"batch_dims", std::int64_t{0}}});
  node("Gather", {"table", "safe", "axis"}, {"b"}, {{"batch_dims", std::int64_t{0}}});
  EXPECT_EQ(text("a"), "0..7");
  EXPECT_EQ(text("b"), "5..7");
}

TEST_F(OperatorRange, AScatterHoldsDataAndUpdates) {
  input("i", DType::kInt64, {"1"});
  list("data", {1, 2, 3});
  list("updates", {9});
  node("ScatterElements", {"data", "i", "updates"}, {"written"});
  node("ScatterElements", {"data", "i", "updates"}, {"largest"},
       {{"reduction", std::string("max")}});
  node("ScatterElements", {"data", "i", "updates"}, {"added"}, {{"reduction", std::string("add")}});
  EXPECT_EQ(text("written"), "1..9");
  EXPECT_EQ(shape("written"), "[3]");
  EXPECT_EQ(text("largest"), "1..9");
  EXPECT_EQ(text("added"), "?..?");
}

TEST_F(OperatorRange, OneHotHasItsTwoValues) {
  input("i", DType::kInt64, {"n"});
  number("depth", 4);
  list("values", {-1, 1});
  node("OneHot", {"i", "depth", "values"}, {"hot"});
  EXPECT_EQ(text("hot"), "-1..1");
  EXPECT_EQ(shape("hot"), "[i.shape[0], 4]");
}

TEST_F(OperatorRange, OneHotOfOpenVinoHasItsTwoValues) {
  take_dialect("openvino", 16);
  input("i", DType::kInt64, {"n"});
  number("depth", 4);
  number("on", 7);
  number("off", -2);
  node("OneHot", {"i", "depth", "on", "off"}, {"hot"}, {{"axis", std::int64_t{-1}}});
  EXPECT_EQ(text("hot"), "-2..7");
  EXPECT_EQ(shape("hot"), "[i.shape[0], 4]");
}

TEST_F(OperatorRange, OfPooledLookUpsNothingIsKnown) {
  take_dialect("openvino", 3);
  list("table", {1, 2, 3});
  input("i", DType::kInt64, {"n", "k"});
  input("flat", DType::kInt64, {"n"});
  list("offsets", {0, 1});
  node("EmbeddingBagPackedSum", {"table", "i"}, {"packed"});
  node("EmbeddingBagOffsetsSum", {"table", "flat", "offsets"}, {"bags"});
  EXPECT_EQ(text("packed"), "?..?");
  EXPECT_EQ(shape("packed"), "[i.shape[0]]");
  EXPECT_EQ(text("bags"), "?..?");
  EXPECT_EQ(shape("bags"), "[2]");
}

TEST_F(OperatorRange, AGatherTreeHasItsStepsAndTheEnd) {
  take_dialect("openvino", 1);
  input("steps", DType::kInt64, {"t", "b", "w"});
  input("parents", DType::kInt64, {"t", "b", "w"});
  input("lengths", DType::kInt64, {"b"});
  number("end", 99);
  node("GatherTree", {"steps", "parents", "lengths", "end"}, {"beams"});
  EXPECT_EQ(text("beams"), "?..?");
  EXPECT_EQ(shape("beams"), "[steps.shape[0], steps.shape[1], steps.shape[2]]");
}

TEST_F(OperatorRange, ASliceScatterHasElementsOfDataAndOfUpdates) {
  take_dialect("openvino", 15);
  list("data", {5, 6, 7});
  list("updates", {9, -1});
  list("one", {1});
  list("three", {3});
  node("SliceScatter", {"data", "updates", "one", "three", "one"}, {"sliced"});
  EXPECT_EQ(text("sliced"), "-1..9");
  EXPECT_EQ(shape("sliced"), "[3]");
}

TEST_F(OperatorRange, ASegmentWithoutRowsHoldsWhatTheModeSays) {
  take_dialect("openvino", 16);
  input("ids", DType::kInt64, {"3"});
  list("data", {5, 6, 7});
  number("count", 4);
  const auto max = [&](const std::string& mode) {
    node("SegmentMax", {"data", "ids", "count"}, {mode}, {{"fill_mode", mode}});
  };
  max("ZERO");
  max("LOWEST");
  EXPECT_EQ(text("ZERO"), "0..7");
  EXPECT_EQ(text("LOWEST"), "?..?");
  EXPECT_EQ(shape("ZERO"), "[4]");
}

}  // namespace
}  // namespace windrow::internal
