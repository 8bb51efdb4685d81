#include "windrow/operators.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "src/c_api/error.h"
#include "windrow/c.h"
#include "windrow/c_operators.h"

namespace windrow {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};

std::size_t row_of(std::string_view dialect, std::string_view name, int version) {
  windrow_operator row{};
  for (std::size_t i = 0; windrow_operator_at(i, &row) == 1; ++i)
    if (row.dialect == dialect && row.name == name && row.since_version == version) return i;
  return kNone;
}

TEST(CApiOperators, ListsInputsAsTheTableDoes) {
  const std::vector<OperatorInfo> operators = list_operators();
  windrow_operator_input input{};
  for (std::size_t row = 0; row < operators.size(); ++row) {
    const auto& inputs = operators[row].inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      ASSERT_EQ(windrow_operator_input_at(row, i, &input), 1);
      EXPECT_EQ(input.name, inputs[i].name);
      EXPECT_EQ(input.optional != 0, inputs[i].optional);
      EXPECT_EQ(input.result_type != 0, inputs[i].type_group == "T");
      EXPECT_EQ(input.value_at_compile != 0, inputs[i].value_at_compile);
      EXPECT_EQ(input.counted_input, inputs[i].counted_input);
      ASSERT_EQ(input.dtype_count, inputs[i].dtypes.size());
      for (std::size_t k = 0; k < input.dtype_count; ++k)
        EXPECT_EQ(internal::from_c(input.dtypes[k]), inputs[i].dtypes[k]);
    }
    EXPECT_EQ(windrow_operator_input_at(row, inputs.size(), &input), 0);
  }
  EXPECT_EQ(windrow_operator_input_at(operators.size(), 0, &input), 0);
}

TEST(CApiOperators, ListsAttributesAsTheTableDoes) {
  const std::vector<OperatorInfo> operators = list_operators();
  windrow_operator_attribute attribute{};
  for (std::size_t row = 0; row < operators.size(); ++row) {
    const auto& attributes = operators[row].attributes;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      ASSERT_EQ(windrow_operator_attribute_at(row, i, &attribute), 1);
      EXPECT_EQ(attribute.value.name, attributes[i].name);
      EXPECT_EQ(attribute.required != 0, attributes[i].required);
      // Every kind that the table uses has a member of windrow_attribute.
      EXPECT_NE(attribute.value.kind, 0) << operators[row].name << ' ' << attributes[i].name;
      if (const auto* number = std::get_if<std::int64_t>(&attributes[i].default_value)) {
        EXPECT_EQ(attribute.value.int_value, *number);
      }
      if (const auto* text = std::get_if<std::string>(&attributes[i].default_value)) {
        EXPECT_EQ(attribute.value.string_value, *text);
      }
    }
    EXPECT_EQ(windrow_operator_attribute_at(row, attributes.size(), &attribute), 0);
  }
  EXPECT_EQ(windrow_operator_attribute_at(operators.size(), 0, &attribute), 0);
}

struct Inferred {
  windrow_code code = WINDROW_OK;
  std::int32_t rank = -2;
  std::array<std::int64_t, 32> extents{};
};

Inferred infer(std::size_t row, const std::vector<std::vector<std::int64_t>>& shapes,
               const std::int64_t* axis = nullptr) {
  std::vector<windrow_partial_shape> inputs;
  inputs.reserve(shapes.size());
  for (const auto& shape : shapes)
    inputs.push_back({static_cast<std::int32_t>(shape.size()), shape.data()});
  std::vector<const std::int64_t*> values(shapes.size(), nullptr);
  values.back() = axis;
  Inferred result;
  result.code = windrow_infer_shape(row, nullptr, 0, inputs.data(), values.data(), inputs.size(),
                                    &result.rank, result.extents.data(), nullptr);
  return result;
}

TEST(CApiOperators, InfersShapesOfWhichPartIsKnown) {
  const Inferred result = infer(row_of("onnx", "Gather", 13), {{5, -1, 7}, {-1, 2}});
  ASSERT_EQ(result.code, WINDROW_OK);
  ASSERT_EQ(result.rank, 4);
  EXPECT_EQ(std::vector(result.extents.begin(), result.extents.begin() + 4),
            (std::vector<std::int64_t>{-1, 2, -1, 7}));
}

TEST(CApiOperators, InfersWithTheValuesOfVectors) {
  const std::array<std::int64_t, 2> data = {4, 5};
  const std::array<std::int64_t, 1> length = {2};
  const std::array<std::int64_t, 2> zeros = {0, 0};
  const std::array<std::int64_t, 2> ends = {3, 1};
  const std::array<std::int64_t, 2> steps = {2, 1};
  const std::array<std::int64_t, 2> axes = {0, 1};
  const auto infer_slice = [&](const std::array<std::int64_t, 2>& updates, std::size_t count = 6) {
    const windrow_partial_shape vector = {1, length.data()};
    const windrow_partial_shape inputs[] = {
        {2, data.data()}, {2, updates.data()}, vector, vector, vector, vector};
    const std::int64_t* values[] = {nullptr,     nullptr,      zeros.data(),
                                    ends.data(), steps.data(), axes.data()};
    std::int32_t rank = -1;
    std::int64_t extents[32];
    return windrow_infer_shape(row_of("openvino", "SliceScatter", 15), nullptr, 0, inputs, values,
                               count, &rank, extents, nullptr);
  };
  EXPECT_EQ(infer_slice({2, 1}), WINDROW_OK);
  EXPECT_EQ(infer_slice({2, 2}), WINDROW_SHAPE);
  // Without axes the first ones are sliced.
  EXPECT_EQ(infer_slice({2, 1}, 5), WINDROW_OK);
  EXPECT_EQ(infer_slice({2, 2}, 5), WINDROW_SHAPE);
}

TEST(CApiOperators, AnInputBeforeOthersMayBeOmitted) {
  const std::array<std::int64_t, 2> extents = {6, 4};
  const auto infer_bags = [&](std::int32_t ids_rank, std::int32_t offsets_rank) {
    const windrow_partial_shape inputs[] = {{2, extents.data()},
                                            {ids_rank, extents.data()},
                                            {offsets_rank, extents.data()},
                                            {ids_rank, extents.data()}};
    std::int32_t rank = -1;
    std::int64_t result[32];
    return windrow_infer_shape(row_of("array", "EmbeddingBag", 1), nullptr, 0, inputs, nullptr, 4,
                               &rank, result, nullptr);
  };
  constexpr std::int32_t kUnknown = -1;
  EXPECT_EQ(infer_bags(2, WINDROW_OMITTED_INPUT), WINDROW_OK);
  EXPECT_EQ(infer_bags(1, WINDROW_OMITTED_INPUT), WINDROW_SHAPE);
  EXPECT_EQ(infer_bags(1, kUnknown), WINDROW_OK);
  EXPECT_EQ(infer_bags(WINDROW_OMITTED_INPUT, kUnknown), WINDROW_INVALID_ARGUMENT);
  EXPECT_EQ(infer_bags(2, WINDROW_OMITTED_INPUT - 1), WINDROW_INVALID_ARGUMENT);
}

TEST(CApiOperators, InfersWithTheValueOfAnAxis) {
  const std::size_t gather = row_of("openvino", "Gather", 8);
  const std::int64_t axis = 1;
  const Inferred result = infer(gather, {{5, 6}, {3}, {}}, &axis);
  ASSERT_EQ(result.rank, 2);
  EXPECT_EQ(result.extents[0], 5);
  EXPECT_EQ(result.extents[1], 3);
  EXPECT_EQ(infer(gather, {{5, 6}, {3}, {}}).code, WINDROW_OK);
}

TEST(CApiOperators, KnowsNothingOfInputsThatAreNotGiven) {
  EXPECT_EQ(infer(row_of("onnx", "Gather", 13), {{5, 6}}).rank, -1);
  const Inferred scatter = infer(row_of("openvino", "ScatterUpdate", 3), {{5, 6}});
  ASSERT_EQ(scatter.rank, 2);
  EXPECT_EQ(scatter.extents[1], 6);
}

TEST(CApiOperators, RefusesRanksThatNoTensorHas) {
  const std::vector<std::int64_t> thirty(30, 1);
  const std::size_t gather = row_of("onnx", "Gather", 13);
  EXPECT_EQ(infer(gather, {thirty, {1, 1, 1}}).rank, 32);
  EXPECT_EQ(infer(gather, {thirty, {1, 1, 1, 1}}).code, WINDROW_SHAPE);
  EXPECT_EQ(infer(gather, {std::vector<std::int64_t>(33, 1), {1}}).code, WINDROW_SHAPE);
}

TEST(CApiOperators, SaysWhichRuleShapesBreak) {
  EXPECT_EQ(infer(row_of("onnx", "GatherElements", 13), {{5, 6}, {3}}).code, WINDROW_SHAPE);
  EXPECT_EQ(infer(kNone, {{5}, {3}}).code, WINDROW_UNSUPPORTED);
}

TEST(CApiTables, ListsOperatorsKernelSetsAndTheVersion) {
  EXPECT_EQ(windrow_version(), std::string(version()));
  const std::vector<OperatorInfo> operators = list_operators();
  ASSERT_EQ(windrow_operator_count(), operators.size());
  windrow_operator row{};
  for (std::size_t i = 0; i < operators.size(); ++i) {
    ASSERT_EQ(windrow_operator_at(i, &row), 1);
    EXPECT_EQ(row.dialect, operators[i].dialect);
    EXPECT_EQ(row.domain, operators[i].domain);
    EXPECT_EQ(row.name, operators[i].name);
    EXPECT_EQ(row.since_version, operators[i].since_version);
    EXPECT_EQ(row.until_version, operators[i].until_version);
    EXPECT_EQ(row.deprecated != 0, operators[i].deprecated);
    EXPECT_EQ(row.scatter != 0, operators[i].scatter);
  }
  EXPECT_EQ(windrow_operator_at(operators.size(), &row), 0);

  const std::vector<KernelSet> sets = list_kernel_sets();
  ASSERT_EQ(windrow_kernel_set_count(), sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    int supported = -1;
    EXPECT_EQ(windrow_kernel_set_at(i, &supported), sets[i].name);
    EXPECT_EQ(supported, sets[i].supported ? 1 : 0);
  }
  EXPECT_EQ(windrow_kernel_set_at(sets.size(), nullptr), nullptr);
}

}  // namespace
}  // namespace windrow
