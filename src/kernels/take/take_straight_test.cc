#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "src/kernels/registry.h"

namespace windrow::internal {
namespace {

struct TakeCase {
  std::int64_t extent;
  std::int64_t length;  // elements of a table's run before the next table's; 0: one table
  std::int64_t count;
  std::int64_t place;  // of the result in its cache line
  bool wraps;
  bool stream;
  bool outside;           // some indices are
  std::int64_t near = 0;  // indices in turn that use few cache lines, then as many that use all
  bool pads = false;      // the index in the middle is padding, wherever it stands
  std::int64_t step = 1;  // elements from one coordinate of a table to the next
};

std::string to_string(const TakeCase& c) {
  return std::to_string(c.count) + " of " + std::to_string(c.extent) + " at " +
         std::to_string(c.place) + (c.wraps ? ", wraps" : "") + (c.stream ? ", stream" : "") +
         (c.outside ? ", outside" : "") +
         (c.length > 0 ? ", tables for " + std::to_string(c.length) : "") +
         (c.near > 0 ? ", near for " + std::to_string(c.near) : "") + (c.pads ? ", pads" : "") +
         ", step " + std::to_string(c.step);
}

// Where the table of each element begins. A run has begun before the first one, and there is a gap
// behind each table.
std::vector<std::uint32_t> place_tables(const TakeCase& c) {
  constexpr std::int64_t kGap = 3;
  std::vector<std::uint32_t> places(static_cast<std::size_t>(c.count), 0);
  for (std::int64_t j = 0; c.length > 0 && j < c.count; ++j)
    places[static_cast<std::size_t>(j)] =
        static_cast<std::uint32_t>((j + c.length / 2) / c.length * (c.extent * c.step + kGap));
  return places;
}

// Legal indices, and between them some that are not: just outside, and far.
template <class Index>
std::vector<Index> draw_indices(const TakeCase& c, std::mt19937_64& random) {
  std::vector<Index> indices;
  const auto extent = static_cast<Index>(c.extent);
  const Index low = c.wraps ? static_cast<Index>(-extent) : Index{0};
  const Index strange[] = {extent, static_cast<Index>(low - 1), std::numeric_limits<Index>::min(),
                           std::numeric_limits<Index>::max()};
  std::uniform_int_distribution<Index> legal(low, static_cast<Index>(extent - 1));
  for (std::int64_t j = 0; j < c.count; ++j) {
    Index index = legal(random);
    if (c.near > 0 && j / c.near % 2 == 0) index %= 16;
    indices.push_back(c.outside && random() % 16 == 0 ? strange[random() % 4] : index);
  }
  return indices;
}

// Random bytes, none of them zero. The last ones are kept: many cases in turn have a table of the
// same size.
const std::vector<std::byte>& draw_table(std::size_t bytes) {
  static std::vector<std::byte> table;
  if (table.size() == bytes) return table;
  table = std::vector<std::byte>(bytes);
  std::mt19937_64 random(5);
  for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = random() | 0x0101010101010101;
    std::memcpy(table.data() + at, &word, std::min(sizeof word, bytes - at));
  }
  return table;
}

template <class Index>
void check(const TakeCase& c, std::size_t width, TakeFunction take, std::string_view set,
           std::int64_t ahead) {
  constexpr std::size_t kLine = 64;
  std::mt19937_64 random(6);
  const std::vector<std::uint32_t> places = place_tables(c);
  const std::size_t last_table = places.empty() ? 0 : places.back();
  const std::vector<std::byte>& table =
      draw_table((last_table + static_cast<std::size_t>(c.extent * c.step)) * width);
  const std::vector<Index> indices = draw_indices<Index>(c, random);
  std::vector<std::byte> out(indices.size() * width + 3 * kLine, std::byte{0xee});
  std::vector<std::byte> expected = out;
  const auto address = reinterpret_cast<std::uintptr_t>(out.data());
  const std::size_t first = (kLine - address % kLine) % kLine + static_cast<std::size_t>(c.place);
  std::optional<std::int64_t> padding;
  if (c.pads && !indices.empty()) padding = indices[indices.size() / 2];
  bool outside = false;
  for (std::size_t j = 0; j < indices.size(); ++j) {
    std::int64_t at = indices[j];
    if (at < 0 && c.wraps) at += c.extent;
    std::byte* element = expected.data() + first + j * width;
    const bool inside = 0 <= at && at < c.extent && indices[j] != padding;
    outside |= !inside && indices[j] != padding;
    if (inside) {
      std::memcpy(element,
                  table.data() + (places[j] + static_cast<std::size_t>(at * c.step)) * width,
                  width);
    } else {
      std::memset(element, 0, width);
    }
  }
  TakeRun run;
  run.table = table.data();
  run.extents[0] = c.extent;
  run.steps[0] = static_cast<std::uint32_t>(c.step);
  run.wraps = c.wraps;
  run.padding = padding;
  run.indices = reinterpret_cast<const std::byte*>(indices.data());
  run.count = c.count;
  run.out = out.data() + first;
  run.stream = c.stream;
  run.next_table = table.data();
  run.ahead = ahead;
  if (c.length > 0) {
    run.places = places.data();
    run.next_bytes = (c.extent * static_cast<std::int64_t>(width) << 16) / c.length;
  }
  EXPECT_EQ(take(run), outside) << set << ", " << width << " bytes: " << to_string(c);
  flush_streams();
  EXPECT_EQ(out, expected) << set << ", " << width << " bytes: " << to_string(c);
}

template <class Case>
void for_each_case(std::int64_t extent, std::int64_t length, std::int64_t step, const Case& run) {
  for (const std::int64_t count : {0, 1, 15, 64, 200})
    for (const std::int64_t place : {0, 1, 16})
      for (const bool wraps : {false, true})
        for (const bool stream : {false, true})
          for (const bool outside : {false, true})
            for (const bool pads : {false, true})
              run({extent, length, count, place, wraps, stream, outside, 0, pads, step});
}

void check_row(const KernelRow& row, TakeFunction take, std::string_view set, std::int64_t extent,
               std::int64_t length = 0, std::int64_t step = 1) {
  const auto width = static_cast<std::size_t>(row.low);
  for_each_case(extent, length, step, [&](const TakeCase& c) {
    for (const std::int64_t ahead : {std::int64_t{0}, length > 0 ? c.count / 3 : 200})
      row.dtype == DType::kInt64 ? check<std::int64_t>(c, width, take, set, ahead)
                                 : check<std::int32_t>(c, width, take, set, ahead);
  });
}

// Runs `check` with every row of a family and its function in every set that has one.
template <Family kFamily, class Check>
void for_each_row(const Check& check) {
  for (const KernelSetEntry& set : kernel_sets()) {
    for (std::size_t r = 0; r < std::size(kKernelRows); ++r) {
      const TakeFunction take = kKernelRows[r].family == kFamily
                                    ? set.table.get<kFamily>(static_cast<Kernel>(r))
                                    : nullptr;
      if (take != nullptr) check(kKernelRows[r], take, set.name);
    }
  }
}

void check_any_extent(const KernelRow& row, TakeFunction take, std::string_view set) {
  for (const std::int64_t extent : {1, 3, 7, 1000}) check_row(row, take, set, extent);
}

void check_places(const KernelRow& row, TakeFunction take, std::string_view set) {
  for (const std::int64_t length : {1, 3, 16, 100})
    for (const std::int64_t extent : {1, 3, 7, 1000})
      for (const std::int64_t step : {1, 5}) check_row(row, take, set, extent, length, step);
}

TEST(Take, TakesWhatTheIndicesSayInEverySet) { for_each_row<Family::kTake>(check_any_extent); }

// Runs that change between stretches that are prefetched and those that are near.
void check_stretches(const KernelRow& row, TakeFunction take, std::string_view set) {
  for (const std::int64_t near : {std::int64_t{300}, std::int64_t{1024}, std::int64_t{5000}}) {
    for (const bool outside : {false, true}) {
      for (const std::int64_t place : {0, 16}) {
        TakeCase c{60000, 0, 4999, place, true, place == 16, outside, near};
        const auto width = static_cast<std::size_t>(row.low);
        for (const bool pads : {false, true}) {
          c.pads = pads;
          row.dtype == DType::kInt64 ? check<std::int64_t>(c, width, take, set, 64)
                                     : check<std::int32_t>(c, width, take, set, 64);
        }
      }
    }
  }
}

TEST(Take, TakesNearAndFarStretchesInEverySet) { for_each_row<Family::kTake>(check_stretches); }

TEST(TakeGathered, TakesNearAndFarStretchesInEverySet) {
  for_each_row<Family::kTakeGathered>(check_stretches);
}

TEST(Take, TakesFromTheTableOfEachElementInEverySet) { for_each_row<Family::kTake>(check_places); }

TEST(TakeGathered, TakesWhatTheIndicesSayInEverySet) {
  for_each_row<Family::kTakeGathered>(check_any_extent);
}

TEST(TakeGathered, TakesFromTheTableOfEachElementInEverySet) {
  for_each_row<Family::kTakeGathered>(check_places);
}

TEST(TakeGathered, IsInTheSetsOfAvx) {
  for (const KernelSetEntry& set : kernel_sets())
    EXPECT_EQ(set.table.find<Family::kTakeGathered>(4, DType::kInt64) != nullptr,
              set.supported && set.name.starts_with("avx"))
        << set.name;
}

TEST(LookUp, TakesWhatTheIndicesSayFromTablesOfUpToFourVectors) {
  for_each_row<Family::kLookUp>([](const KernelRow& row, TakeFunction take, std::string_view set) {
    const std::int64_t most = kMostLookupBytes / row.low;
    for (const std::int64_t extent : {std::int64_t{1}, most / 4, most / 2 + 1, most})
      check_row(row, take, set, extent);
  });
}

}  // namespace
}  // namespace windrow::internal
