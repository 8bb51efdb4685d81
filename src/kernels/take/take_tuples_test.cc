#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "src/kernels/registry.h"

namespace windrow::internal {
namespace {

struct TupleCase {
  int length;
  std::int64_t count;
  std::int64_t place;  // of the result in its cache line
  bool wraps;
  bool stream;
  bool outside;  // some coordinates are
};

std::string to_string(const TupleCase& c) {
  return std::to_string(c.count) + " tuples of " + std::to_string(c.length) + " at " +
         std::to_string(c.place) + (c.wraps ? ", wraps" : "") + (c.stream ? ", stream" : "") +
         (c.outside ? ", outside" : "");
}

constexpr std::array<std::int64_t, kMostTuple> kExtents = {5, 7, 3, 4};

// Row-major, but with a gap behind the last axis.
std::array<std::uint32_t, kMostTuple> steps_of(int length) {
  std::array<std::uint32_t, kMostTuple> steps{};
  std::uint32_t step = 2;
  for (int k = length; k-- > 0;) {
    steps[static_cast<std::size_t>(k)] = step;
    step *= static_cast<std::uint32_t>(kExtents[static_cast<std::size_t>(k)]);
  }
  return steps;
}

template <class Index>
std::vector<Index> draw_indices(const TupleCase& c, std::mt19937_64& random) {
  std::vector<Index> indices;
  for (std::int64_t j = 0; j < c.count; ++j) {
    for (int k = 0; k < c.length; ++k) {
      const auto extent = static_cast<Index>(kExtents[static_cast<std::size_t>(k)]);
      const Index low = c.wraps ? static_cast<Index>(-extent) : Index{0};
      const Index strange[] = {extent, static_cast<Index>(low - 1),
                               std::numeric_limits<Index>::min(),
                               std::numeric_limits<Index>::max()};
      std::uniform_int_distribution<Index> legal(low, static_cast<Index>(extent - 1));
      indices.push_back(c.outside && random() % 64 == 0 ? strange[random() % 4] : legal(random));
    }
  }
  return indices;
}

template <class Index>
void check(const TupleCase& c, std::size_t width, TakeFunction take, std::string_view set) {
  constexpr std::size_t kLine = 64;
  std::mt19937_64 random(5);
  const auto steps = steps_of(c.length);
  std::vector<std::byte> table(static_cast<std::size_t>(kExtents[0]) * steps[0] * width);
  for (std::byte& byte : table) byte = static_cast<std::byte>(random() | 1);
  const std::vector<Index> indices = draw_indices<Index>(c, random);
  std::vector<std::byte> out(static_cast<std::size_t>(c.count) * width + 3 * kLine,
                             std::byte{0xee});
  std::vector<std::byte> expected = out;
  const auto address = reinterpret_cast<std::uintptr_t>(out.data());
  const std::size_t first = (kLine - address % kLine) % kLine + static_cast<std::size_t>(c.place);
  bool outside = false;
  for (std::size_t j = 0; j < static_cast<std::size_t>(c.count); ++j) {
    std::size_t offset = 0;
    bool inside = true;
    for (std::size_t k = 0; k < static_cast<std::size_t>(c.length); ++k) {
      std::int64_t at = indices[j * static_cast<std::size_t>(c.length) + k];
      if (at < 0 && c.wraps) at += kExtents[k];
      inside = inside && 0 <= at && at < kExtents[k];
      offset += inside ? static_cast<std::size_t>(at) * steps[k] : 0;
    }
    outside |= !inside;
    std::byte* element = expected.data() + first + j * width;
    std::memset(element, 0, width);
    if (inside) std::memcpy(element, table.data() + offset * width, width);
  }
  TakeRun run;
  run.table = table.data();
  run.length = c.length;
  run.extents = kExtents;
  run.steps = steps;
  run.wraps = c.wraps;
  run.indices = reinterpret_cast<const std::byte*>(indices.data());
  run.count = c.count;
  run.out = out.data() + first;
  run.stream = c.stream;
  run.ahead = c.place == 0 ? 64 : 0;
  EXPECT_EQ(take(run), outside) << set << ", " << width << " bytes: " << to_string(c);
  flush_streams();
  EXPECT_EQ(out, expected) << set << ", " << width << " bytes: " << to_string(c);
}

template <Family kFamily>
void check_family() {
  for (const KernelSetEntry& set : kernel_sets()) {
    for (std::size_t r = 0; r < std::size(kKernelRows); ++r) {
      const KernelRow& row = kKernelRows[r];
      if (row.family != kFamily) continue;
      const TakeFunction take = set.table.get<kFamily>(static_cast<Kernel>(r));
      for (const int length : {1, 2, 3, 4})
        for (const std::int64_t count : {0, 1, 63, 64, 128, 300})
          for (const std::int64_t place : {0, 1, 16})
            for (const bool wraps : {false, true})
              for (const bool stream : {false, true})
                for (const bool outside : {false, true}) {
                  const TupleCase c{length, count, place, wraps, stream, outside};
                  const auto width = static_cast<std::size_t>(row.low);
                  if (take == nullptr) continue;
                  row.dtype == DType::kInt64 ? check<std::int64_t>(c, width, take, set.name)
                                             : check<std::int32_t>(c, width, take, set.name);
                }
    }
  }
}

TEST(TakeTuples, TakesWhatTheIndicesSayInEverySet) { check_family<Family::kTake>(); }

TEST(TakeTuples, TakesWhatTheIndicesSayByGatherInstructions) {
  check_family<Family::kTakeGathered>();
}

}  // namespace
}  // namespace windrow::internal
