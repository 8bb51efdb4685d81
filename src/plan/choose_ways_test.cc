#include "src/plan/choose_ways.h"

#include <gtest/gtest.h>

#include "src/plan/lower.h"

namespace windrow::internal {
namespace {

// Elements along an axis of a float32 tensor with int32 indices [rows, columns].
struct Call {
  std::int64_t extent = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  int axis = 0;
  bool scatter = false;
};

LoweredPlan lower_call(const Call& call, Tuning tuning = {}) {
  tuning.second_level_bytes = std::int64_t{2} << 20;
  AxisMap indexed;
  indexed.extent = call.extent;
  IndexTerm term;
  term.coordinates = {{0, 0}, {1, 0}};
  term.legal = {0, call.extent - 1};
  indexed.terms.push_back(term);
  AxisMap other;
  other.extent = call.axis == 0 ? call.columns : call.rows;
  other.loops.push_back({1 - call.axis, 1});
  Operation operation;
  operation.dtype = DType::kFloat32;
  operation.scatter = call.scatter;
  operation.map.loops = {call.rows, call.columns};
  operation.map.axes = {call.axis == 0 ? indexed : other, call.axis == 0 ? other : indexed};
  TensorSpec indices;
  indices.dtype = DType::kInt32;
  indices.shape = operation.map.loops;
  const std::vector<TensorSpec> inputs = {indices};
  const Shape data = {operation.map.axes[0].extent, operation.map.axes[1].extent};
  return lower(operation,
               {row_major_strides(operation.map.loops, 4), row_major_strides(data, 4), inputs},
               tuning)
      .value();
}

// Whether the candidates are ways of exactly these types, in this order.
template <class... Expected>
bool are(const std::vector<Way>& ways) {
  const std::vector<std::size_t> expected = {Way(Expected{}).index()...};
  std::vector<std::size_t> actual;
  for (const Way& way : ways) actual.push_back(way.index());
  return actual == expected;
}

TEST(ChooseWays, SmallAndEmptyPlansHaveOne) {
  EXPECT_TRUE((are<SmallBlock>(lower_call({10, 8, 16, 0}).ways)));
  EXPECT_TRUE((are<NoPoints>(lower_call({10, 0, 16, 0}).ways)));
}

TEST(ChooseWays, LeversShowInTheLoops) {
  Tuning tuning;
  tuning.forces_levers = true;
  EXPECT_FALSE(is_small(lower_call({10, 8, 16, 0}, tuning)));
}

TEST(ChooseWays, ElementsAreTakenStraight) {
  EXPECT_TRUE((are<StraightTakes>(lower_call({1000, 100, 500, 1}).ways)));
  const LoweredPlan flat = lower_call({100, 1000, 8, 1});
  EXPECT_TRUE((are<FlatTakes, StraightTakes>(flat.ways)));
  EXPECT_TRUE(flat.flat);
}

TEST(ChooseWays, LanesMayBePackedOrHoldOneIndexARow) {
  EXPECT_TRUE((are<ConstantRows, PackedLanes>(lower_call({8192, 8192, 2048, 0}).ways)));
  const LoweredPlan plan = lower_call({8192, 100, 2048, 0});
  EXPECT_TRUE((are<ConstantRows, Boxes>(plan.ways)));
  const LoweredPlan& rows = *find_way<ConstantRows>(plan.ways)->rows;
  EXPECT_EQ(rows.row_bytes, 2048 * 4);
  EXPECT_EQ(rows.points, 100);
  EXPECT_TRUE((are<Boxes>(rows.ways)));
}

TEST(ChooseWays, ScattersTryPiecesThenSortedRangesThenBuckets) {
  const LoweredPlan plan = lower_call({1000, 100, 500, 1, true});
  EXPECT_TRUE((are<Pieces, SortedRanges, Buckets, Boxes>(plan.ways)));
  EXPECT_EQ(find_way<Pieces>(plan.ways)->bytes, 4000);
  EXPECT_FALSE(find_way<Buckets>(plan.ways)->forced);
  Tuning tuning;
  tuning.forces_levers = true;
  tuning.buckets = true;
  const LoweredPlan forced = lower_call({1000, 100, 500, 1, true}, tuning);
  EXPECT_TRUE((are<SortedRanges, Buckets, Boxes>(forced.ways)));
  EXPECT_TRUE(find_way<Buckets>(forced.ways)->forced);
  tuning.buckets = tuning.sorted = tuning.fused_copy = false;
  EXPECT_TRUE((are<Boxes>(lower_call({1000, 100, 500, 1, true}, tuning).ways)));
}

}  // namespace
}  // namespace windrow::internal
