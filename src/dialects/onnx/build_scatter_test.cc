#include "src/dialects/onnx/schema.h"
#include "src/dialects/test_support.h"

namespace windrow::internal {
namespace {

TEST(BuildScatterElements, EveryAxis) {
  const Tensor indices = Tensor::of<std::int64_t>({2, 1}, {-1, 0});
  const std::vector<TensorView> inputs{shaped({2, 3}), indices, shaped({2, 1})};
  expect_positions(onnx::ScatterElements{.axis = 0, .version = 18}, inputs, [](const Dims& p) {
    return Dims{p[0] == 0 ? 1 : 0, p[1]};
  });
  expect_positions(onnx::ScatterElements{.axis = -1, .version = 11}, inputs, [](const Dims& p) {
    return Dims{p[0], p[0] == 0 ? 2 : 0};
  });
  expect_positions(onnx::Scatter{.axis = 1, .version = 9}, inputs, [](const Dims& p) {
    return Dims{p[0], p[0] == 0 ? 2 : 0};
  });
}

TEST(BuildScatterElements, PoliciesReplaceTheCheck) {
  const Tensor indices = Tensor::of<std::int64_t>({3}, {3, -4, -1});
  const std::vector<TensorView> inputs{shaped({3}), indices, shaped({3})};
  const auto expect = [&](OutOfRange policy, std::vector<Position> positions) {
    expect_positions(
        onnx::ScatterElements{.version = 18}, inputs,
        [&](const Dims& p) { return positions[static_cast<std::size_t>(p[0])]; },
        with_policy(policy));
  };
  expect(OutOfRange::kSkip, {std::nullopt, std::nullopt, Dims{2}});
  expect(OutOfRange::kClamp, {Dims{2}, Dims{0}, Dims{2}});
  expect(OutOfRange::kModulo, {Dims{0}, Dims{2}, Dims{2}});
}

TEST(BuildScatterNd, TuplesSlicesAndTheWholeTensor) {
  const Tensor rows = Tensor::of<std::int64_t>({2, 1}, {-1, 0});
  expect_positions(onnx::ScatterND{.version = 18}, {shaped({3, 2}), rows, shaped({2, 2})},
                   [](const Dims& p) {
                     return Dims{p[0] == 0 ? 2 : 0, p[1]};
                   });
  const Tensor cells = Tensor::of<std::int64_t>({1, 2}, {-1, 1});
  expect_positions(onnx::ScatterND{.version = 11}, {shaped({3, 2}), cells, shaped({1})},
                   [](const Dims&) {
                     return Dims{2, 1};
                   });
  expect_positions(onnx::ScatterND{.version = 13},
                   {shaped({3, 2}), index_shaped({2, 0}), shaped({2, 3, 2})}, [](const Dims& p) {
                     return Dims{p[1], p[2]};
                   });
}

TEST(BuildTensorScatter, LinearAddsTheWriteIndex) {
  const Tensor start = Tensor::of<std::int64_t>({2}, {0, 2});
  expect_positions(onnx::TensorScatter{.version = 24},
                   {shaped({2, 4, 1}), shaped({2, 2, 1}), start}, [](const Dims& p) {
                     return Dims{p[0], p[1] + 2 * p[0], p[2]};
                   });
  expect_positions(onnx::TensorScatter{.axis = 2, .version = 24},
                   {shaped({2, 1, 4}), shaped({2, 1, 2}), start}, [](const Dims& p) {
                     return Dims{p[0], p[1], p[2] + 2 * p[0]};
                   });
}

TEST(BuildTensorScatter, AbsentWriteIndicesAreZeros) {
  const auto from_zero = [](const Dims& p) { return p; };
  const onnx::TensorScatter op{.mode = "circular", .version = 24};
  expect_positions(op, {shaped({2, 4, 1}), shaped({2, 2, 1})}, from_zero);
  expect_positions(op, {shaped({2, 4, 1}), shaped({2, 2, 1}), TensorView()}, from_zero);
}

TEST(BuildTensorScatter, CircularWrapsOnTheSequenceAxis) {
  const Tensor start = Tensor::of<std::int64_t>({2}, {3, INT64_MAX});
  expect_positions(onnx::TensorScatter{.mode = "circular", .version = 24},
                   {shaped({2, 4, 1}), shaped({2, 3, 1}), start}, [](const Dims& p) {
                     return Dims{p[0], (3 + p[1]) % 4, p[2]};  // 2^63-1 modulo 4 is 3 too
                   });
}

TEST(BuildTensorScatter, PoliciesActOnTheSum) {
  const Tensor start = Tensor::of<std::int64_t>({2}, {-1, INT64_MAX});
  const std::vector<TensorView> inputs{shaped({2, 3, 1}), shaped({2, 2, 1}), start};
  const onnx::TensorScatter op{.version = 24};
  expect_positions(
      op, inputs,
      [](const Dims& p) {
        return p[0] == 0 && p[1] == 1 ? Position(Dims{0, 0, 0}) : std::nullopt;
      },
      with_policy(OutOfRange::kSkip));
  expect_positions(
      op, inputs,
      [](const Dims& p) {
        return Dims{p[0], p[0] == 0 ? 0 : 2, 0};
      },
      with_policy(OutOfRange::kClamp));
  expect_positions(
      op, inputs,
      [](const Dims& p) {
        return Dims{p[0], ((p[0] == 0 ? 2 : INT64_MAX % 3) + p[1]) % 3, 0};
      },
      with_policy(OutOfRange::kModulo));
}

// Shapes at the edges: no element, one element, the largest rank.
TEST(BuildScatters, MapsAreValidAtTheEdges) {
  const Shape ones = Shape::filled(kMaxRank, 1);
  const auto valid = [](const auto& op, const std::vector<TensorView>& inputs) {
    for (const OutOfRange policy :
         {OutOfRange::kError, OutOfRange::kSkip, OutOfRange::kClamp, OutOfRange::kModulo})
      if (!is_valid(build_for(op, inputs, with_policy(policy)).map)) return false;
    return true;
  };
  const auto data = [](const Shape& shape) { return shaped(shape); };
  EXPECT_TRUE(valid(onnx::Scatter{.version = 9}, {data({0}), index_shaped({2}), data({2})}));
  EXPECT_TRUE(valid(onnx::ScatterElements{.axis = 31, .version = 18},
                    {data(ones), index_shaped(ones), data(ones)}));
  EXPECT_TRUE(valid(onnx::ScatterElements{.version = 18},
                    {data({2, 0}), index_shaped({5, 0}), data({5, 0})}));
  EXPECT_TRUE(
      valid(onnx::ScatterND{.version = 18}, {data({0}), index_shaped({0, 0}), data({0, 0})}));
  EXPECT_TRUE(valid(onnx::ScatterND{.version = 18}, {data({0, 3}), index_shaped({1}), data({3})}));
  EXPECT_TRUE(
      valid(onnx::ScatterND{.version = 18}, {data(ones), index_shaped({7, 32}), data({7})}));
  for (const std::string mode : {"linear", "circular"}) {
    const onnx::TensorScatter op{.mode = mode, .version = 24};
    EXPECT_TRUE(valid(op, {data({0, 4, 1}), data({0, 2, 1}), index_shaped({0})}));
    EXPECT_TRUE(valid(op, {data({1, 0, 1}), data({1, 0, 1}), index_shaped({1})}));
    EXPECT_TRUE(valid(op, {data(ones), data(ones), index_shaped({1})}));
  }
}

TEST(BuildScatters, OperationsSayHowCellsAndUpdatesMeet) {
  const std::vector<TensorView> inputs{shaped({3}), index_shaped({2}), shaped({2})};
  const auto combine = [&](const std::string& reduction) {
    return build_for(onnx::ScatterElements{.reduction = reduction, .version = 18}, inputs).combine;
  };
  EXPECT_EQ(combine("none"), Combine::kAssign);
  EXPECT_EQ(combine("add"), Combine::kAdd);
  EXPECT_EQ(combine("mul"), Combine::kMul);
  EXPECT_EQ(combine("max"), Combine::kMax);
  EXPECT_EQ(combine("min"), Combine::kMin);
  const auto refuses = [&](const std::string& reduction, const CallOptions& options) {
    return build_for(onnx::ScatterElements{.reduction = reduction, .version = 18}, inputs, options)
        .refuse_duplicates;
  };
  EXPECT_FALSE(refuses("none", {}));
  EXPECT_TRUE(refuses("none", {.strict = true}));
  EXPECT_FALSE(refuses("add", {.strict = true}));
  EXPECT_TRUE(refuses("add", {.duplicates = Duplicates::kError}));
}

TEST(BuildScatters, OnlyTheDeprecatedVersionHasANote) {
  const std::vector<TensorView> inputs{shaped({3}), index_shaped({2}), shaped({2})};
  EXPECT_TRUE(build_for(onnx::Scatter{.version = 9}, inputs).notes.empty());
  EXPECT_TRUE(build_for(onnx::ScatterElements{.version = 18}, inputs).notes.empty());
  const Operation deprecated = build_for(onnx::Scatter{.version = 11}, inputs);
  ASSERT_EQ(deprecated.notes.size(), 1U);
  EXPECT_NE(deprecated.notes.front().find("ScatterElements"), std::string::npos);
}

}  // namespace
}  // namespace windrow::internal
