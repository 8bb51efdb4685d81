#include "src/plan/lower.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

AxisMap loop_axis(std::int64_t extent, int loop) {
  AxisMap axis;
  axis.extent = extent;
  axis.loops.push_back({loop, 1});
  return axis;
}

AxisMap index_axis(std::int64_t extent, std::vector<IndexCoordinate> coordinates) {
  AxisMap axis;
  axis.extent = extent;
  IndexTerm term;
  term.input = 1;
  term.coordinates = std::move(coordinates);
  term.normalise = Normalise::kNegativeWraps;
  term.legal = {-extent, extent - 1};
  axis.terms.push_back(term);
  return axis;
}

TensorSpec spec(DType dtype, const Shape& shape) {
  TensorSpec result;
  result.dtype = dtype;
  result.shape = shape;
  return result;
}

// Gathers along the axis of a [rows, extent, row] tensor with n indices.
LoweredPlan lower_take(std::int64_t rows, std::int64_t extent, std::int64_t row, std::int64_t n,
                       std::optional<std::int64_t> padding = {}, DType index = DType::kInt64,
                       const Tuning& tuning = {}) {
  Operation operation;
  operation.dtype = DType::kFloat32;
  operation.map.loops = {rows, n, row};
  operation.map.axes = {loop_axis(rows, 0), index_axis(extent, {{1, 0}}), loop_axis(row, 2)};
  operation.map.axes[1].terms.front().padding = padding;
  const std::vector<TensorSpec> inputs = {spec(DType::kFloat32, {rows, extent, row}),
                                          spec(index, {n})};
  const Layout layout{row_major_strides({rows, n, row}, 4),
                      row_major_strides({rows, extent, row}, 4), inputs};
  return lower(operation, layout, tuning).value();
}

// Gathers or scatters elements along an axis of a [rows, columns] tensor, with indices of its
// shape.
LoweredPlan lower_elements(std::int64_t rows, std::int64_t columns, int axis, bool scatter,
                           const Tuning& tuning = {}) {
  Operation operation;
  operation.dtype = DType::kFloat32;
  operation.scatter = scatter;
  operation.map.loops = {rows, columns};
  const AxisMap indexed = index_axis(axis == 0 ? rows : columns, {{0, 0}, {1, 0}});
  operation.map.axes = {axis == 0 ? indexed : loop_axis(rows, 0),
                        axis == 1 ? indexed : loop_axis(columns, 1)};
  const std::vector<TensorSpec> inputs = {spec(DType::kFloat32, {rows, columns}),
                                          spec(DType::kInt32, {rows, columns})};
  const Strides strides = row_major_strides({rows, columns}, 4);
  return lower(operation, {strides, strides, inputs}, tuning).value();
}

// Loops of one element of a table, which an index that all points share chooses: strides of 0 let
// any number of points be.
Status lower_points(const Shape& loops, std::int64_t stride) {
  Operation operation;
  operation.dtype = DType::kFloat32;
  operation.map.loops = loops;
  operation.map.axes = {index_axis(8, {})};
  const std::vector<TensorSpec> inputs = {spec(DType::kFloat32, {8}), spec(DType::kInt64, {})};
  const auto plan = lower(operation, {Strides{0, 0}, Strides{stride}, inputs}, {});
  return plan.ok() ? Status() : plan.error();
}

TEST(Lower, CountsAndAddressesFitIn63Bits) {
  const std::int64_t half = std::int64_t{1} << 32;
  EXPECT_TRUE(lower_points({half / 4, half}, 4).ok());
  EXPECT_EQ(lower_points({half, half}, 4).message(), "the call has more than 2^63-1 elements");
  EXPECT_TRUE(lower_points({2, 2}, std::int64_t{1} << 60).ok());
  EXPECT_EQ(lower_points({2, 2}, std::int64_t{1} << 61).message(),
            "an address of the call exceeds 2^63-1 bytes");
}

TEST(Lower, RowsOfAnAxisZeroTakeAreOneLoopOfRows) {
  const LoweredPlan plan = lower_take(1, 1000, 128, 50);
  EXPECT_TRUE(plan.shared.empty());
  ASSERT_EQ(plan.addressed.size(), 1U);
  EXPECT_EQ(plan.points, 50);
  EXPECT_EQ(plan.row_bytes, 512);
  EXPECT_EQ(plan.unit, 512);
  EXPECT_EQ(plan.offset_count, 1000U);
  EXPECT_TRUE(plan.axes.front().fused);
  EXPECT_EQ(plan.family, Family::kCopyRows);
}

TEST(Lower, UnsignedIndicesAreReadAsSignedOnesOfTheSameWidth) {
  const auto term = [](DType index, std::int64_t extent, std::optional<std::int64_t> padding = {}) {
    return lower_take(1, extent, 1, 50, padding, index).axes.front().terms.front();
  };
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(term(DType::kUint32, kMost).dtype, DType::kInt32);
  EXPECT_EQ(term(DType::kUint32, kMost).given, DType::kUint32);
  EXPECT_FALSE(term(DType::kUint32, kMost).wraps);
  EXPECT_EQ(term(DType::kUint32, kMost + 1).dtype, DType::kUint32);
  EXPECT_EQ(term(DType::kUint64, kMost + 1).dtype, DType::kInt64);
  EXPECT_EQ(term(DType::kUint16, 100).dtype, DType::kUint16);
  EXPECT_EQ(term(DType::kUint32, 100, 7).dtype, DType::kInt32);
  EXPECT_EQ(term(DType::kUint32, 100, kMost).dtype, DType::kUint32);
}

TEST(Lower, PaddingIsCheckedByTheKernels) {
  const LoweredPlan elements = lower_take(1, 1000, 1, 500, -1);
  EXPECT_TRUE(elements.axes.front().fused);
  const auto* straight = find_way<StraightTakes>(elements.ways);
  ASSERT_NE(straight, nullptr);
  EXPECT_EQ(straight->job.padding, -1);
  EXPECT_TRUE(is_small(lower_take(1, 1000, 16, 8, -1)));
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_TRUE(lower_take(1, 100, 1, 500, kMost).axes.front().fused);
  EXPECT_TRUE(lower_take(1, 100, 1, 500, kMost - 1, DType::kUint64).axes.front().fused);
  EXPECT_FALSE(lower_take(1, 100, 1, 500, kMost, DType::kUint64).axes.front().fused);
}

TEST(Lower, OuterLoopsShareTheOffsetsOfALastAxisTake) {
  const LoweredPlan plan = lower_take(64, 1000, 1, 500);
  EXPECT_EQ(plan.shared_points, 64);
  EXPECT_EQ(plan.points, 500);
  EXPECT_EQ(plan.row_bytes, 4);
  EXPECT_EQ(plan.family, Family::kTakeElements);
}

TEST(Lower, FewOffsetsAreCopiedForSeveralOuterPoints) {
  const LoweredPlan plan = lower_take(64, 1000, 1, 3);
  EXPECT_EQ(plan.shared_points, 64);
  EXPECT_EQ(plan.points, 3);
  const auto* way = find_way<SharedOffsets>(plan.ways);
  ASSERT_NE(way, nullptr);
  EXPECT_EQ(way->copies, 64);
  EXPECT_EQ(find_way<SharedOffsets>(lower_take(64, 1000, 1, 63).ways)->copies, kBlockPoints / 63);
  EXPECT_EQ(find_way<SharedOffsets>(lower_take(64, 1000, 1, 64).ways)->copies, 1);
  // The largest offset of all copies still fits in 32 bits.
  EXPECT_EQ(find_way<SharedOffsets>(lower_take(64, 1U << 30, 1, 3).ways)->copies, 3);
}

// The table is as large as four vectors, or one element larger.
TEST(Lower, OffsetsThatServeOuterPointsLookUpInRegisters) {
  const auto look_up = [](std::int64_t extent, std::int64_t points) {
    return find_way<SharedOffsets>(lower_take(64, extent, 1, points).ways)->look_up;
  };
  const Kernel kernel = find_kernel({Family::kLookUp, 4, DType::kInt32});
  const KernelTable& kernels = find_kernel_set("")->table;
  const bool has_one = kernels.get<Family::kTake>(kernel) != nullptr;
  const Kernel wanted = has_one ? kernel : Kernel::kCount;
  EXPECT_EQ(look_up(64, 64), wanted);
  EXPECT_EQ(look_up(65, 64), Kernel::kCount);
  // As many outer points as fit there have enough points together.
  EXPECT_EQ(look_up(5, 6), wanted);
  EXPECT_EQ(look_up(5, 5), Kernel::kCount);
  if (has_one) {
    EXPECT_EQ(find_way<SharedOffsets>(lower_take(64, 5, 1, 6).ways)->copies, 12);
  }
  Tuning off;
  off.straight = false;
  EXPECT_EQ(
      find_way<SharedOffsets>(lower_take(64, 64, 1, 64, {}, DType::kInt64, off).ways)->look_up,
      Kernel::kCount);
}

TEST(Lower, ElementsOffTheLastAxisAreTiledWhenLarge) {
  for (const std::int64_t cache : {std::int64_t{1} << 20, std::int64_t{2} << 20}) {
    Tuning tuning;
    tuning.second_level_bytes = cache;
    const LoweredPlan plan = lower_elements(8192, 2048, 0, false, tuning);
    const auto* lanes = find_way<PackedLanes>(plan.ways);
    ASSERT_NE(lanes, nullptr);
    EXPECT_EQ(lanes->tile, packed_bytes(cache) / (8192 * 4));
    EXPECT_EQ(find_way<PackedLanes>(lower_elements(8, 16, 0, false, tuning).ways), nullptr);
    EXPECT_EQ(find_way<PackedLanes>(lower_elements(8192, 2048, 1, false, tuning).ways), nullptr);
  }
}

TEST(Lower, OnlyInjectiveLanesOfAScatterAreTiled) {
  Tuning tuning;
  tuning.second_level_bytes = std::int64_t{2} << 20;
  const LoweredPlan plan = lower_elements(8192, 2048, 0, true, tuning);
  EXPECT_NE(find_way<PackedLanes>(plan.ways), nullptr);
  EXPECT_TRUE(plan.addressed.back().injective);
}

TEST(Lower, NothingToDoWithoutElements) {
  const LoweredPlan plan = lower_take(2, 5, 0, 3);
  EXPECT_EQ(plan.points, 0);
  PlanDescription description;
  describe(plan, description);
  EXPECT_TRUE(description.empty);
}

TEST(Lower, ACopyOfADenseTensorIsOneRow) {
  const Shape shape{4, 5, 6};
  const Strides strides = row_major_strides(shape, 4);
  const LoweredPlan plan = lower_copy(DType::kFloat32, shape, strides, strides).value();
  EXPECT_EQ(plan.points, 1);
  EXPECT_EQ(plan.row_bytes, 480);
}

TEST(Lower, NegativeStridesStartAtTheLowestByte) {
  const LoweredPlan plan = lower_copy(DType::kFloat32, {5}, {4}, {-4}).value();
  EXPECT_EQ(plan.indirect_first, -16);
  EXPECT_EQ(plan.start, 4U);
}

}  // namespace
}  // namespace windrow::internal
