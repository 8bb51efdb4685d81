#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "windrow/operators.h"

namespace windrow {
namespace {

constexpr int kNewest = std::numeric_limits<int>::max();

TEST(ListOperators, HasEveryRowOfTheTable) {
  std::vector<std::string> rows;
#define WINDROW_OPERATOR_VERSION(dialect, domain, Operator, since, until, data_types, index_types, \
                                 state)                                                            \
  rows.push_back(std::string(#dialect) + "|" + (domain) + "|" + #Operator + "|" +                  \
                 std::to_string(since) + "|" + std::to_string(until));
#include "src/operators/operators.inc"
  std::vector<std::string> listed;
  for (const OperatorInfo& info : list_operators())
    listed.push_back(info.dialect + "|" + info.domain + "|" + info.name + "|" +
                     std::to_string(info.since_version) + "|" + std::to_string(info.until_version));
  EXPECT_EQ(listed, rows);
}

// Versions of onnx and array apply until the next one; versions of the others apply only to
// themselves.
TEST(ListOperators, VersionsOfAnOperatorRiseWithoutAGap) {
  std::map<std::string, int> last;
  std::string previous;
  for (const OperatorInfo& info : list_operators()) {
    const std::string name = info.dialect + "." + info.name;
    const bool holds = info.dialect == "onnx" || info.dialect == "array";
    const auto found = last.find(name);
    if (found != last.end()) {
      EXPECT_EQ(name, previous) << "the rows of an operator stand together";
      if (holds) {
        EXPECT_EQ(info.since_version, found->second + 1) << name;
      }
      EXPECT_GT(info.since_version, found->second) << name;
    }
    EXPECT_LE(info.since_version, info.until_version) << name;
    if (!holds) {
      EXPECT_EQ(info.since_version, info.until_version) << name;
    }
    last[name] = info.until_version;
    previous = name;
  }
  for (const auto& [name, until] : last) {
    if (name.starts_with("onnx.") || name.starts_with("array.")) {
      EXPECT_EQ(until, kNewest) << name;
    }
  }
}

TEST(ListOperators, RowsDescribeTheirOperator) {
  for (const OperatorInfo& info : list_operators()) {
    ASSERT_GE(info.inputs.size(), 2U) << info.name;
    EXPECT_TRUE(std::any_of(info.inputs.begin(), info.inputs.end(), [](const OperatorInput& input) {
      return input.type_group == "T";
    })) << info.name;
    EXPECT_FALSE(info.output.empty()) << info.name;
    EXPECT_FALSE(info.summary.empty()) << info.name;
    EXPECT_FALSE(info.shapes.empty()) << info.name;
    for (const OperatorInput& input : info.inputs) EXPECT_FALSE(input.dtypes.empty()) << input.name;
  }
}

TEST(FindOperator, TakesTheNewestVersionThatIsNotAboveTheOneAskedFor) {
  EXPECT_EQ(find_operator({"onnx", "GatherND", 11})->since_version, 11);
  EXPECT_EQ(find_operator({"onnx", "GatherND", 12})->since_version, 12);
  EXPECT_EQ(find_operator({"onnx", "GatherND", 17})->since_version, 13);
  EXPECT_EQ(find_operator({"onnx", "GatherND", std::nullopt})->since_version, 13);
}

TEST(FindOperator, AttributesAreThoseOfTheVersion) {
  EXPECT_TRUE(find_operator({"onnx", "GatherND", 11})->attributes.empty());
  EXPECT_EQ(find_operator({"onnx", "ScatterElements", 13})->attributes.size(), 1U);
  const auto newest = find_operator({"onnx", "ScatterElements", 18});
  ASSERT_EQ(newest->attributes.size(), 2U);
  EXPECT_EQ(newest->attributes[1].name, "reduction");
  EXPECT_EQ(newest->attributes[1].default_value, AttributeValue(std::string("none")));
  EXPECT_TRUE(newest->attributes[0].values.empty());
  EXPECT_EQ(newest->attributes[1].values,
            (std::vector<std::string>{"none", "add", "mul", "max", "min"}));
  EXPECT_EQ(find_operator({"onnx", "ScatterElements", 16})->attributes[1].values,
            (std::vector<std::string>{"none", "add", "mul"}));
  EXPECT_TRUE(find_operator({"onnx", "Scatter", 11})->deprecated);
  EXPECT_FALSE(find_operator({"onnx", "Scatter", 9})->deprecated);
}

std::string refusal(const OperatorId& id) {
  const auto found = find_operator(id);
  EXPECT_FALSE(found);
  EXPECT_EQ(found.error().code(), ErrorCode::kUnsupported);
  return found.error().message();
}

TEST(FindOperator, SuggestsTheNearestName) {
  EXPECT_EQ(refusal({"onnx", "gatherNd", {}}),
            "onnx.gatherNd: there is no such operator; did you mean GatherND?");
  EXPECT_EQ(refusal({"onnx", "ScatterElement", {}}),
            "onnx.ScatterElement: there is no such operator; did you mean ScatterElements?");
  EXPECT_EQ(refusal({"onnx", "Conv", {}}), "onnx.Conv: there is no such operator");
  EXPECT_EQ(refusal({"onnx", "", {}}), "onnx.: there is no such operator");
}

TEST(FindOperator, NamesAnUnknownDialect) {
  EXPECT_EQ(
      refusal({"onyx", "Gather", {}}),
      "onyx.Gather: there is no dialect 'onyx'; there are array, onnx, openvino, tensorrt; did you "
      "mean onnx?");
}

TEST(FindOperator, NamesTheFirstVersion) {
  EXPECT_EQ(refusal({"onnx", "TensorScatter", 23}),
            "onnx.TensorScatter: version 23 is older than its first, 24");
}

TEST(FindOperator, NamesTheVersionsThatAreCountedByThemselves) {
  EXPECT_EQ(find_operator({"openvino", "Gather", 7})->since_version, 7);
  EXPECT_EQ(find_operator({"openvino", "Gather", std::nullopt})->since_version, 8);
  EXPECT_EQ(refusal({"openvino", "Gather", 2}),
            "openvino.Gather: there is no version 2; there is: 1, 7, 8");
  EXPECT_EQ(refusal({"openvino", "Gather", 9}),
            "openvino.Gather: there is no version 9; there is: 1, 7, 8");
}

TEST(FindOperator, TellsWhichValuesAPlanNeeds) {
  const auto gather = find_operator({"openvino", "Gather", 8});
  ASSERT_EQ(gather->inputs.size(), 3U);
  EXPECT_TRUE(gather->inputs[2].value_at_compile);
  EXPECT_FALSE(gather->inputs[1].value_at_compile);
  EXPECT_TRUE(find_operator({"openvino", "GatherElements", 6})->attributes[0].required);
}

TEST(FindOperator, CompileAndBothCallsRefuseTheSame) {
  const OperatorId id{"onnx", "GatherND", 10};
  const std::string message = refusal(id);
  EXPECT_EQ(compile(id, {}, {}).error().message(), message);
  EXPECT_EQ(call(id, {}, {}).error().message(), message);
  EXPECT_EQ(call_reference(id, {}, {}).error().message(), message);
}

}  // namespace
}  // namespace windrow
