#include "src/execute/offset_block.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "src/execute/way_fixture.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// Rows of `row` elements of a table of 50.
WayCall rows_call(std::int64_t points, std::int64_t row, bool scatter = false) {
  const OutOfRange policy = scatter ? OutOfRange::kSkip : OutOfRange::kZero;
  return {{points, row}, {50, row}, 0, {0}, scatter, policy};
}

// The offsets of a call's points; all ones: outside.
std::vector<std::uint32_t> offsets_of(const WayMemory& memory) {
  std::vector<std::uint32_t> offsets;
  for (const std::int32_t index : memory.indices) {
    const std::int32_t row = index < 0 ? index + 50 : index;
    offsets.push_back(row < 0 || row >= 50 ? ~0U : static_cast<std::uint32_t>(row));
  }
  return offsets;
}

// A block of the points [low, high) of a plan with one loop.
Block block_of(const BlockMover& mover, const LoweredPlan& plan,
               const std::vector<std::uint32_t>& offsets, std::int64_t low, std::int64_t high) {
  Block block = mover.pattern();
  block.direct = mover.direct() + low * plan.addressed.back().strides[kDirectTrack];
  block.direct_step = plan.addressed.back().strides[kDirectTrack];
  block.count = block.known = high - low;
  block.offsets = offsets.data() + low;
  block.any_outside = true;
  return block;
}

// The written side after `prepare` and three blocks, of which one is empty.
template <class Prepare>
Cells move_all(const WayCall& call, const LoweredPlan& plan, const WayMemory& memory,
               const Prepare& prepare) {
  const std::vector<std::uint32_t> offsets = offsets_of(memory);
  const std::int64_t points = plan.points;
  Cells result;
  with_context(plan, memory, nullptr, [&](const RunContext& context, const Cells& written) {
    BlockMover mover(context);
    prepare(mover);
    mover.move(block_of(mover, plan, offsets, 0, points / 3));
    mover.move(block_of(mover, plan, offsets, points / 3, points / 3));
    FetchAhead fetch{context.cells(), context.cells() + call.indirect[0] * plan.row_bytes};
    mover.move(block_of(mover, plan, offsets, points / 3, points), &fetch);
    mover.finish();
    result = written;
    EXPECT_LE(fetch.next, fetch.end);
    EXPECT_EQ(context.outcome.get(), RunOutcome::kDone);
  });
  return result;
}

LoweredPlan lower(const WayCall& call, bool streams) {
  Tuning tuning;
  tuning.straight = tuning.sorted = tuning.buckets = false;
  if (streams) tuning.stream = true;
  return call.lower(tuning);
}

// Rows of odd and even alignment: moved as they are, streamed, or staged.
TEST(BlockMover, MovesTheRowsOfItsBlocks) {
  for (const bool scatter : {false, true}) {
    for (const std::int64_t row : {1, 3, 16, 33, 600}) {
      for (const bool streams : {false, true}) {
        const WayCall call = rows_call(300, row, scatter);
        const WayMemory memory(call);
        EXPECT_EQ(move_all(call, lower(call, streams), memory, [](BlockMover&) {}),
                  expected(call, memory))
            << scatter << streams << ", " << row;
      }
    }
  }
}

// Blocks that are so long that their first rows are timed.
// A result past the caches is not fetched into them; the updates of a scatter of that size are.
TEST(BlockMover, OnlyWhatIsStreamedIsNotFetched) {
  for (const bool scatter : {false, true}) {
    const WayCall call{{40, 33}, {9, 33}, 0, {0}, scatter};
    const WayMemory memory(call);
    LoweredPlan plan = call.lower();
    plan.fetch_direct = plan.stream = true;
    plan.stages_rows = !scatter;
    with_context(plan, memory, nullptr, [&](const RunContext& context, const Cells& /*written*/) {
      EXPECT_EQ(BlockMover(context).pattern().fetch_direct, scatter);
    });
  }
}

TEST(BlockMover, MovesTheRowsThatItTimesToo) {
  const std::int64_t rows[] = {1, 5, 40, 300};
  for (const std::int64_t row : rows) {
    const WayCall call = rows_call(6 * kBlockPerTimedRows * kMostTimedRows, row);
    const WayMemory memory(call);
    LoweredPlan plan = lower(call, false);
    plan.ahead = 7;
    EXPECT_EQ(move_all(call, plan, memory, [](BlockMover&) {}), expected(call, memory)) << row;
  }
}

TEST(BlockMover, SlicesMoveTheirBytesOfEveryRowAlone) {
  for (const bool streams : {false, true}) {
    const WayCall call = rows_call(100, 140);
    const WayMemory memory(call);
    const Cells sliced = move_all(call, lower(call, streams), memory, [](BlockMover& mover) {
      mover.slice_rows({kLeastSliceBytes - 4, 2 * kLeastSliceBytes - kLine});
    });
    Cells wanted = expected(call, memory);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (i % 140 < 63 || i % 140 >= 112) wanted[i] = kUnwritten;
    EXPECT_EQ(sliced, wanted);
  }
}

TEST(BlockMover, AnEmptySliceMovesNothing) {
  const WayCall call = rows_call(100, 40);
  const WayMemory memory(call);
  const Cells none = move_all(call, lower(call, false), memory, [](BlockMover& mover) {
    mover.slice_rows({40, 40});
  });
  EXPECT_EQ(none, Cells(none.size(), kUnwritten));
}

// Updates keep their order within the cells that are owned; all others stay.
TEST(BlockMover, OwnersTouchTheirCellsAlone) {
  for (const std::int64_t row : {1, 5}) {
    WayCall call = rows_call(600, row, true);
    call.combine = Combine::kAdd;
    const WayMemory memory(call);
    const Cells owned = move_all(call, lower(call, false), memory, [](BlockMover& mover) {
      mover.keep_owned({10, 30});
    });
    Cells wanted = expected(call, memory);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto cell = static_cast<std::int64_t>(i) / row;
      if (cell < 10 || cell >= 30) wanted[i] = memory.indirect[i];
    }
    EXPECT_EQ(owned, wanted);
  }
}

TEST(BlockMover, StringsThatFindNoMemoryEndTheRun) {
  const WayCall call = rows_call(10, 1);
  LoweredPlan plan = lower(call, false);
  plan.kernel = Kernel::kCount;
  plan.string_kernel = [](const Block& /*block*/) noexcept { return false; };
  const WayMemory memory(call);
  const std::vector<std::uint32_t> offsets = offsets_of(memory);
  with_context(plan, memory, nullptr, [&](const RunContext& context, const Cells&) {
    BlockMover mover(context);
    mover.move(block_of(mover, plan, offsets, 0, 0));
    EXPECT_EQ(context.outcome.get(), RunOutcome::kDone);
    mover.move(block_of(mover, plan, offsets, 0, 10));
    EXPECT_EQ(context.outcome.get(), RunOutcome::kOutOfMemory);
  });
}

using Offsets = std::vector<std::uint64_t>;

Offsets widened(const std::byte* offsets, bool wide, std::int64_t count) {
  Offsets result;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t value = 0;
    std::memcpy(&value, offsets + i * (wide ? 8 : 4), wide ? 8 : 4);
    result.push_back(!wide && value == kOutside<std::uint32_t> ? kOutside<std::uint64_t> : value);
  }
  return result;
}

// ---- One fused axis

AddressAxis fused_axis(DType dtype, OutOfRange policy) {
  AddressAxis axis;
  axis.extent = 10;
  axis.multiplier = 3;
  axis.policy = policy;
  axis.fused = true;
  AddressTerm term;
  term.dtype = dtype;
  term.element_bytes = dtype_bits(dtype) / 8;
  term.wraps = true;
  axis.terms.push_back(term);
  return axis;
}

struct FusedResult {
  unsigned flags = 0;
  Offsets offsets;
};

// Of the indices, `apart` elements from one to the next in memory.
template <class Index>
FusedResult add_fused(OutOfRange policy, const std::vector<Index>& indices, std::int64_t apart,
                      const KernelTable& kernels) {
  std::vector<Index> memory(indices.size() * static_cast<std::size_t>(apart), Index{99});
  for (std::size_t i = 0; i < indices.size(); ++i)
    memory[i * static_cast<std::size_t>(apart)] = indices[i];
  std::vector<std::uint32_t> offsets(indices.size(), 0);
  OffsetRun run;
  run.count = static_cast<std::int64_t>(indices.size());
  run.start = 100;
  run.lane_step = 1;
  run.offsets = offsets.data();
  const AddressAxis axis = fused_axis(dtype_of<Index>::value, policy);
  FusedResult result;
  result.flags = add_fused_axis(kernels, axis, reinterpret_cast<const std::byte*>(memory.data()),
                                apart * std::int64_t{sizeof(Index)}, run);
  result.offsets = widened(reinterpret_cast<const std::byte*>(offsets.data()), false, run.count);
  return result;
}

template <class Index>
void check_fused() {
  const std::vector<Index> legal = {0, 9, 4, 4, 1};
  const Offsets wanted = {100, 128, 114, 115, 107};
  std::vector<Index> outside = legal;
  outside[2] = 10;
  Offsets skipped = wanted;
  skipped[2] = kOutside<std::uint64_t>;
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    for (const std::int64_t apart : {1, 2, 5}) {
      SCOPED_TRACE(testing::Message() << set.name << ", " << sizeof(Index) << ", " << apart);
      for (const OutOfRange policy : {OutOfRange::kError, OutOfRange::kZero, OutOfRange::kClamp}) {
        const FusedResult result = add_fused(policy, legal, apart, set.table);
        EXPECT_EQ(result.flags, 0U);
        EXPECT_EQ(result.offsets, wanted);
      }
      EXPECT_EQ(add_fused(OutOfRange::kError, outside, apart, set.table).flags, kIndexBad);
      const FusedResult skip = add_fused(OutOfRange::kSkip, outside, apart, set.table);
      EXPECT_EQ(skip.flags, kIndexOutside);
      EXPECT_EQ(skip.offsets, skipped);
    }
  }
}

TEST(AddFusedAxis, TakesIndicesOfAnyTypeAtAnyDistance) {
  check_fused<std::int8_t>();
  check_fused<std::uint8_t>();
  check_fused<std::int16_t>();
  check_fused<std::int32_t>();
  check_fused<std::int64_t>();
  check_fused<std::uint64_t>();
}

TEST(AddFusedAxis, WhatNoInt64HoldsIsOutsideOrCongruent) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  const std::vector<std::uint64_t> indices = {kLargest, kLargest - 5};
  const KernelTable& kernels = find_kernel_set("")->table;
  EXPECT_EQ(add_fused(OutOfRange::kError, indices, 1, kernels).flags, kIndexBad);
  EXPECT_EQ(add_fused(OutOfRange::kClamp, indices, 1, kernels).offsets, (Offsets{127, 128}));
  // 2^64 - 1 is 5 modulo 10.
  EXPECT_EQ(add_fused(OutOfRange::kModulo, indices, 1, kernels).offsets, (Offsets{115, 101}));
}

// ---- Plans

// The offsets of all points of a plan, read in runs of at most `most` points, and the flags of all.
struct ReadResult {
  unsigned flags = 0;
  Offsets offsets;
};

ReadResult read_all(const LoweredPlan& plan, const std::byte* indices, std::int64_t most) {
  RunMemory memory;
  memory.indices = {&indices, 1};
  Outcome outcome;
  const RunContext context{plan, find_kernel_set("")->table, memory, nullptr, outcome};
  const OffsetReader reader(context);
  ReadResult result;
  std::vector<std::byte> block(kBlockPoints * 8);
  NestCursor cursor(plan.addressed, Box());
  for_each_block(cursor, plan.points, most, [&](std::int64_t count) {
    const std::int64_t before = cursor.position(kDirectTrack);
    result.flags |= reader.read(cursor, count, block.data());
    EXPECT_EQ(cursor.position(kDirectTrack), before) << "the cursor stays";
    const Offsets more = widened(block.data(), plan.wide_offsets, count);
    result.offsets.insert(result.offsets.end(), more.begin(), more.end());
    return true;
  });
  return result;
}

// A gather's points in bytes of the indirect tensor, by its access map.
Offsets evaluated(const Operation& operation, const Shape& indirect, const TensorView& indices) {
  const Strides strides = row_major_strides(indirect, 4);
  Offsets result;
  Dims point = Dims::filled(operation.map.loops.rank(), 0);
  for (std::int64_t left = *element_count(operation.map.loops); left > 0; --left) {
    const std::optional<Dims> position = evaluate(operation.map, {&indices, 1}, point);
    std::int64_t bytes = 0;
    for (int a = 0; position && a < indirect.rank(); ++a) bytes += (*position)[a] * strides[a];
    result.push_back(position ? static_cast<std::uint64_t>(bytes) : kOutside<std::uint64_t>);
    for (int l = point.rank(); l-- > 0 && ++point[l] == operation.map.loops[l];) point[l] = 0;
  }
  return result;
}

Offsets in_bytes(const LoweredPlan& plan, Offsets offsets) {
  for (std::uint64_t& offset : offsets)
    if (offset != kOutside<std::uint64_t>) offset *= static_cast<std::uint64_t>(plan.unit);
  return offsets;
}

// Elements of a [6, 15] tensor along its first axis, whose coordinate is the base, the counters
// of both loops and an index: all that the general loop adds up.
struct GeneralCall {
  Operation operation;
  std::vector<std::int64_t> indices = std::vector<std::int64_t>(40 * 15);
  Shape indirect{6, 15};

  explicit GeneralCall(OutOfRange policy) {
    operation.dtype = DType::kInt32;
    operation.map.loops = {40, 15};
    AxisMap first;
    first.extent = 6;
    first.base = -1;
    first.loops = {{0, 2}, {1, 1}};
    first.policy = policy;
    IndexTerm term;
    term.coordinates = {{0, 0}, {1, 0}};
    term.legal = {-100, 100};
    first.terms.push_back(term);
    AxisMap second;
    second.extent = 15;
    second.loops.push_back({1, 1});
    operation.map.axes = {first, second};
    std::mt19937 random(5);
    // About a third of the sums is outside.
    for (std::int64_t i = 0; i < 40; ++i)
      for (std::int64_t j = 0; j < 15; ++j)
        indices[static_cast<std::size_t>(i * 15 + j)] =
            static_cast<std::int64_t>(random() % 9) - 2 * i - j;
  }

  TensorView view() const { return {DType::kInt64, {40, 15}, indices.data()}; }

  LoweredPlan lower() const {
    Tuning tuning;
    tuning.forces_levers = true;
    const std::vector<TensorSpec> inputs = {view().spec()};
    return internal::lower(operation,
                           {row_major_strides({40, 15}, 4), row_major_strides(indirect, 4), inputs},
                           tuning)
        .value();
  }
};

TEST(OffsetReader, AddsUpTheCoordinatesOfAGeneralAxis) {
  for (const OutOfRange policy : {OutOfRange::kZero, OutOfRange::kClamp, OutOfRange::kModulo}) {
    const GeneralCall call(policy);
    const LoweredPlan plan = call.lower();
    ASSERT_FALSE(plan.axes.front().fused);
    for (const std::int64_t most : {1, 7, 1024}) {
      const ReadResult result =
          read_all(plan, reinterpret_cast<const std::byte*>(call.indices.data()), most);
      EXPECT_EQ(in_bytes(plan, result.offsets),
                evaluated(call.operation, call.indirect, call.view()))
          << most;
      EXPECT_EQ(result.flags, policy == OutOfRange::kZero ? unsigned{kIndexOutside} : 0U);
    }
  }
}

// Even where the policy gives every sum a place.
TEST(OffsetReader, AnIndexOutsideOfItsOwnLegalRangeIsBad) {
  for (const std::int64_t bad :
       {std::int64_t{-101}, std::int64_t{101}, std::numeric_limits<std::int64_t>::max()}) {
    GeneralCall call(OutOfRange::kModulo);
    call.indices.back() = bad;
    EXPECT_EQ(
        read_all(call.lower(), reinterpret_cast<const std::byte*>(call.indices.data()), 1024).flags,
        unsigned{kIndexBad});
  }
}

// Fused axes, in both widths.
TEST(OffsetReader, WritesWideOffsetsWhereThePlanHasThem) {
  const WayCall call{{7, 60}, {7, 20}, 1, {0, 1}, false, OutOfRange::kZero};
  const WayMemory memory(call);
  const TensorView view(DType::kInt32, call.index_shape(), memory.indices.data());
  LoweredPlan plan = call.lower();
  ASSERT_TRUE(plan.axes.front().fused);
  for (const bool wide : {false, true}) {
    plan.wide_offsets = wide;
    const ReadResult result =
        read_all(plan, reinterpret_cast<const std::byte*>(memory.indices.data()), 1024);
    EXPECT_EQ(in_bytes(plan, result.offsets), evaluated(call.operation(), call.indirect, view));
    EXPECT_EQ(result.flags, unsigned{kIndexOutside});
  }
}

TEST(OffsetReader, PointsWithoutIndicesAreARamp) {
  LoweredPlan plan = lower_copy(DType::kInt32, {3, 5}, {20, 4}, {-40, 8}).value();
  for (const bool wide : {false, true}) {
    plan.wide_offsets = wide;
    const ReadResult result = read_all(plan, nullptr, 2);
    Offsets wanted;
    for (std::int64_t row = 0; row < 3; ++row)
      for (std::int64_t column = 0; column < 5; ++column)
        wanted.push_back(static_cast<std::uint64_t>(row * -40 + column * 8 - plan.indirect_first));
    EXPECT_EQ(in_bytes(plan, result.offsets), wanted);
    EXPECT_EQ(result.flags, 0U);
  }
}

// Wherever the runs are cut.
TEST(OffsetReader, FlatRunsHaveTheOffsetsOfTheLoops) {
  const WayCall call{{70, 6}, {70, 20}, 1, {0, 1}, false, OutOfRange::kZero};
  const WayMemory memory(call);
  Tuning tuning;
  tuning.straight = false;
  const LoweredPlan plan = call.lower(tuning);
  ASSERT_TRUE(plan.flat);
  const auto* indices = reinterpret_cast<const std::byte*>(memory.indices.data());
  const Offsets wanted = read_all(plan, indices, 1024).offsets;
  RunMemory run;
  run.indices = {&indices, 1};
  Outcome outcome;
  const RunContext context{plan, find_kernel_set("")->table, run, nullptr, outcome};
  const OffsetReader reader(context);
  for (const std::int64_t most : {1, 4, 6, 100, 1024}) {
    Offsets offsets;
    std::vector<std::byte> block(kBlockPoints * 4);
    NestCursor cursor(plan.flat->nest, Box());
    for_each_block(cursor, plan.points, most, [&](std::int64_t count) {
      reader.read_flat(cursor, cursor.run_position(), count, block.data());
      const Offsets more = widened(block.data(), false, count);
      offsets.insert(offsets.end(), more.begin(), more.end());
      return true;
    });
    EXPECT_EQ(offsets, wanted) << most;
  }
}

// What a trial says of blocks that take `with` and `without` for each row, after one round.
bool fetches_after_round(FetchTrial& trial, double with, double without) {
  for (int i = 0; i < kBlocksPerTrial + kBlocksBeforeTrial; ++i)
    trial.add(trial.fetches() ? with : without);
  while (trial.is_tried()) trial.add(trial.fetches() ? with : without);
  return trial.fetches();
}

TEST(FetchTrial, GoesOnAsTheFasterBlocks) {
  FetchTrial trial;
  EXPECT_TRUE(trial.fetches());
  EXPECT_FALSE(trial.is_tried());
  EXPECT_FALSE(fetches_after_round(trial, 2, 1));
  EXPECT_TRUE(fetches_after_round(trial, 1, 2));
}

TEST(FetchTrial, TriesBothKindsOfBlock) {
  FetchTrial trial;
  int fetched = 0;
  int tried = 0;
  for (int i = 0; i < kBlocksBeforeTrial + kBlocksPerTrial; ++i) {
    tried += trial.is_tried() ? 1 : 0;
    fetched += trial.is_tried() && trial.fetches() ? 1 : 0;
    trial.add(1);
  }
  EXPECT_EQ(tried, kTriedBlocks);
  EXPECT_EQ(fetched, kTriedBlocks / 2);
}

}  // namespace
}  // namespace windrow::internal
