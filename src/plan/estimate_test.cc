#include "src/plan/estimate.h"

#include <gtest/gtest.h>

#include "src/base/memory.h"
#include "src/plan/lower.h"

namespace windrow::internal {
namespace {

double copy_time(const Shape& shape, const Strides& from, const MachineCosts& costs = {}) {
  return estimate_time(
      lower_copy(DType::kFloat32, shape, row_major_strides(shape, 4), from).value(), costs);
}

TEST(Estimates, MoreElementsTakeMoreTime) {
  EXPECT_LT(copy_time({100, 100}, {800, 8}), copy_time({200, 100}, {800, 8}));
}

TEST(Estimates, AnotherOrderTakesMoreTimeThanGaps) {
  EXPECT_LT(copy_time({300, 300}, {2400, 8}), copy_time({300, 300}, {4, 1200}));
}

TEST(Estimates, LargeMemoryTakesTimeByItsSize) {
  EXPECT_EQ(estimate_new_memory(100, {}), estimate_new_memory(1000, {}));
  EXPECT_LT(estimate_new_memory(1 << 20, {}), estimate_new_memory(1 << 22, {}));
}

TEST(Estimates, AreSumsOfCosts) {
  MachineCosts ten;
  MachineCosts none;
  for (const CostRow& row : kCostRows) {
    ten.*row.cost *= 10;
    none.*row.cost = 0;
  }
  const Strides turned{4, 1200};
  const double all = copy_time({300, 300}, turned);
  EXPECT_NEAR(copy_time({300, 300}, turned, ten), 10 * all, 1e-6 * all);
  double sum = 0;
  for (const CostRow& row : kCostRows) {
    MachineCosts one = none;
    one.*row.cost = row.preset;
    sum += copy_time({300, 300}, turned, one);
  }
  EXPECT_NEAR(sum, all, 1e-6 * all);
}

TEST(Estimates, ATurnedCopyTakesMoreWhereTurningCostsMore) {
  MachineCosts costs;
  costs.turned_byte *= 100;
  EXPECT_GT(copy_time({300, 300}, {4, 1200}, costs), 30 * copy_time({300, 300}, {4, 1200}));
  EXPECT_EQ(copy_time({300, 300}, {2400, 8}, costs), copy_time({300, 300}, {2400, 8}));
}

// The time of `rows` times `points` elements with an index each, which lie `step` bytes apart in a
// row.
double walk_time_of(std::int64_t rows, std::int64_t points, std::int64_t step) {
  LoweredPlan plan;
  plan.dtype = DType::kInt32;
  plan.row_bytes = 4;
  plan.addressed = {{rows, {4 * points, 0, 4}}, {points, {4, 0, step}}};
  plan.points = rows * points;
  AddressTerm term;
  term.track = kFirstAddressTrack;
  term.element_bytes = 4;
  plan.axes.emplace_back();
  plan.axes.back().terms.push_back(term);
  plan.ways.emplace_back(Boxes{});
  return estimate_time(plan, MachineCosts());
}

TEST(Estimates, CacheLinesThatEveryPassFetchesAgainTakeTime) {
  const std::int64_t lines = second_level_cache() / kLine;
  const std::int64_t few = lines / 2;
  const std::int64_t many = lines * 2;
  // Per point, as the time of a block is the same for both.
  const auto per_point = [](std::int64_t points, std::int64_t step) {
    return walk_time_of(8, points, step) / static_cast<double>(8 * points);
  };
  EXPECT_NEAR(per_point(few, 400), per_point(few, 8), 0.01);
  EXPECT_GT(per_point(many, 400), 2 * per_point(few, 400));
  EXPECT_GT(per_point(many, 64), per_point(many, 32));
  EXPECT_NEAR(per_point(many, 4), per_point(few, 4), 0.01);
}

}  // namespace
}  // namespace windrow::internal
