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

// A member that is added must be added to these lists of names, too, or this does not compile.
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
  EXPECT_EQ(to_string(plan),
            "onnx.ScatterND-18: int4[8, 2]\n"
            "output[indices[i0, 0], i1] = updates[i0, i1]\n"
            "packed elements are unpacked to bytes, and packed again\n"
            "starts with a copy of the data unless it runs in place\n"
            "then writes the neutral value to the cells it reaches\n"
            "loops that share offsets: 3\n"
            "loops: 5 x 4 (innermost in tiles of 16, packed into 256 bytes of scratch)\n"
            "row: 2 bytes\n"
            "index axis: extent 8, out of range: skip, int64 counting from the end, one pass\n"
            "offsets: 64 bits in units of 2 bytes\n"
            "kernel: assign\n"
            "prefetch: 8 rows ahead, updates too\n"
            "a copied output: past the caches from 4096 bytes on, if the cells ascend from 1024\n"
            "index rows that hold one index: as rows of 32 bytes, by copy\n"
            "small: one block on the calling thread\n"
            "moves: 120 bytes by 40 bytes of indices\n"
            "threads: at most 7, a slice of every row each\n"
            "then counts the updates of each cell and divides\n"
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
      "kernel: take, or straight from the indices with gather instructions, if the kernel set has "
      "them\n";
  for (const std::string& line : {kernel, std::string("loops: 2 x 3 (the innermost two as one)\n"),
                                  std::string("writes: past the caches\n"),
                                  std::string("prefetch: none\n"), std::string("threads: 1\n")})
    EXPECT_NE(text.find("\n" + line), std::string::npos) << line << " is not in:\n" << text;
  EXPECT_EQ(text.find("starts with"), std::string::npos);
}

}  // namespace
}  // namespace windrow
