#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <string_view>

#include "src/plan/lower.h"
#include "windrow/plan_description.h"

namespace windrow::internal {
namespace {

// Two points of shared loops, 3 x 5 addressed ones with rows of 24 bytes. The first axis has an
// index for each point, the second one an index for each of the inner loop.
LoweredPlan two_axes() {
  LoweredPlan plan;
  plan.shared = {{2, {360, 48}}};
  plan.shared_points = 2;
  plan.addressed = {{3, {120, 0, 40, 0}}, {5, {24, 0, 8, 4}}};
  plan.points = 15;
  plan.row_bytes = 24;
  plan.unit = 8;
  plan.kernel = Kernel::select_owned;
  AddressTerm each;
  each.given = each.dtype = DType::kInt64;
  each.element_bytes = 8;
  each.track = 2;
  each.wraps = true;
  AddressTerm inner = each;
  inner.given = inner.dtype = DType::kUint32;
  inner.element_bytes = 4;
  inner.track = 3;
  inner.wraps = false;
  AddressAxis first;
  first.extent = 11;
  first.policy = OutOfRange::kClamp;
  first.fused = true;
  first.terms = {each};
  AddressAxis second;
  second.extent = 12;
  second.policy = OutOfRange::kZero;
  second.terms = {each, inner};
  plan.axes = {first, second};
  plan.ways = {Boxes{}};
  return plan;
}

PlanDescription described(const LoweredPlan& plan) {
  PlanDescription description;
  describe(plan, description);
  return description;
}

TEST(Describe, SaysWhichLoopsRunAndWhatTheyMove) {
  LoweredPlan plan = two_axes();
  PlanDescription description = described(plan);
  EXPECT_FALSE(description.empty);
  EXPECT_EQ(description.shared_loops, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(description.loops, (std::vector<std::int64_t>{3, 5}));
  EXPECT_EQ(description.loops_as_one, 0);
  EXPECT_EQ(description.row_bytes, 24);
  EXPECT_EQ(description.moved_bytes, 2 * 15 * 24);
  EXPECT_EQ(description.offset_bits, 32);
  EXPECT_EQ(description.offset_unit, 8);
  EXPECT_EQ(description.kernel, "select_owned");
  plan.flat = FlatRuns{};
  plan.flat->loops = 2;
  plan.wide_offsets = true;
  plan.kernel = Kernel::kCount;
  description = described(plan);
  EXPECT_EQ(description.loops_as_one, 2);
  EXPECT_EQ(description.offset_bits, 64);
  EXPECT_EQ(description.kernel, "strings");
}

TEST(Describe, SaysHowEachAxisReadsItsIndices) {
  const PlanDescription description = described(two_axes());
  ASSERT_EQ(description.index_axes.size(), 2U);
  const DescribedAxis& first = description.index_axes[0];
  EXPECT_EQ(first.extent, 11);
  EXPECT_EQ(first.out_of_range, OutOfRange::kClamp);
  EXPECT_TRUE(first.one_pass);
  ASSERT_EQ(first.indices.size(), 1U);
  const DescribedAxis& second = description.index_axes[1];
  EXPECT_EQ(second.extent, 12);
  EXPECT_FALSE(second.one_pass);
  ASSERT_EQ(second.indices.size(), 2U);
  EXPECT_EQ(second.indices[0].dtype, DType::kInt64);
  EXPECT_EQ(second.indices[0].negative, NegativeIndex::kFromEnd);
  EXPECT_EQ(second.indices[1].dtype, DType::kUint32);
  EXPECT_EQ(second.indices[1].negative, NegativeIndex::kOutOfRange);
}

// If every index outside the axis is an error, a negative one is described as just another of them.
TEST(Describe, SaysThatNegativeIndicesAreRefused) {
  LoweredPlan plan = two_axes();
  AddressTerm& term = plan.axes[0].terms[0];
  const auto negative = [&](OutOfRange policy, std::optional<IndexRange> legal) {
    plan.axes[0].policy = policy;
    term.legal = legal;
    return described(plan).index_axes[0].indices[0].negative;
  };
  term.wraps = false;
  EXPECT_EQ(negative(OutOfRange::kSkip, IndexRange{0, 10}), NegativeIndex::kError);
  EXPECT_EQ(negative(OutOfRange::kClamp, IndexRange{0, 10}), NegativeIndex::kError);
  EXPECT_EQ(negative(OutOfRange::kClamp, IndexRange{-1, 10}), NegativeIndex::kOutOfRange);
  EXPECT_EQ(negative(OutOfRange::kSkip, std::nullopt), NegativeIndex::kOutOfRange);
  EXPECT_EQ(negative(OutOfRange::kError, IndexRange{0, 10}), NegativeIndex::kOutOfRange);
}

// A loop that a term does not vary with reads its indices again, which is counted once.
TEST(Describe, CountsEachIndexOnce) {
  EXPECT_EQ(described(two_axes()).index_bytes, 2 * 15 * 8 + 5 * 4);
}

TEST(Describe, SaysWhatIsWrittenPastTheCaches) {
  LoweredPlan plan = two_axes();
  plan.stream = true;
  plan.stream_start_from = 4000;
  plan.stream_sorted_start_from = 1000;
  const PlanDescription gather = described(plan);
  EXPECT_TRUE(gather.streams);
  EXPECT_FALSE(gather.stream_from);
  EXPECT_FALSE(gather.stream_ascending_from);
  plan.scatter = true;
  const PlanDescription scatter = described(plan);
  EXPECT_FALSE(scatter.streams);
  EXPECT_EQ(scatter.stream_from, 4000);
  EXPECT_EQ(scatter.stream_ascending_from, 1000);
  // Pieces copy the start by themselves.
  plan.ways = {Pieces{}, Boxes{}};
  EXPECT_FALSE(described(plan).stream_from);
  plan.ways = {Boxes{}};
  plan.stream_start_from = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(described(plan).stream_from) << "no size is large enough";
}

TEST(Describe, SaysWhatIsFetchedAhead) {
  LoweredPlan plan = two_axes();
  plan.ahead = 7;
  plan.fetch_direct = true;
  const PlanDescription description = described(plan);
  EXPECT_EQ(description.prefetch_rows, 7);
  EXPECT_TRUE(description.prefetches_direct);
}

TEST(Describe, LeavesADescriptionWithoutElementsAsItIs) {
  LoweredPlan plan = two_axes();
  plan.points = 0;
  const PlanDescription description = described(plan);
  EXPECT_TRUE(description.empty);
  EXPECT_TRUE(description.loops.empty());
  EXPECT_TRUE(description.index_axes.empty());
  EXPECT_EQ(description.row_bytes, 0);
  EXPECT_EQ(description.moved_bytes, 0);
}

}  // namespace
}  // namespace windrow::internal

namespace windrow {
namespace {

template <class T>
std::size_t count_fields(const T& described) {
  std::set<std::string_view> names;
  std::size_t count = 0;
  visit_fields(described, [&](std::string_view name, const auto&) {
    names.insert(name);
    ++count;
  });
  EXPECT_EQ(names.size(), count);
  return count;
}

// A new member must also be added to these lists of names; otherwise this does not compile.
TEST(PlanDescriptions, VisitEveryMember) {
  {
    const PlanDescription plan{};
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v,
                                  w, x, y, z, aa, bb, cc, dd, ee, ff, gg, hh, ii, jj, kk, ll] =
        plan;
    EXPECT_EQ(count_fields(plan), 38U);
  }
  {
    const DescribedAxis axis{};
    [[maybe_unused]] const auto& [a, b, c, d] = axis;
    EXPECT_EQ(count_fields(axis), 4U);
  }
  {
    const DescribedEstimate estimate{};
    [[maybe_unused]] const auto& [a, b] = estimate;
    EXPECT_EQ(count_fields(estimate), 2U);
  }
  const DescribedIndex index{};
  [[maybe_unused]] const auto& [a, b, c] = index;
  EXPECT_EQ(count_fields(index), 3U);
}

TEST(PlanDescriptions, SayWhatAScatterDoes) {
  PlanDescription plan;
  plan.operator_name = "onnx.ScatterND-18";
  plan.dtype = DType::kInt4;
  plan.shape = {8, 2};
  plan.equation = "output[indices[i0, 0], i1] = updates[i0, i1]";
  plan.unpacks = true;
  plan.starts_with = "data";
  plan.writes_neutral = true;
  plan.copied_first = "indices, updates";
  plan.copied_first_bytes = 144;
  plan.estimates = {{"indices, updates", 0.5}, {"", 12.345}, {"updates", 1000}};
  plan.divides = true;
  plan.shared_loops = {3};
  plan.loops = {5, 4};
  plan.tile = 16;
  plan.tile_bytes = 256;
  plan.row_bytes = 2;
  plan.index_axes = {{8, OutOfRange::kSkip, {{DType::kInt64, NegativeIndex::kFromEnd, -1}}, true}};
  plan.offset_bits = 64;
  plan.offset_unit = 2;
  plan.kernel = "assign";
  plan.prefetch_rows = 8;
  plan.prefetches_direct = true;
  plan.stream_from = 4096;
  plan.stream_ascending_from = 1024;
  plan.constant_row_bytes = 32;
  plan.constant_row_kernel = "copy";
  plan.one_block = true;
  plan.moved_bytes = 120;
  plan.index_bytes = 40;
  plan.most_threads = 7;
  plan.thread_share = "a slice of every row each";
  plan.kernel_set = "plain";
  EXPECT_EQ(
      to_string(plan),
      "onnx.ScatterND-18: int4[8, 2]\n"
      "output[indices[i0, 0], i1] = updates[i0, i1]\n"
      "packing: elements are unpacked to bytes, and packed again\n"
      "first: a copy of indices, updates without gaps, 144 bytes of scratch memory\n"
      "estimate: 0.50 us with a copy of indices, updates; 12.35 us as it is; 1000.00 us with a "
      "copy of updates\n"
      "start: a copy of the data, which is not made in place\n"
      "start: then the neutral value in every cell that an update reaches\n"
      "shared loops: 3, which use the same offsets again\n"
      "loops: 5 x 4, around a row; the innermost in tiles of 16, which take 256 bytes of "
      "scratch memory\n"
      "row: 2 bytes, moved as one\n"
      "indices: int64, negative ones count from the end, -1 is padding, for an axis of extent 8; "
      "out of range: skip; checked in one pass\n"
      "offsets: 64 bits, in units of 2 bytes\n"
      "kernel: assign\n"
      "prefetch: 8 rows ahead, the direct side too\n"
      "copy of the data: non-temporal stores for outputs of 4096 bytes or more, of 1024 bytes "
      "or more if the cells ascend\n"
      "equal indices: a row of one index is moved as 32 bytes, by the kernel copy\n"
      "size: small, so that it runs at once on the calling thread\n"
      "moves: 120 bytes by 40 bytes of indices\n"
      "threads: at most 7, a slice of every row each\n"
      "end: each cell is divided by the number of its summands\n"
      "kernel set: plain\n");
}

TEST(PlanDescriptions, SayWhatAGatherDoes) {
  PlanDescription plan;
  plan.operator_name = "onnx.Gather-13";
  plan.dtype = DType::kFloat32;
  plan.shape = {2};
  plan.equation = "output[i0] = data[indices[i0]]";
  plan.loops = {2, 3};
  plan.loops_as_one = 2;
  plan.kernel = "take";
  plan.straight = plan.gather_instructions = plan.streams = true;
  const std::string text = to_string(plan);
  const std::string kernel =
      "kernel: take, or straight from the indices, without offsets, with gather instructions if "
      "the "
      "kernel set has them\n";
  for (const std::string& line :
       {kernel, std::string("loops: 2 x 3, around a row; the innermost 2 run as one\n"),
        std::string("stores: non-temporal\n"), std::string("prefetch: none\n"),
        std::string("threads: 1\n")})
    EXPECT_NE(text.find("\n" + line), std::string::npos) << line << " is not in:\n" << text;
  EXPECT_EQ(text.find("start:"), std::string::npos);
}

}  // namespace
}  // namespace windrow
