#include "src/plan/choose_ways.h"

#include <gtest/gtest.h>

#include <limits>

#include "src/plan/loops.h"
#include "src/plan/lower.h"
#include "src/plan/nest_fixture.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// Elements along an axis of a float32 tensor with int32 indices [rows, columns].
struct Call {
  std::int64_t extent = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  int axis = 0;
  bool scatter = false;
  Combine combine = Combine::kAssign;
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
  operation.combine = call.combine;
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
  EXPECT_TRUE((are<FlatTakes>(flat.ways)));
  EXPECT_TRUE(flat.flat);
}

// Without flat runs there is nothing better for short ones.
TEST(ChooseWays, ShortRunsAreTakenStraightWhereNoneAreFlat) {
  Tuning tuning;
  tuning.flat_runs = false;
  EXPECT_TRUE((are<StraightTakes>(lower_call({100, 1000, 8, 1}, tuning).ways)));
}

// Scatters of elements along the last axis, in long runs with a near table for each.
TEST(ChooseWays, NearCellsAreUpdatedStraight) {
  const auto chosen = [](const Call& call, const Tuning& tuning = {}) {
    return lower_call(call, tuning).straight;
  };
  constexpr std::int64_t kNear = kFetchCellsBytes / 4;
  constexpr std::int64_t kLong = kLeastStraightUpdates;
  EXPECT_EQ(chosen({kNear, 1000, kLong, 1, true}), Kernel::straight_assign_4);
  EXPECT_EQ(chosen({kNear, 1000, kLong, 1, false}), Kernel::kCount) << "a gather";
  EXPECT_EQ(chosen({kNear, 1000, kLong - 1, 1, true}), Kernel::kCount) << "short runs";
  EXPECT_EQ(chosen({kNear + 1, 1000, kLong, 1, true}), Kernel::kCount) << "cells further away";
  EXPECT_EQ(chosen({100, 1000, kLong, 0, true}), Kernel::kCount) << "a table for each lane";
  Tuning tuning;
  tuning.straight = true;
  EXPECT_EQ(chosen({kNear + 1, 1000, 7, 1, true}, tuning), Kernel::straight_assign_4);
  EXPECT_EQ(chosen({100, 1000, kLong, 0, true}, tuning), Kernel::straight_assign_4);
  tuning.straight = false;
  EXPECT_EQ(chosen({kNear, 1000, kLong, 1, true}, tuning), Kernel::kCount);
  tuning = {};
  tuning.prefetch = 3;
  EXPECT_EQ(chosen({kNear, 1000, kLong, 1, true}, tuning), Kernel::kCount);
}

// A sum reads its cells, which fetches them.
TEST(ChooseWays, SumsAreMadeStraightUnlessTheirCellsAreFar) {
  const auto chosen = [](std::int64_t extent, Combine combine) {
    return lower_call({extent, 1000, kLeastStraightUpdates, 1, true, combine}).straight;
  };
  constexpr std::int64_t kNear = kFetchElementsBytes / 4;
  EXPECT_EQ(chosen(kNear, Combine::kAdd), Kernel::straight_add_float32);
  EXPECT_EQ(chosen(kNear + 1, Combine::kAdd), Kernel::kCount);
  EXPECT_EQ(chosen(kNear, Combine::kMul), Kernel::kCount) << "no kernel";
}

// Runs of `points` elements, each by a table of `extent`. Returns the chosen kernel's family, along
// flat runs and otherwise.
struct ChosenTake {
  std::optional<Family> flat;
  std::optional<Family> straight;
};

ChosenTake choose_take(std::int64_t points, std::int64_t extent, bool gathers) {
  Tuning tuning;
  tuning.forces_levers = true;
  tuning.gathers = gathers;
  const LoweredPlan plan = lower_call({extent, 1000, points, 1}, tuning);
  const auto family = [](const auto* way) -> std::optional<Family> {
    if (way == nullptr) return std::nullopt;
    return kKernelRows[static_cast<std::size_t>(way->take)].family;
  };
  return {family(find_way<FlatTakes>(plan.ways)), family(find_way<StraightTakes>(plan.ways))};
}

TEST(ChooseWays, LongRunsOfSmallTablesAreLookedUpIfThereIsAKernel) {
  const KernelTable& kernels = find_kernel_set("")->table;
  const bool looks_up = kernels.find<Family::kLookUp>(4, DType::kInt32) != nullptr;
  const std::int64_t fits = kMostLookupBytes / 4;
  EXPECT_EQ(choose_take(kLeastLookedUpRun - 1, fits, false).flat, Family::kTake);
  EXPECT_EQ(choose_take(kLeastLookedUpRun, fits + 1, false).flat, Family::kTake);
  const ChosenTake longest = choose_take(kLeastLookedUpRun, fits, false);
  if (looks_up) {
    EXPECT_EQ(longest.straight, Family::kLookUp);
  } else {
    EXPECT_EQ(longest.flat, Family::kTake);
  }
}

TEST(ChooseWays, GatherInstructionsTakeIfTheyAreWantedAndThere) {
  const KernelTable& kernels = find_kernel_set("")->table;
  const bool gathers = kernels.find<Family::kTakeGathered>(4, DType::kInt32) != nullptr;
  EXPECT_EQ(choose_take(500, 1000, true).straight, gathers ? Family::kTakeGathered : Family::kTake);
  EXPECT_EQ(choose_take(500, 1000, false).straight, Family::kTake);
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
  const LoweredPlan plan = lower_call({100000, 100, 500, 1, true});
  EXPECT_TRUE((are<Pieces, SortedRanges, Buckets, Boxes>(plan.ways)));
  EXPECT_EQ(find_way<Pieces>(plan.ways)->bytes, 400000);
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

// Two loop counters and two cells for each: one after the other in a row, or one in every second
// column.
TEST(ChooseWays, CellsOfDifferentCountersThatInterleaveAreNoPieces) {
  Tuning tuning;
  tuning.forces_levers = true;
  const LoweredPlan rows = lower_call({2, 2, 1, 1, true}, tuning);
  ASSERT_NE(find_way<Pieces>(rows.ways), nullptr);
  EXPECT_EQ(find_way<Pieces>(rows.ways)->bytes, 2 * 4);
  EXPECT_EQ(find_way<Pieces>(lower_call({2, 1, 2, 0, true}, tuning).ways), nullptr);
}

constexpr std::size_t kTracks = kFirstAddressTrack + 1;  // one index axis

LoweredPlan plan_of(const LoopNest& nest) {
  LoweredPlan plan;
  plan.element_bytes = 4;
  plan.row_bytes = 4;
  plan.kernel = Kernel::take_elements_4;
  plan.addressed = nest;
  plan.points = point_count(nest);
  plan.start = 100;
  AddressAxis axis;
  axis.extent = 10;
  axis.fused = true;
  axis.terms.emplace_back().track = kFirstAddressTrack;
  plan.axes.push_back(axis);
  return plan;
}

LoweredPlan one_loop(std::int64_t extent) { return plan_of({{extent, {4, 1, 8}}}); }

// Whether the track changes by the same amount from each point to the next.
bool is_even(const std::vector<TrackValues>& points, std::size_t track) {
  for (std::size_t p = 2; p < points.size(); ++p)
    if (points[p][track] - points[p - 1][track] != points[1][track] - points[0][track])
      return false;
  return true;
}

TEST(FindSmall, PointsStandWhereTheLoopsPutThem) {
  std::mt19937 random(5);
  int found = 0;
  for (int round = 0; round < 2000; ++round) {
    LoopNest nest = merge_loops(random_nest(random, kTracks));
    if (nest.empty()) continue;
    const LoweredPlan plan = plan_of(nest);
    const auto points = walk(nest, kTracks);
    const auto small = find_even_points(plan);
    const bool fits = plan.points <= kMostSmallPoints && is_even(points, kDirectTrack) &&
                      is_even(points, kFirstAddressTrack);
    ASSERT_EQ(small.has_value(), fits);
    if (!small) continue;
    ++found;
    ASSERT_EQ(small->offsets.size(), points.size());
    for (std::size_t p = 0; p < points.size(); ++p) {
      const auto number = static_cast<std::int64_t>(p);
      EXPECT_EQ(points[p][kDirectTrack], number * small->direct_step);
      EXPECT_EQ(points[p][kFirstAddressTrack], number * small->index_steps.front());
      EXPECT_EQ(small->offsets[p], static_cast<std::uint32_t>(100 + points[p][kIndirectTrack]));
    }
  }
  EXPECT_GT(found, 100);
}

TEST(FindSmall, TheLimitsAreInclusive) {
  EXPECT_TRUE(find_even_points(one_loop(kMostSmallPoints)));
  EXPECT_FALSE(find_even_points(one_loop(kMostSmallPoints + 1)));
  LoweredPlan plan = one_loop(8);
  plan.row_bytes = kMostSmallBytes / 8 - 8;
  EXPECT_TRUE(find_even_points(plan));
  plan.row_bytes += 1;
  EXPECT_FALSE(find_even_points(plan));
  plan.row_bytes = INT64_MAX;
  EXPECT_FALSE(find_even_points(plan));
}

TEST(FindSmall, LeavesToTheLoopsWhatOneBlockDoesNotDo) {
  const auto refused = [](void (*change)(LoweredPlan&)) {
    LoweredPlan plan = one_loop(8);
    change(plan);
    return !find_even_points(plan);
  };
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.points = 0; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.kernel = Kernel::kCount; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.shared = plan.addressed; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.wide_offsets = true; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.axes.front().fused = false; }));
}

Family family_of(bool scatter, Fold fold, std::int64_t row_bytes) {
  LoweredPlan plan;
  plan.dtype = DType::kFloat32;
  plan.scatter = scatter;
  plan.fold = fold;
  plan.row_bytes = row_bytes;
  EXPECT_TRUE(choose_kernel(plan));
  EXPECT_NE(plan.kernel, Kernel::kCount);
  return plan.family;
}

TEST(ChooseKernel, ElementsAreRowsOfAPowerOfTwo) {
  for (const std::int64_t bytes : {1, 2, 4, 8, 16})
    EXPECT_EQ(family_of(false, Fold::kNone, bytes), Family::kTakeElements);
  for (const std::int64_t bytes : {3, 12, 17, 32, 1000})
    EXPECT_EQ(family_of(false, Fold::kNone, bytes), Family::kCopyRows);
}

TEST(ChooseKernel, ScattersAssignOrReduce) {
  EXPECT_EQ(family_of(true, Fold::kNone, 4), Family::kAssign);
  EXPECT_EQ(family_of(true, Fold::kAdd, 64), Family::kReduce);
}

TEST(ChooseKernel, StringsHaveTheirOwn) {
  LoweredPlan plan;
  plan.dtype = DType::kString;
  plan.row_bytes = plan.element_bytes = dtype_bits(DType::kString) / 8;
  EXPECT_TRUE(choose_kernel(plan));
  EXPECT_NE(plan.string_kernel, nullptr);
  EXPECT_EQ(kernel_name(plan), "strings");
  plan.scatter = true;
  plan.fold = Fold::kMul;
  EXPECT_EQ(choose_kernel(plan).code(), ErrorCode::kUnsupported);
}

constexpr std::int64_t kCache = std::int64_t{2} << 20;

LoweredPlan rows(std::int64_t points, std::int64_t row_bytes, std::int64_t table_rows) {
  LoweredPlan plan;
  plan.points = points;
  plan.row_bytes = plan.unit = row_bytes;
  plan.offset_count = static_cast<std::uint64_t>(table_rows);
  return plan;
}

LoweredPlan choose(LoweredPlan plan, Tuning tuning = {}) {
  tuning.second_level_bytes = kCache;
  choose_stores(tuning, plan);
  choose_fetches(tuning, plan);
  return plan;
}

TEST(ChooseMovement, RowsAreFetchedAheadOfTablesBeyondHalfTheCache) {
  const std::int64_t near = near_bytes(kCache) / 128;
  EXPECT_EQ(choose(rows(100, 128, near + 1)).ahead, 0);
  EXPECT_EQ(choose(rows(100, 128, near + 2)).ahead, rows_ahead(128));
  EXPECT_GT(choose(rows(100, kLeastFetchedRowBytes, near * 2)).ahead, 0);
  EXPECT_EQ(choose(rows(100, kLeastFetchedRowBytes - 1, near * 2)).ahead, 0);
  EXPECT_EQ(choose(rows(100, 64, kFetchElementsBytes / 64 + 1)).ahead, 0);
  EXPECT_EQ(choose(rows(100, 64, kFetchElementsBytes / 64 + 2)).ahead, rows_ahead(64));
  EXPECT_EQ(choose(rows(100, 4, kFetchElementsBytes / 4 + 2)).ahead, kElementsAhead);
}

TEST(ChooseMovement, LargeResultsAreWrittenPastTheCaches) {
  EXPECT_FALSE(choose(rows(kStreamBytes / 64 - 1, 64, 10)).stream);
  EXPECT_TRUE(choose(rows(kStreamBytes / 64, 64, 10)).stream);
}

TEST(ChooseMovement, AStartGrowsWithTheLinesThatItsUpdatesTouch) {
  LoweredPlan plan = rows(1000, 4, 10);
  plan.scatter = true;
  plan = choose(plan);
  EXPECT_EQ(plan.stream_start_from, kStreamStartBytes + 1000 * 64);
  EXPECT_EQ(plan.stream_sorted_start_from, kStreamStartBytes);
  EXPECT_EQ(choose(rows(kStreamAnyStartBytes, 4, 10)).stream_start_from, kStreamAnyStartBytes);
}

TEST(ChooseMovement, TheRowsOfAResultAreFetchedAheadIfTheyAreMany) {
  EXPECT_TRUE(choose(rows(kFetchResultBytes / 64, 64, 10)).fetch_direct);
  EXPECT_FALSE(choose(rows(kFetchResultBytes / 64 - 1, 64, 10)).fetch_direct);
  EXPECT_FALSE(choose(rows(kFetchResultBytes, 16, 10)).fetch_direct);
}

TEST(ChooseMovement, CellsThatAreOverwrittenAreFetchedUnlessTheyFitTheFirstCache) {
  const auto ahead = [](Fold fold, std::int64_t row_bytes, std::int64_t bytes) {
    LoweredPlan plan = rows(1000, row_bytes, bytes / row_bytes + 1);
    plan.scatter = true;
    plan.fold = fold;
    plan.dtype = DType::kFloat32;
    EXPECT_TRUE(choose_kernel(plan));
    plan = choose(plan);
    return plan.ahead * (plan.near_cells ? -1 : 1);
  };
  EXPECT_EQ(ahead(Fold::kNone, 4, kFetchCellsBytes), 0);
  EXPECT_EQ(ahead(Fold::kNone, 4, kFetchCellsBytes + 4), -kCellsAhead);
  EXPECT_EQ(ahead(Fold::kNone, 4, kFetchElementsBytes), -kCellsAhead);
  EXPECT_EQ(ahead(Fold::kNone, 4, kFetchElementsBytes + 4), kElementsAhead);
  EXPECT_EQ(ahead(Fold::kAdd, 4, kFetchElementsBytes), 0);
  EXPECT_EQ(ahead(Fold::kNone, 256, kFetchCellsBytes + 256), -rows_ahead(256));
  EXPECT_EQ(ahead(Fold::kAdd, 256, kFetchCellsBytes + 256), 0);
}

TEST(ChooseMovement, UpdatesAreFetchedAheadIfTheyAreMany) {
  LoweredPlan plan = rows(kFetchUpdatesBytes / 64, 64, 10);
  plan.scatter = true;
  EXPECT_TRUE(choose(plan).fetch_direct);
  plan.points -= 1;
  EXPECT_FALSE(choose(plan).fetch_direct);
}

TEST(ChooseMovement, LeversForceEach) {
  Tuning tuning;
  tuning.prefetch = 5;
  tuning.stream = true;
  LoweredPlan plan = choose(rows(10, 64, 10), tuning);
  EXPECT_EQ(plan.ahead, 5);
  EXPECT_TRUE(plan.stream);
  EXPECT_TRUE(plan.stream_fresh);
  tuning.stream = false;
  plan = choose(rows(kStreamBytes, 64, 10), tuning);
  EXPECT_FALSE(plan.stream || plan.stream_fresh);
  EXPECT_EQ(plan.stream_start_from, std::numeric_limits<std::int64_t>::max());
}

TEST(TakeRow, TakesAContiguousInnerLoop) {
  LoopNest nest{{3, {40, 80, 8}}, {10, {4, 4, 0}}};
  EXPECT_EQ(take_row(nest, 4), 10);
  ASSERT_EQ(nest.size(), 1U);
  EXPECT_EQ(nest[0].extent, 3);
}

TEST(TakeRow, PointsWithTheirRowsAreThePointsBefore) {
  const LoopNest before{{3, {40, 80, 8}}, {10, {4, 4, 0}}};
  LoopNest nest = before;
  const std::int64_t elements = take_row(nest, 4);
  std::vector<TrackValues> with_rows;
  for (const TrackValues& point : walk(nest, 3))
    for (std::int64_t e = 0; e < elements; ++e)
      with_rows.push_back({point[0] + 4 * e, point[1] + 4 * e, point[2]});
  EXPECT_EQ(with_rows, walk(before, 3));
}

TEST(TakeRow, LeavesLoopsThatAreNoRow) {
  const LoopNest others[] = {
      {},
      {{10, {4, 4, 8}}},   // an index varies
      {{10, {8, 4, 0}}},   // the direct side has gaps
      {{10, {4, -4, 0}}},  // the indirect side runs backwards
      {{10, {4, 0, 0}}},   // one cell for all
  };
  for (const LoopNest& other : others) {
    LoopNest nest = other;
    EXPECT_EQ(take_row(nest, 4), 1);
    EXPECT_EQ(nest.size(), other.size());
  }
}

TEST(ChooseWays, CellsThatAreNearAreNotDividedAmongTasks) {
  const auto cuts_cells = [](const Call& call, const Tuning& tuning) {
    return find_way<Boxes>(lower_call(call, tuning).ways)->cuts_cells;
  };
  EXPECT_FALSE(cuts_cells({1000, 100, 500, 1, true}, {}));
  EXPECT_TRUE((are<Pieces, SortedRanges, Boxes>(lower_call({1000, 100, 500, 1, true}).ways)));
  EXPECT_TRUE(cuts_cells({100000, 100, 500, 1, true}, {}));
  Tuning tuning;
  tuning.forces_levers = true;
  tuning.tasks = 2;
  EXPECT_TRUE(cuts_cells({1000, 100, 500, 1, true}, tuning));
}

}  // namespace
}  // namespace windrow::internal
