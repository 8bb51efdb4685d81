#include <gtest/gtest.h>

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

}  // namespace
}  // namespace windrow::internal
