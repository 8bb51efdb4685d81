#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "windrow/plan_description.h"

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
                                  w, x, y, z, aa, bb, cc, dd, ee, ff, gg, hh, ii] = plan;
    EXPECT_EQ(count_fields(plan), 35U);
  }
  {
    const DescribedAxis axis{};
    [[maybe_unused]] const auto& [a, b, c, d] = axis;
    EXPECT_EQ(count_fields(axis), 4U);
  }
  const DescribedIndex index{};
  [[maybe_unused]] const auto& [a, b] = index;
  EXPECT_EQ(count_fields(index), 2U);
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
  plan.divides = true;
  plan.shared_loops = {3};
  plan.loops = {5, 4};
  plan.tile = 16;
  plan.tile_bytes = 256;
  plan.row_bytes = 2;
  plan.index_axes = {{8, OutOfRange::kSkip, {{DType::kInt64, true}}, true}};
  plan.offset_bits = 64;
  plan.offset_unit = 2;
  plan.kernel = "assign";
  plan.prefetch_rows = 8;
  plan.prefetches_updates = true;
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
      "start: a copy of the data, which is not made in place\n"
      "start: then the neutral value in every cell that an update reaches\n"
      "shared loops: 3, which use the same offsets again\n"
      "loops: 5 x 4, around a row; the innermost in tiles of 16, which take 256 bytes of "
      "scratch memory\n"
      "row: 2 bytes, moved as one\n"
      "indices: int64, negative ones count from the end, for an axis of extent 8; out of "
      "range: skip; checked in one pass\n"
      "offsets: 64 bits, in units of 2 bytes\n"
      "kernel: assign\n"
      "prefetch: 8 rows ahead, updates too\n"
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
  plan.innermost_as_one = true;
  plan.kernel = "take";
  plan.straight = plan.gather_instructions = plan.streams = true;
  const std::string text = to_string(plan);
  const std::string kernel =
      "kernel: take, or straight from the indices, without offsets, with gather instructions if "
      "the "
      "kernel set has them\n";
  for (const std::string& line :
       {kernel, std::string("loops: 2 x 3, around a row; the innermost two run as one\n"),
        std::string("stores: non-temporal\n"), std::string("prefetch: none\n"),
        std::string("threads: 1\n")})
    EXPECT_NE(text.find("\n" + line), std::string::npos) << line << " is not in:\n" << text;
  EXPECT_EQ(text.find("start:"), std::string::npos);
}

}  // namespace
}  // namespace windrow
