#include <gtest/gtest.h>

#include <cstring>
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
  bool outside;  // some indices are
};

std::string to_string(const TakeCase& c) {
  return std::to_string(c.count) + " of " + std::to_string(c.extent) + " at " +
         std::to_string(c.place) + (c.wraps ? ", wraps" : "") + (c.stream ? ", stream" : "") +
         (c.outside ? ", outside" : "") +
         (c.length > 0 ? ", tables for " + std::to_string(c.length) : "");
}

// Where the table of each element begins. A run has begun before the first one, and there is a gap
// behind each table.
std::vector<std::uint32_t> place_tables(const TakeCase& c) {
  constexpr std::int64_t kGap = 3;
  std::vector<std::uint32_t> places(static_cast<std::size_t>(c.count), 0);
  for (std::int64_t j = 0; c.length > 0 && j < c.count; ++j)
    places[static_cast<std::size_t>(j)] =
        static_cast<std::uint32_t>((j + c.length / 2) / c.length * (c.extent + kGap));
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
  for (std::int64_t j = 0; j < c.count; ++j)
    indices.push_back(c.outside && random() % 16 == 0 ? strange[random() % 4] : legal(random));
  return indices;
}

template <class Index>
void check(const TakeCase& c, std::size_t width, TakeFunction take, std::string_view set) {
  constexpr std::size_t kLine = 64;
  std::mt19937_64 random(5);
  const std::vector<std::uint32_t> places = place_tables(c);
  const std::size_t last_table = places.empty() ? 0 : places.back();
  std::vector<std::byte> table((last_table + static_cast<std::size_t>(c.extent)) * width);
  for (std::byte& byte : table) byte = static_cast<std::byte>(random() | 1);
  const std::vector<Index> indices = draw_indices<Index>(c, random);
  std::vector<std::byte> out(indices.size() * width + 3 * kLine, std::byte{0xee});
  std::vector<std::byte> expected = out;
  const auto address = reinterpret_cast<std::uintptr_t>(out.data());
  const std::size_t first = (kLine - address % kLine) % kLine + static_cast<std::size_t>(c.place);
  bool outside = false;
  for (std::size_t j = 0; j < indices.size(); ++j) {
    std::int64_t at = indices[j];
    if (at < 0 && c.wraps) at += c.extent;
    std::byte* element = expected.data() + first + j * width;
    const bool inside = 0 <= at && at < c.extent;
    outside |= !inside;
    if (inside) {
      std::memcpy(element, table.data() + (places[j] + static_cast<std::size_t>(at)) * width,
                  width);
    } else {
      std::memset(element, 0, width);
    }
  }
  TakeRun run;
  run.table = table.data();
  run.extent = c.extent;
  run.wraps = c.wraps;
  run.indices = reinterpret_cast<const std::byte*>(indices.data());
  run.count = c.count;
  run.out = out.data() + first;
  run.stream = c.stream;
  run.next_table = table.data();
  run.ahead = c.count / 3;
  if (c.length > 0) {
    run.places = places.data();
    run.next_bytes = (c.extent * static_cast<std::int64_t>(width) << 16) / c.length;
  }
  EXPECT_EQ(take(run), outside) << set << ", " << width << " bytes: " << to_string(c);
  flush_streams();
  EXPECT_EQ(out, expected) << set << ", " << width << " bytes: " << to_string(c);
}

template <class Case>
void for_each_case(std::int64_t extent, std::int64_t length, const Case& run) {
  for (const std::int64_t count : {0, 1, 15, 64, 200})
    for (const std::int64_t place : {0, 1, 16})
      for (const bool wraps : {false, true})
        for (const bool stream : {false, true})
          for (const bool outside : {false, true})
            run({extent, length, count, place, wraps, stream, outside});
}

void check_any_extent(const KernelSetEntry& set, std::size_t log, std::int64_t length,
                      TakeFunction take_int32, TakeFunction take_int64) {
  const std::size_t width = std::size_t{1} << log;
  for (const std::int64_t extent : {1, 3, 7, 1000})
    for_each_case(extent, length, [&](const TakeCase& c) {
      check<std::int32_t>(c, width, take_int32, set.name);
      check<std::int64_t>(c, width, take_int64, set.name);
    });
}

TEST(TakeStraight, TakesWhatTheIndicesSayInEverySet) {
  for (const KernelSetEntry& set : kernel_sets())
    for (std::size_t log = 0; set.supported && log < 4; ++log)
      check_any_extent(set, log, 0, set.table.take_straight_int32[log],
                       set.table.take_straight_int64[log]);
}

TEST(TakePlaced, TakesFromTheTableOfEachElementInEverySet) {
  for (const KernelSetEntry& set : kernel_sets())
    for (std::size_t log = 0; set.supported && log < 4; ++log)
      for (const std::int64_t length : {1, 3, 16, 100})
        check_any_extent(set, log, length, set.table.take_placed_int32[log],
                         set.table.take_placed_int64[log]);
}

TEST(GatherPlaced, TakesFromTheTableOfEachElementInEverySetButThePlain) {
  for (const KernelSetEntry& set : kernel_sets())
    for (std::size_t log = 0; set.supported && set.name != "plain" && log < 4; ++log)
      for (const std::int64_t length : {1, 3, 16, 100})
        check_any_extent(set, log, length, set.table.gather_placed_int32[log],
                         set.table.gather_placed_int64[log]);
}

TEST(TakeGathered, TakesWhatTheIndicesSayInEverySetButThePlain) {
  for (const KernelSetEntry& set : kernel_sets())
    for (std::size_t log = 0; set.supported && set.name != "plain" && log < 4; ++log)
      check_any_extent(set, log, 0, set.table.take_gathered_int32[log],
                       set.table.take_gathered_int64[log]);
}

TEST(LookUp, TakesWhatTheIndicesSayFromTablesOfUpToFourVectors) {
  for (const KernelSetEntry& set : kernel_sets()) {
    for (std::size_t log = 0; log < 4; ++log) {
      const std::size_t width = std::size_t{1} << log;
      const auto most = kMostLookupBytes / static_cast<std::int64_t>(width);
      for (const std::int64_t extent : {std::int64_t{1}, most / 4, most / 2 + 1, most})
        for_each_case(extent, 0, [&](const TakeCase& c) {
          if (set.table.look_up_int32[log] != nullptr)
            check<std::int32_t>(c, width, set.table.look_up_int32[log], set.name);
          if (set.table.look_up_int64[log] != nullptr)
            check<std::int64_t>(c, width, set.table.look_up_int64[log], set.name);
        });
    }
  }
}

}  // namespace
}  // namespace windrow::internal
