#include "src/plan/offsets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "src/base/memory.h"
#include "src/plan/nest_fixture.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

LoweredPlan plan_of(const LoopNest& nest, const std::vector<std::int64_t>& extents) {
  LoweredPlan plan;
  plan.element_bytes = 4;
  plan.addressed = nest;
  for (const std::int64_t extent : extents) {
    AddressAxis axis;
    axis.extent = extent;
    plan.axes.push_back(axis);
  }
  return plan;
}

TEST(ChooseOffsets, OffsetsKeepTheBytePositions) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    const LoopNest nest = random_nest(random, 2);
    const auto extent = static_cast<std::int64_t>(1 + random() % 5);
    const std::int64_t stride = 4 * (static_cast<std::int64_t>(random() % 9) - 4);
    LoweredPlan plan = plan_of(nest, {extent});
    ASSERT_TRUE(choose_offsets({stride}, plan));
    const auto before = walk(nest, 2);
    const auto after = walk(plan.addressed, 2);
    for (std::size_t p = 0; p < before.size(); ++p) {
      for (std::int64_t c = 0; c < extent; ++c) {
        const std::uint64_t offset = plan.start +
                                     static_cast<std::uint64_t>(after[p][kIndirectTrack]) +
                                     static_cast<std::uint64_t>(c) * plan.axes[0].multiplier;
        ASSERT_LT(offset, plan.offset_count);
        ASSERT_EQ(plan.indirect_first + static_cast<std::int64_t>(offset) * plan.unit,
                  before[p][kIndirectTrack] + c * stride);
      }
    }
  }
}

TEST(ChooseOffsets, GoesTo64BitsWhenAllOnesIsNeeded) {
  for (const std::int64_t extent : {std::int64_t{0xffffffff}, std::int64_t{0x100000000}}) {
    LoweredPlan plan = plan_of({{1, {0, 0}}}, {extent});
    ASSERT_TRUE(choose_offsets({4}, plan));
    EXPECT_EQ(plan.wide_offsets, extent > 0xffffffff);
  }
}

TEST(ChooseOffsets, RefusesAddressesBeyond63Bits) {
  LoweredPlan plan = plan_of({{1, {0, 0}}}, {std::numeric_limits<std::int64_t>::max()});
  EXPECT_FALSE(choose_offsets({16}, plan));
}

// Outer rows that are part of no address, then `points` points with an index each. Each row begins
// `gap` bytes after the one before on the direct side.
LoopNest rows_of(std::int64_t points, bool injective, std::int64_t gap = 0) {
  return {{5, {points * 4 + gap, 4000, 0}, injective}, {points, {4, 0, 8}}};
}

std::size_t shared_loops(LoopNest nest, bool scatter) {
  LoweredPlan plan;
  plan.scatter = scatter;
  const std::size_t loops = nest.size();
  share_offsets(nest, plan);
  EXPECT_EQ(nest.size() + plan.shared.size(), loops);
  return plan.shared.size();
}

TEST(ShareOffsets, LeadingLoopsWithoutAnAddressAreShared) {
  EXPECT_EQ(shared_loops(rows_of(kLeastSharedPoints, false), false), 1U);
  EXPECT_EQ(shared_loops(rows_of(kLeastSharedPoints, false, 4), false), 1U);
}

TEST(ShareOffsets, AFewPointsOfAGatherAreSharedIfOuterPointsMakeUpABlock) {
  const std::int64_t few = kLeastSharedPoints - 1;
  EXPECT_EQ(shared_loops(rows_of(few, false), false), 1U);
  EXPECT_EQ(shared_loops(rows_of(few, false, 4), false), 0U);
  EXPECT_EQ(shared_loops(rows_of(few, true), true), 0U);
  EXPECT_EQ(shared_loops(rows_of(1, false), false), 1U);
  EXPECT_EQ(shared_loops({rows_of(1, false).front()}, false), 0U);
}

TEST(ShareOffsets, AScatterNeedsThemInjective) {
  EXPECT_EQ(shared_loops(rows_of(1000, true), true), 1U);
  EXPECT_EQ(shared_loops(rows_of(1000, false), true), 0U);
}

TEST(ShareOffsets, TheRestIsDenseOnTheDirectSide) {
  LoopNest nest = rows_of(1000, true);
  nest.push_back({2, {2, 0, 4}});
  EXPECT_EQ(shared_loops(nest, false), 1U);
  nest.back().strides[kDirectTrack] = 1;
  EXPECT_EQ(shared_loops(nest, false), 0U);
}

// Outer rows, `points` points with an index each, and two elements that lie `apart` bytes from each
// other on the indirect side: the last loops are inside of those that need offsets.
LoopNest pairs_of(std::int64_t points, std::int64_t apart) {
  return {{5, {points * 8, 4000, 0}}, {points, {8, 0, 8}}, {2, {4, apart, 0}}};
}

// Whether the last loops of a gather from a table of this size are moved outside.
bool are_turned(LoopNest nest, std::int64_t table_bytes, LoweredPlan plan = {}) {
  const LoopNest before = nest;
  plan.row_bytes = plan.row_bytes == 0 ? 4 : plan.row_bytes;
  turn_short_loops(nest, table_bytes, plan);
  auto points = walk(before, 3);
  auto turned = walk(nest, 3);
  const bool same = points == turned;
  std::sort(points.begin(), points.end());
  std::sort(turned.begin(), turned.end());
  EXPECT_EQ(points, turned);
  return !same;
}

TEST(TurnShortLoops, ALastLoopOfAFewPointsIsMovedOutside) {
  EXPECT_TRUE(are_turned(pairs_of(1000, 8), 1000));
  LoopNest first = pairs_of(1000, 8);
  first.erase(first.begin());
  EXPECT_TRUE(are_turned(first, 1000));
  LoopNest two = pairs_of(1000, 8);
  two[1].strides[kDirectTrack] = 16;
  two.insert(two.end() - 1, {2, {8, 400, 0}});
  EXPECT_TRUE(are_turned(two, 1000));
  two.back().extent = kMostTurnedPoints;
  EXPECT_FALSE(are_turned(two, 1000));
}

TEST(TurnShortLoops, AndStaysWhereItNeedsOffsetsOrWouldNotPay) {
  LoopNest indexed = pairs_of(1000, 8);
  indexed.back().strides[kFirstAddressTrack] = 8;
  EXPECT_FALSE(are_turned(indexed, 1000));
  EXPECT_FALSE(are_turned(pairs_of(kLeastSharedPoints - 1, 8), 1000));
  LoopNest uneven = pairs_of(100, 8);
  uneven.insert(uneven.begin() + 1, {10, {1000, 0, 800}});
  EXPECT_FALSE(are_turned(uneven, 1000));
  LoopNest small = pairs_of(kLeastSharedPoints, 8);
  small.erase(small.begin());
  EXPECT_FALSE(are_turned(small, 1000));
  EXPECT_FALSE(are_turned({{5, {8, 4000, 0}}, {2, {4, 8, 0}}}, 1000));
}

TEST(TurnShortLoops, ScattersAndRowsKeepTheirOrder) {
  LoweredPlan scatter;
  scatter.scatter = true;
  EXPECT_FALSE(are_turned(pairs_of(1000, 8), 1000, scatter));
  LoweredPlan rows;
  rows.row_bytes = kMostElementBytes + 1;
  EXPECT_FALSE(are_turned(pairs_of(1000, 8), 1000, rows));
}

TEST(TurnShortLoops, ATableThatIsFarIsReadOnceUnlessTheElementsShareALine) {
  const std::int64_t far = second_level_cache() + 1;
  EXPECT_TRUE(are_turned(pairs_of(1000, kLine - 4), far));
  EXPECT_FALSE(are_turned(pairs_of(1000, kLine), far));
  EXPECT_TRUE(are_turned(pairs_of(1000, kLine), far - 1));
}

TEST(TurnShortLoops, StridesOfAnySizeAreWithinBounds) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  LoweredPlan plan;
  plan.row_bytes = 4;
  for (const std::int64_t stride : {kLeast, kLeast + 1, -(kLeast + 1), -(kLeast / 2)}) {
    LoopNest nest = pairs_of(1000, stride);
    nest.back().extent = kMostTurnedPoints;
    turn_short_loops(nest, second_level_cache() + 1, plan);
    EXPECT_EQ(nest.back().extent, kMostTurnedPoints);
  }
}

TEST(TurnShortLoops, PointsOfRandomNestsStayTheSame) {
  std::mt19937 random(5);
  int turned = 0;
  for (int round = 0; round < 2000; ++round) {
    LoopNest nest = random_nest(random, 3);
    if (nest.size() < 2) continue;
    // The last loops need no offsets, and those before them often go on evenly.
    const std::size_t cut = 1 + random() % (nest.size() - 1);
    for (std::size_t l = 0; l < nest.size(); ++l)
      if (l >= cut) nest[l].strides[kFirstAddressTrack] = 0;
    nest[cut - 1].extent *= 64;
    if (point_count(nest) <= 20'000 && are_turned(nest, 1000)) ++turned;
  }
  EXPECT_GT(turned, 10);
}

constexpr std::int64_t kCache = std::int64_t{2} << 20;
constexpr std::size_t kIndexTrack = kFirstAddressTrack;

// Elements of 4 bytes off the last axis: `rows` rows of `lanes` lanes, whose indices are int32 and
// whose cells stand `extent` rows deep.
LoweredPlan lanes_plan(std::int64_t rows, std::int64_t lanes, std::int64_t extent) {
  LoweredPlan plan;
  plan.dtype = DType::kFloat32;
  plan.element_bytes = plan.row_bytes = plan.unit = 4;
  plan.addressed = {{rows, {lanes * 4, 0, lanes * 4}}, {lanes, {4, 1, 4}, true}};
  plan.points = rows * lanes;
  AddressAxis axis;
  axis.extent = extent;
  axis.multiplier = static_cast<std::uint64_t>(lanes);
  axis.fused = true;
  AddressTerm term;
  term.dtype = DType::kInt32;
  term.element_bytes = 4;
  term.track = kIndexTrack;
  axis.terms = {term};
  plan.axes = {axis};
  plan.offset_count = static_cast<std::uint64_t>(extent * lanes);
  return plan;
}

LoweredPlan large_plan() { return lanes_plan(8192, 2048, 8192); }

std::int64_t tile(const LoweredPlan& plan, Tuning tuning = {}) {
  tuning.second_level_bytes = kCache;
  return tile_lanes(tuning, plan);
}

// Calls change(plan) on a plan that has lanes; the result has none.
template <class Change>
void expect_no_lanes(const char* why, const Change& change) {
  LoweredPlan plan = large_plan();
  ASSERT_TRUE(has_lanes(plan));
  change(plan);
  EXPECT_FALSE(has_lanes(plan)) << why;
  EXPECT_EQ(tile(plan), 0) << why;
}

TEST(HasLanes, NeighboursHaveAnIndexEach) {
  expect_no_lanes("one loop",
                  [](LoweredPlan& plan) { plan.addressed.erase(plan.addressed.begin()); });
  expect_no_lanes("shared loops", [](LoweredPlan& plan) { plan.shared = {{2, {0, 0, 0}}}; });
  expect_no_lanes("two axes", [](LoweredPlan& plan) { plan.axes.push_back(plan.axes.front()); });
  expect_no_lanes("strings", [](LoweredPlan& plan) { plan.dtype = DType::kString; });
  expect_no_lanes("general axis", [](LoweredPlan& plan) { plan.axes.front().fused = false; });
  expect_no_lanes("index type", [](LoweredPlan& plan) {
    plan.axes.front().terms.front().dtype = DType::kUint32;
  });
  for (const std::size_t track : {kDirectTrack, kIndirectTrack, kIndexTrack})
    expect_no_lanes("a gap between lanes",
                    [track](LoweredPlan& plan) { plan.addressed.back().strides[track] *= 2; });
}

TEST(HasLanes, LanesOfAScatterHaveCellsOfTheirOwn) {
  LoweredPlan plan = large_plan();
  plan.addressed.back().injective = false;
  EXPECT_TRUE(has_lanes(plan)) << "a gather";
  plan.scatter = true;
  EXPECT_FALSE(has_lanes(plan));
  plan.addressed.back().injective = true;
  EXPECT_TRUE(has_lanes(plan));
}

TEST(TileLanes, CellsOfATileFitInTheCacheInWholeLines) {
  for (const std::int64_t extent : {1100, 3000, 8192, 16384}) {
    const std::int64_t lanes = tile(lanes_plan(extent, 2048, extent));
    ASSERT_GT(lanes, 0) << extent;
    EXPECT_EQ(lanes * 4 % kLine, 0);
    EXPECT_LE(lanes * 4 * extent, packed_bytes(kCache));
    // One line of lanes more would not fit.
    EXPECT_GT((lanes + kLine / 4) * 4 * extent, packed_bytes(kCache));
  }
}

TEST(TileLanes, ATileHasNoMoreLanesThanTheLoopOrABlock) {
  Tuning tuning;
  tuning.pack = true;
  EXPECT_EQ(tile(lanes_plan(10, 40, 10), tuning), 40);
  EXPECT_EQ(tile(lanes_plan(10, 5000, 10), tuning), kBlockPoints);
  tuning.tile = 48;
  EXPECT_EQ(tile(lanes_plan(10, 40, 10), tuning), 40);
  EXPECT_EQ(tile(lanes_plan(10, 5000, 10), tuning), 48);
}

TEST(TileLanes, PackingMustPay) {
  EXPECT_GT(tile(large_plan()), 0);
  // A line of each row of cells does not fit.
  const std::int64_t most = packed_bytes(kCache) / kLine;
  EXPECT_GT(tile(lanes_plan(most, 2048, most)), 0);
  EXPECT_EQ(tile(lanes_plan(most + 1, 2048, most + 1)), 0);
  // Too few points for the cells.
  EXPECT_GT(tile(lanes_plan(8192 / kCellsPerPoint, 2048, 8192)), 0);
  EXPECT_EQ(tile(lanes_plan(8192 / kCellsPerPoint - 1, 2048, 8192)), 0);
  // Short rows of lanes.
  EXPECT_GT(tile(lanes_plan(8192, kLeastPackedRowBytes / 4, 8192)), 0);
  EXPECT_EQ(tile(lanes_plan(8192, kLeastPackedRowBytes / 4 - 1, 8192)), 0);
  // Cells that are near anyway.
  EXPECT_EQ(tile(lanes_plan(64, 2048, least_packed_bytes(kCache) / (2048 * 4))), 0);
  EXPECT_GT(tile(lanes_plan(1000, 2049, least_packed_bytes(kCache) / (2048 * 4))), 0);
}

TEST(TileLanes, WhatCannotBePackedIsNotWhateverIsForced) {
  Tuning forced;
  forced.pack = true;
  forced.tile = 32;
  const auto tile_after = [&](const auto& change) {
    LoweredPlan plan = large_plan();
    change(plan);
    return tile(plan, forced);
  };
  EXPECT_EQ(tile_after([](LoweredPlan&) {}), 32);
  EXPECT_EQ(tile_after([](LoweredPlan& plan) { plan.wide_offsets = true; }), 0);
  EXPECT_EQ(tile_after([](LoweredPlan& plan) { plan.start = 1; }), 0);
  EXPECT_EQ(tile_after([](LoweredPlan& plan) { plan.addressed[0].strides[kIndirectTrack] = 1; }), 0)
      << "rows of lanes that do not return to the same cells";
  EXPECT_EQ(tile_after([](LoweredPlan& plan) { plan.axes[0].multiplier = ~std::uint64_t{0}; }), 0)
      << "cells that stand in falling order";
  forced.pack = false;
  EXPECT_EQ(tile_after([](LoweredPlan&) {}), 0);
}

TEST(LoopsAroundTiles, AreAllButRowsAndLanesAndAtLeastOne) {
  LoweredPlan plan = large_plan();
  const LoopNest once = loops_around_tiles(plan);
  ASSERT_EQ(once.size(), 1U);
  EXPECT_EQ(once[0].extent, 1);
  EXPECT_EQ(once[0].strides, (std::vector<std::int64_t>{0, 0, 0}));
  plan.addressed.insert(plan.addressed.begin(), {{3, {7, 8, 9}}, {5, {1, 2, 3}}});
  const LoopNest around = loops_around_tiles(plan);
  ASSERT_EQ(around.size(), 2U);
  EXPECT_EQ(point_count(around), 15);
  EXPECT_EQ(around[0].strides, (std::vector<std::int64_t>{7, 8, 9}));
  EXPECT_EQ(around[1].strides, (std::vector<std::int64_t>{1, 2, 3}));
}

}  // namespace
}  // namespace windrow::internal
