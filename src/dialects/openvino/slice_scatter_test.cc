#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "src/dialects/openvino/schema.h"
#include "src/dialects/test_support.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

struct Vectors {
  std::vector<std::int64_t> start;
  std::vector<std::int64_t> stop;
  std::vector<std::int64_t> step;
  std::vector<std::int64_t> axes = {};  // empty: the input is absent
};

TensorSpec known(const std::vector<std::int64_t>& numbers) {
  const Tensor tensor =
      Tensor::from<std::int64_t>({static_cast<std::int64_t>(numbers.size())}, numbers);
  TensorSpec spec = tensor.spec();
  spec.value = std::make_shared<const Tensor>(tensor.clone().value());
  return spec;
}

Operation built(const Shape& data, const Shape& updates, const Vectors& vectors) {
  std::vector<TensorSpec> specs = {shaped(data).spec(), shaped(updates).spec(),
                                   known(vectors.start), known(vectors.stop), known(vectors.step)};
  if (!vectors.axes.empty()) specs.push_back(known(vectors.axes));
  Result<Operation> operation = make_operation(openvino::SliceScatter{}, specs, {});
  EXPECT_TRUE(operation.ok()) << operation.error().message();
  EXPECT_TRUE(is_valid(operation->map));
  return *std::move(operation);
}

// The cells of a vector of `extent` elements that its slice has, in their order.
std::vector<std::int64_t> cells(std::int64_t extent, std::int64_t count, std::int64_t start,
                                std::int64_t stop, std::int64_t step) {
  const Operation operation = built({extent}, {count}, {{start}, {stop}, {step}});
  std::vector<std::int64_t> found;
  for (std::int64_t i = 0; i < count; ++i)
    found.push_back(evaluate(operation.map, {}, {i}).value()[0]);
  return found;
}

using Cells = std::vector<std::int64_t>;

TEST(OpenvinoBuildSliceScatter, TakesTheCellsOfNumpysSlice) {
  EXPECT_EQ(cells(5, 2, 1, 3, 1), (Cells{1, 2}));
  EXPECT_EQ(cells(5, 3, -25, 25, 2), (Cells{0, 2, 4}));
  EXPECT_EQ(cells(5, 5, -1, kLeast, -1), (Cells{4, 3, 2, 1, 0}));
  EXPECT_EQ(cells(5, 2, kMost, 0, -3), (Cells{4, 1}));
  EXPECT_EQ(cells(5, 1, 2, kMost, kMost), (Cells{2}));
  EXPECT_EQ(cells(5, 1, 2, kLeast, kLeast), (Cells{2}));
  EXPECT_EQ(cells(5, 0, 3, 3, 1), Cells());
  EXPECT_EQ(cells(5, 0, -6, kLeast, -1), Cells());
  EXPECT_EQ(cells(5, 0, 5, 9, 1), Cells());
  EXPECT_EQ(cells(0, 0, 0, kMost, 1), Cells());
  EXPECT_EQ(cells(0, 0, 0, kLeast, -1), Cells());
}

TEST(OpenvinoBuildSliceScatter, SlicesTheAxesThatAreNamedOrTheFirst) {
  const Operation first = built({4, 5}, {2, 5}, {{3}, {0}, {-2}});
  EXPECT_EQ(evaluate(first.map, {}, {1, 4}), (Dims{1, 4}));
  const Operation named = built({4, 5}, {4, 2}, {{3}, {9}, {1}, {-1}});
  EXPECT_EQ(evaluate(named.map, {}, {3, 1}), (Dims{3, 4}));
  const Operation both = built({4, 5}, {2, 2}, {{3, 1}, {9, 9}, {1, 2}, {1, 0}});
  EXPECT_EQ(evaluate(both.map, {}, {1, 1}), (Dims{3, 4}));
  const Operation none = built({4, 5}, {4, 5}, {{}, {}, {}});
  EXPECT_EQ(evaluate(none.map, {}, {3, 2}), (Dims{3, 2}));
}

}  // namespace
}  // namespace windrow::internal
