#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "src/kernels/registry.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kCount = 77;  // not a multiple of a vector

// The offsets of one run, index by index; empty for an index that is outside.
struct Expected {
  std::vector<std::uint64_t> offsets;
  unsigned flags = 0;
};

Expected expect(const OffsetRun& run, const std::vector<std::int64_t>& indices,
                const std::vector<std::uint64_t>& before) {
  const std::uint64_t outside = run.wide_offsets ? ~std::uint64_t{0} : 0xffffffffU;
  const bool masks = run.policy == OutOfRange::kZero || run.policy == OutOfRange::kSkip;
  Expected expected;
  for (std::size_t j = 0; j < indices.size(); ++j) {
    std::int64_t c = indices[j];
    if (run.policy == OutOfRange::kModulo) {
      c = ((c % run.extent) + run.extent) % run.extent;
    } else if (c < 0 && run.wraps) {
      c += run.extent;
    }
    if (run.policy == OutOfRange::kClamp)
      c = std::max<std::int64_t>(0, std::min(c, run.extent - 1));
    const bool beside = c < 0 || c >= run.extent;
    const bool padded = indices[j] == run.padding;
    const bool out = padded || (masks && (beside || (run.accumulate && before[j] == outside)));
    if (out) expected.flags |= kIndexOutside;
    if (beside && !out) expected.flags |= kIndexBad;
    std::uint64_t offset = static_cast<std::uint64_t>(c) * run.multiplier;
    offset += run.start + (run.accumulate ? before[j] : j * run.lane_step);
    expected.offsets.push_back(out ? outside : offset & outside);
  }
  return expected;
}

std::vector<std::int64_t> random_indices(std::mt19937& random, std::int64_t extent, bool legal) {
  std::vector<std::int64_t> indices;
  for (std::int64_t j = 0; j < kCount; ++j) {
    std::int64_t index =
        static_cast<std::int64_t>(random() % static_cast<unsigned>(2 * extent)) - extent;
    if (!legal && random() % 8 == 0) index = extent + static_cast<std::int64_t>(random() % 100);
    if (!legal && random() % 8 == 0)
      index = -extent - 1 - static_cast<std::int64_t>(random() % 100);
    indices.push_back(index);
  }
  return indices;
}

template <class Offset, class Index>
void check(const KernelSetEntry& set, OffsetRun run, const std::vector<std::int64_t>& indices,
           const std::vector<std::uint64_t>& before) {
  std::vector<Index> typed(indices.begin(), indices.end());
  std::vector<Offset> offsets(before.begin(), before.end());
  run.indices = typed.data();
  run.offsets = offsets.data();
  const Expected expected = expect(run, indices, before);
  const unsigned flags = set.table.of_type<Family::kOffsets>(dtype_of<Index>::value)(run);
  ASSERT_EQ(flags & kIndexBad, expected.flags & kIndexBad);
  if ((flags & kIndexBad) != 0) return;
  ASSERT_EQ(flags, expected.flags);
  for (std::size_t j = 0; j < offsets.size(); ++j)
    ASSERT_EQ(offsets[j], static_cast<Offset>(expected.offsets[j])) << "at " << j;
}

// Some index of a run, or one that no run has.
std::optional<std::int64_t> draw_padding(const std::vector<std::int64_t>& indices,
                                         std::mt19937& random) {
  if (random() % 3 == 0) return std::nullopt;
  return random() % 4 == 0 ? 5000 : indices[random() % indices.size()];
}

void check_policy(const KernelSetEntry& set, OutOfRange policy, bool legal, std::mt19937& random) {
  for (const bool wide : {false, true}) {
    for (const bool accumulate : {false, true}) {
      OffsetRun run;
      run.count = kCount;
      run.extent = 1 + static_cast<std::int64_t>(random() % 1000);
      run.wraps = random() % 2 == 0 || legal;
      run.multiplier = random() % 2 == 0 ? random() % 50 : -std::uint64_t{random() % 50};
      run.start = 100000;
      run.lane_step = random() % 3;
      run.policy = policy;
      run.wide_offsets = wide;
      run.accumulate = accumulate;
      auto indices = random_indices(random, run.extent, legal);
      run.padding = draw_padding(indices, random);
      if (run.padding && random() % 2 == 0)
        for (std::size_t j = 0; j < indices.size(); j += 7) indices[j] = *run.padding;
      const std::uint64_t outside = wide ? ~std::uint64_t{0} : 0xffffffffU;
      std::vector<std::uint64_t> before;
      for (std::int64_t j = 0; j < kCount; ++j)
        before.push_back(!legal && random() % 9 == 0 ? outside : 100000 + random() % 1000);
      if (wide) {
        check<std::uint64_t, std::int64_t>(set, run, indices, before);
        check<std::uint64_t, std::int32_t>(set, run, indices, before);
      } else {
        check<std::uint32_t, std::int64_t>(set, run, indices, before);
        check<std::uint32_t, std::int32_t>(set, run, indices, before);
      }
    }
  }
}

TEST(Offsets, EveryPolicyOfEverySet) {
  std::mt19937 random(3);
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    for (int round = 0; round < 50; ++round)
      for (const OutOfRange policy : {OutOfRange::kError, OutOfRange::kZero, OutOfRange::kSkip,
                                      OutOfRange::kClamp, OutOfRange::kModulo})
        for (const bool legal : {false, true}) check_policy(set, policy, legal, random);
  }
}

TEST(Offsets, ExtremeIndicesAreOutside) {
  const std::int64_t indices[] = {std::numeric_limits<std::int64_t>::min(),
                                  std::numeric_limits<std::int64_t>::max()};
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    for (const std::int64_t& index : indices) {
      std::uint32_t offset = 0;
      OffsetRun run;
      run.indices = &index;
      run.count = 1;
      run.extent = 10;
      run.wraps = true;
      run.multiplier = 1;
      run.offsets = &offset;
      EXPECT_EQ(set.table.of_type<Family::kOffsets>(DType::kInt64)(run),
                static_cast<unsigned>(kIndexBad));
      run.policy = OutOfRange::kSkip;
      EXPECT_EQ(set.table.of_type<Family::kOffsets>(DType::kInt64)(run),
                static_cast<unsigned>(kIndexOutside));
      EXPECT_EQ(offset, 0xffffffffU);
    }
  }
}

TEST(Load, StridedIndicesOfEveryType) {
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    const std::uint8_t bytes[] = {7, 0, 250, 0, 3};
    std::int64_t out[3];
    set.table.of_type<Family::kLoad>(DType::kUint8)(reinterpret_cast<const std::byte*>(bytes), 2, 3,
                                                    out);
    EXPECT_EQ(out[1], 250);
    const std::uint64_t large = std::numeric_limits<std::uint64_t>::max();
    set.table.of_type<Family::kLoad>(DType::kUint64)(reinterpret_cast<const std::byte*>(&large), 0,
                                                     2, out);
    EXPECT_EQ(out[1], std::numeric_limits<std::int64_t>::max());
    const std::int16_t backwards[] = {-1, -2, -3};
    set.table.of_type<Family::kLoad>(DType::kInt16)(
        reinterpret_cast<const std::byte*>(backwards + 2), -2, 3, out);
    EXPECT_EQ(out[0], -3);
    EXPECT_EQ(out[2], -1);
  }
}

template <class T>
std::vector<std::int64_t> load(const KernelSetEntry& set, DType dtype, const std::vector<T>& from) {
  std::vector<std::int64_t> out(from.size());
  set.table.of_type<Family::kLoad>(dtype)(reinterpret_cast<const std::byte*>(from.data()),
                                          sizeof(T), std::ssize(from), out.data());
  return out;
}

// Processors convert these differently: Arm makes 0 of NaN and the nearest integer of the others,
// x86-64 makes -2^63 of all.
TEST(Load, FloatsThatNoIntegerHoldsAreFarBelow) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  const std::vector<double> doubles = {0x1p63, -0x1p63, 1e300, kInfinity, -kInfinity, kNan, -2.9};
  const std::vector<float> floats(doubles.begin(), doubles.end());
  const std::vector<std::uint16_t> halves = {0x7c00, 0xfc00, 0x7e00, 0xfdff, 0x7bff, 0xc1cd};
  std::vector<std::int64_t> expected(doubles.size(), kLowest);
  expected.back() = -2;
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    EXPECT_EQ(load(set, DType::kFloat64, doubles), expected) << set.name;
    EXPECT_EQ(load(set, DType::kFloat32, floats), expected) << set.name;
    EXPECT_EQ(load(set, DType::kFloat16, halves),
              (std::vector<std::int64_t>{kLowest, kLowest, kLowest, kLowest, 65504, -2}))
        << set.name;
  }
}

}  // namespace
}  // namespace windrow::internal
