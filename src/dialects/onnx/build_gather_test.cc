#include "src/dialects/onnx/schema.h"
#include "src/dialects/test_support.h"

namespace windrow::internal {
namespace {

const Tensor& four_indices() {
  static const Tensor indices = Tensor::of<std::int64_t>({2, 2}, {1, -1, 0, -2});
  return indices;
}

// The index at a position of four_indices, on an axis of `extent`.
std::int64_t coordinate(std::int64_t i, std::int64_t j, std::int64_t extent) {
  const std::int64_t index =
      four_indices().values<std::int64_t>()[static_cast<std::size_t>(2 * i + j)];
  return index < 0 ? index + extent : index;
}

TEST(BuildGather, EveryAxis) {
  const TensorView data = shaped({2, 3, 4});
  const std::vector<TensorView> inputs{data, four_indices()};
  expect_positions(onnx::Gather{.axis = 0, .version = 13}, inputs, [](const Dims& p) {
    return Dims{coordinate(p[0], p[1], 2), p[2], p[3]};
  });
  expect_positions(onnx::Gather{.axis = 1, .version = 13}, inputs, [](const Dims& p) {
    return Dims{p[0], coordinate(p[1], p[2], 3), p[3]};
  });
  expect_positions(onnx::Gather{.axis = -1, .version = 13}, inputs, [](const Dims& p) {
    return Dims{p[0], p[1], coordinate(p[2], p[3], 4)};
  });
}

TEST(BuildGather, AnIndexOfRankZeroRemovesTheAxis) {
  const Tensor index = Tensor::of<std::int64_t>({}, {2});
  const std::vector<TensorView> inputs{shaped({2, 3}), index};
  expect_positions(onnx::Gather{.axis = 1, .version = 1}, inputs, [](const Dims& p) {
    return Dims{p[0], 2};
  });
  EXPECT_EQ(build_for(onnx::Gather{.axis = 1, .version = 1}, inputs).result_shape, Shape({2}));
}

TEST(BuildGather, PoliciesReplaceTheCheck) {
  const Tensor indices = Tensor::of<std::int64_t>({4}, {3, -4, 2, -1});
  const std::vector<TensorView> inputs{shaped({3}), indices};
  const auto expect = [&](OutOfRange policy, std::vector<Position> positions) {
    expect_positions(
        onnx::Gather{.version = 13}, inputs,
        [&](const Dims& p) { return positions[static_cast<std::size_t>(p[0])]; },
        with_policy(policy));
  };
  expect(OutOfRange::kZero, {std::nullopt, std::nullopt, Dims{2}, Dims{2}});
  expect(OutOfRange::kClamp, {Dims{2}, Dims{0}, Dims{2}, Dims{2}});
  expect(OutOfRange::kModulo, {Dims{0}, Dims{2}, Dims{2}, Dims{2}});
}

TEST(BuildGather, LegalRanges) {
  const std::vector<TensorView> inputs{shaped({3}), index_shaped({2})};
  const auto legal = [&](const onnx::Gather& op, const CallOptions& options) {
    return build_for(op, inputs, options).map.axes.front().terms.front().legal;
  };
  const auto counted = legal({.version = 13}, {});
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted->low, -3);
  EXPECT_EQ(counted->high, 2);
  const auto refused = legal({.version = 1}, {.strict = true});
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->low, 0);
  EXPECT_EQ(refused->high, 2);
  EXPECT_FALSE(legal({.version = 13}, with_policy(OutOfRange::kZero)));
}

TEST(BuildGatherElements, EveryAxis) {
  const std::vector<TensorView> inputs{shaped({2, 3}), four_indices()};
  expect_positions(onnx::GatherElements{.axis = 0, .version = 13}, inputs, [](const Dims& p) {
    return Dims{coordinate(p[0], p[1], 2), p[1]};
  });
  expect_positions(onnx::GatherElements{.axis = -1, .version = 11}, inputs, [](const Dims& p) {
    return Dims{p[0], coordinate(p[0], p[1], 3)};
  });
}

TEST(BuildGatherNd, TuplesAndSlices) {
  expect_positions(onnx::GatherND{.version = 11}, {shaped({2, 3}), four_indices()},
                   [](const Dims& p) {
                     return Dims{coordinate(p[0], 0, 2), coordinate(p[0], 1, 3)};
                   });
  expect_positions(onnx::GatherND{.version = 13}, {shaped({2, 3, 4}), four_indices()},
                   [](const Dims& p) {
                     return Dims{coordinate(p[0], 0, 2), coordinate(p[0], 1, 3), p[1]};
                   });
}

TEST(BuildGatherNd, BatchAxes) {
  expect_positions(onnx::GatherND{.batch_dims = 1, .version = 12},
                   {shaped({2, 3, 4}), four_indices()}, [](const Dims& p) {
                     return Dims{p[0], coordinate(p[0], 0, 3), coordinate(p[0], 1, 4)};
                   });
}

TEST(BuildArrayFeatureExtractor, TheLastAxis) {
  const Tensor indices = Tensor::of<std::int64_t>({1, 3}, {2, 0, 1});
  const std::vector<TensorView> inputs{shaped({2, 3}), indices};
  const Operation operation = build_for(onnx::ArrayFeatureExtractor{.version = 1}, inputs);
  EXPECT_EQ(operation.result_shape, Shape({2, 3}));
  expect_positions(onnx::ArrayFeatureExtractor{.version = 1}, inputs, [&](const Dims& p) {
    return Dims{p[0], indices.values<std::int64_t>()[static_cast<std::size_t>(p[1])]};
  });
}

TEST(BuildArrayFeatureExtractor, XOfRankOneGivesARow) {
  const Tensor index = Tensor::of<std::int64_t>({}, {1});
  const std::vector<TensorView> inputs{shaped({3}), index};
  expect_positions(onnx::ArrayFeatureExtractor{.version = 1}, inputs,
                   [](const Dims&) { return Dims{1}; });
  EXPECT_EQ(build_for(onnx::ArrayFeatureExtractor{.version = 1}, inputs).result_shape,
            Shape({1, 1}));
}

TEST(BuildArrayFeatureExtractor, NegativeIndicesAreOutside) {
  const Tensor indices = Tensor::of<std::int64_t>({2}, {-1, 3});
  const std::vector<TensorView> inputs{shaped({3}), indices};
  expect_positions(
      onnx::ArrayFeatureExtractor{.version = 1}, inputs, [](const Dims&) { return std::nullopt; },
      with_policy(OutOfRange::kZero));
  expect_positions(
      onnx::ArrayFeatureExtractor{.version = 1}, inputs,
      [](const Dims& p) { return Dims{p[0] == 0 ? 0 : 2}; }, with_policy(OutOfRange::kClamp));
}

// Shapes at the edges: no element, one element, the largest rank.
TEST(BuildGathers, MapsAreValidAtTheEdges) {
  const Shape ones = Shape::filled(kMaxRank, 1);
  const auto valid = [](const auto& op, const std::vector<TensorView>& inputs) {
    for (const OutOfRange policy :
         {OutOfRange::kError, OutOfRange::kZero, OutOfRange::kClamp, OutOfRange::kModulo})
      if (!is_valid(build_for(op, inputs, with_policy(policy)).map)) return false;
    return true;
  };
  EXPECT_TRUE(valid(onnx::Gather{.version = 13}, {shaped({0}), index_shaped({2})}));
  EXPECT_TRUE(valid(onnx::Gather{.version = 13}, {shaped({2, 0}), index_shaped({0})}));
  EXPECT_TRUE(valid(onnx::Gather{.axis = 31, .version = 13}, {shaped(ones), index_shaped({5})}));
  EXPECT_TRUE(valid(onnx::Gather{.version = 13}, {shaped({3}), index_shaped(ones)}));
  EXPECT_TRUE(valid(onnx::GatherElements{.version = 13}, {shaped({0, 2}), index_shaped({3, 0})}));
  EXPECT_TRUE(
      valid(onnx::GatherElements{.axis = 31, .version = 13}, {shaped(ones), index_shaped(ones)}));
  EXPECT_TRUE(valid(onnx::GatherND{.version = 13}, {shaped({0, 3}), index_shaped({2, 1})}));
  EXPECT_TRUE(valid(onnx::GatherND{.version = 13}, {shaped(ones), index_shaped({4, 32})}));
  EXPECT_TRUE(valid(onnx::GatherND{.batch_dims = 1, .version = 13},
                    {shaped({0, 3}), index_shaped({0, 2, 1})}));
  EXPECT_TRUE(valid(onnx::ArrayFeatureExtractor{.version = 1}, {shaped(ones), index_shaped(ones)}));
  EXPECT_TRUE(valid(onnx::ArrayFeatureExtractor{.version = 1},
                    {shaped({1, 2, 0}), index_shaped({0, 1, 2})}));
}

}  // namespace
}  // namespace windrow::internal
