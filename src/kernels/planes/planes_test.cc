#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "src/kernels/registry.h"

namespace windrow::internal {
namespace {

struct PlaneCase {
  std::int64_t rows;
  std::int64_t row_bytes;
  std::int64_t place;  // of the first written byte, in bytes from the start of its cache line
  std::int64_t gap;    // bytes between the written rows
  bool stream;
};

std::string to_string(const PlaneCase& c) {
  return std::to_string(c.rows) + " rows of " + std::to_string(c.row_bytes) + " bytes at " +
         std::to_string(c.place) + ", gap " + std::to_string(c.gap) + (c.stream ? ", stream" : "");
}

// The bytes around the written rows must also stay unchanged.
void check(const PlaneCase& c, const KernelSetEntry& set) {
  constexpr std::int64_t kFromGap = 5;
  constexpr std::int64_t kLine = 64;
  std::mt19937 random(3);
  std::vector<std::byte> from(static_cast<std::size_t>(c.rows * (c.row_bytes + kFromGap)));
  for (std::byte& byte : from) byte = static_cast<std::byte>(random());
  const std::int64_t step = c.row_bytes + c.gap;
  std::vector<std::byte> written(static_cast<std::size_t>(c.rows * step + 3 * kLine));
  for (std::byte& byte : written) byte = static_cast<std::byte>(random());
  std::vector<std::byte> expected = written;
  const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(written.data()));
  const std::int64_t first = (kLine - address % kLine) % kLine + c.place;
  for (std::int64_t row = 0; row < c.rows; ++row)
    std::memcpy(expected.data() + first + row * step, from.data() + row * (c.row_bytes + kFromGap),
                static_cast<std::size_t>(c.row_bytes));
  Plane plane;
  plane.to = written.data() + first;
  plane.from = from.data();
  plane.to_step = step;
  plane.from_step = c.row_bytes + kFromGap;
  plane.rows = plane.known_rows = c.rows;
  plane.row_bytes = c.row_bytes;
  plane.ahead = 2;
  plane.stream = c.stream;
  set.table.copy_plane(plane);
  flush_streams();
  EXPECT_EQ(written, expected) << set.name << ": " << to_string(c);
}

TEST(Planes, EverySetCopiesRowsOfAnyLengthAndPlace) {
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    for (const std::int64_t rows : {1, 7})
      for (const std::int64_t bytes : {0, 1, 16, 48, 63, 64, 128, 200, 256, 4096, 5003})
        for (const std::int64_t place : {0, 1, 16, 32})
          for (const std::int64_t gap : {0, 3, 16, 64})
            for (const bool stream : {false, true}) check({rows, bytes, place, gap, stream}, set);
  }
}

// The steps of a grid in elements. Rows of the written side do not meet.
struct GridCase {
  std::int64_t rows;
  std::int64_t count;
  std::int64_t to_row;
  std::int64_t to_step;
  std::int64_t from_row;
  std::int64_t from_step;
};

void check(const GridCase& c, std::int64_t width, const KernelSetEntry& set) {
  const auto span = [&](std::int64_t row, std::int64_t step) {
    return (std::abs(row) * (c.rows - 1) + std::abs(step) * (c.count - 1) + 1) * width;
  };
  const auto first = [&](std::int64_t row, std::int64_t step) {
    return (std::max<std::int64_t>(-row, 0) * (c.rows - 1) +
            std::max<std::int64_t>(-step, 0) * (c.count - 1)) *
           width;
  };
  std::mt19937 random(4);
  // Exactly as long as what may be read: a sanitizer sees every byte beyond.
  std::vector<std::byte> from(static_cast<std::size_t>(span(c.from_row, c.from_step)));
  for (std::byte& byte : from) byte = static_cast<std::byte>(random());
  std::vector<std::byte> written(static_cast<std::size_t>(span(c.to_row, c.to_step)),
                                 std::byte{0x5A});
  std::vector<std::byte> expected = written;
  Grid grid;
  grid.to = written.data() + first(c.to_row, c.to_step);
  grid.from = from.data() + first(c.from_row, c.from_step);
  grid.rows = c.rows;
  grid.count = c.count;
  grid.to_row = c.to_row * width;
  grid.to_step = c.to_step * width;
  grid.from_row = c.from_row * width;
  grid.from_step = c.from_step * width;
  std::byte* to = expected.data() + (grid.to - written.data());
  for (std::int64_t i = 0; i < c.rows; ++i)
    for (std::int64_t j = 0; j < c.count; ++j)
      std::memcpy(to + i * grid.to_row + j * grid.to_step,
                  grid.from + i * grid.from_row + j * grid.from_step,
                  static_cast<std::size_t>(width));
  set.table.find<Family::kCopyGrid>(width)(grid);
  EXPECT_EQ(written, expected) << set.name << ", " << width << " bytes: " << c.rows << " x "
                               << c.count << ", " << c.from_row << ", " << c.from_step;
}

TEST(Grids, EverySetCopiesElementsOfEveryWidthInAnyOrder) {
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    for (const std::int64_t width : {1, 2, 4, 8, 16}) {
      for (const std::int64_t count : {1, 3, 8, 21, 64, 200}) {
        for (const std::int64_t step : {0, 1, 2, 3, -1, -2})
          check({1, count, 0, 1, 0, step}, width, set);
        for (const std::int64_t rows : {2, 5, 64, 67}) {
          check({rows, count, count, 1, 1, rows}, width, set);        // transposed
          check({rows, count, count, 1, -1, -rows - 3}, width, set);  // and reversed
          check({rows, count, 2 * count + 1, 2, 2 * count + 5, 2}, width,
                set);  // gaps on both sides
          check({rows, count, count, 1, 2 * count, 2}, width, set);
          check({rows, count, 1, rows, count, 1}, width, set);
        }
      }
    }
  }
}

}  // namespace
}  // namespace windrow::internal
