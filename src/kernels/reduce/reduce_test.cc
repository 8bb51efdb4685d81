#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "src/kernels/block_fixture.h"

namespace windrow::internal {
namespace {

// Folds one update into one cell with the kernel of a set.
template <class T>
T fold(const KernelSetEntry& set, DType dtype, Fold fold, T cell, T update) {
  const Kernel kernel =
      find_kernel({Family::kReduce, static_cast<std::int64_t>(sizeof(T)), dtype, fold});
  const std::uint32_t offset = 0;
  Block block;
  block.direct = reinterpret_cast<std::byte*>(&update);
  block.indirect = reinterpret_cast<std::byte*>(&cell);
  block.count = 1;
  block.direct_step = block.row_bytes = block.unit = sizeof(T);
  block.offsets = &offset;
  set.table.block(kernel)(block);
  return cell;
}

TEST(Reduce, AllSetsAgreeBitForBitOnRandomBits) {
  for (std::size_t r = 0; r < std::size(kKernelRows); ++r) {
    const KernelRow& row = kKernelRows[r];
    const auto kernel = static_cast<Kernel>(r);
    if (row.family != Family::kReduce) continue;
    const std::int64_t element = dtype_bits(row.dtype) / 8;
    for (const std::int64_t elements : {1, 2, 7, 33}) {
      for (const BlockCase& c : block_cases(element * elements, true)) {
        TestBlock expected(c, 11);
        kernel_sets().front().table.block(kernel)(expected.block());
        for (const KernelSetEntry& set : kernel_sets()) {
          if (!set.supported) continue;
          TestBlock actual(c, 11);
          set.table.block(kernel)(actual.block());
          ASSERT_EQ(actual.indirect(), expected.indirect())
              << row.name << " " << set.name << " " << to_string(c);
        }
      }
    }
  }
}

TEST(Reduce, IntegersWrapAround) {
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    EXPECT_EQ(fold<std::int8_t>(set, DType::kInt8, Fold::kAdd, 127, 1), -128);
    EXPECT_EQ(fold<std::uint16_t>(set, DType::kUint16, Fold::kMul, 0xffff, 0xffff), 1);
    EXPECT_EQ(fold<std::int32_t>(set, DType::kInt32, Fold::kMul, 65536, 65536), 0);
    EXPECT_EQ(fold<std::int64_t>(set, DType::kInt64, Fold::kMin, -3, 2), -3);
    EXPECT_EQ(fold<std::uint64_t>(set, DType::kUint64, Fold::kMax, 1, ~0ULL), ~0ULL);
  }
}

TEST(Reduce, EqualValuesTakeTheUpdateAndNanStays) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    EXPECT_FALSE(std::signbit(fold(set, DType::kFloat32, Fold::kMax, -0.0F, 0.0F)));
    EXPECT_TRUE(std::signbit(fold(set, DType::kFloat32, Fold::kMin, 0.0F, -0.0F)));
    EXPECT_TRUE(std::signbit(fold(set, DType::kFloat32, Fold::kMax, 0.0F, -0.0F)));
    EXPECT_TRUE(std::isnan(fold(set, DType::kFloat32, Fold::kMax, nan, 1.0F)));
    EXPECT_TRUE(std::isnan(fold(set, DType::kFloat32, Fold::kMin, 1.0F, nan)));
  }
}

template <class T, class Bits>
Bits fold_bits(const KernelSetEntry& set, DType dtype, Fold op, Bits cell, Bits update) {
  return std::bit_cast<Bits>(
      fold(set, dtype, op, std::bit_cast<T>(cell), std::bit_cast<T>(update)));
}

// Quiet and signalling ones, of either sign. Processors disagree: x86-64's own minimum takes the
// second operand where one is NaN, one of Arm's makes a quiet NaN, the other one drops it.
TEST(Reduce, MinimaAndMaximaCopyTheFirstNanWithItsBits) {
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    SCOPED_TRACE(set.name);
    for (const Fold op : {Fold::kMin, Fold::kMax}) {
      const auto single = [&](std::uint32_t cell, std::uint32_t update) {
        return fold_bits<float>(set, DType::kFloat32, op, cell, update);
      };
      EXPECT_EQ(single(0xffc12345U, 0x7fa00001U), 0xffc12345U);
      EXPECT_EQ(single(0x7fa00001U, 0x3f800000U), 0x7fa00001U);
      EXPECT_EQ(single(0xff800000U, 0xffa00001U), 0xffa00001U);
      const auto twice = [&](std::uint64_t cell, std::uint64_t update) {
        return fold_bits<double>(set, DType::kFloat64, op, cell, update);
      };
      EXPECT_EQ(twice(0xfff8000000012345U, 0x7ff0000000000001U), 0xfff8000000012345U);
      EXPECT_EQ(twice(0x3ff0000000000000U, 0xfff0000000000001U), 0xfff0000000000001U);
      for (const DType half : {DType::kFloat16, DType::kBFloat16}) {
        EXPECT_EQ(fold<std::uint16_t>(set, half, op, 0xffc5, 0x7f81), 0xffc5);
        EXPECT_EQ(fold<std::uint16_t>(set, half, op, 0x3c00, 0xff81), 0xff81);
      }
    }
  }
}

TEST(Reduce, ANanFromArithmeticIsCanonical) {
  const std::uint32_t payload = 0xffc12345;
  float nan = 0;
  std::memcpy(&nan, &payload, sizeof nan);
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    const float sum = fold(set, DType::kFloat32, Fold::kAdd, nan, 1.0F);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &sum, sizeof bits);
    EXPECT_EQ(bits, 0x7fc00000U);
    EXPECT_EQ(fold<std::uint16_t>(set, DType::kFloat16, Fold::kMul, 0x7c00, 0), 0x7e00);
    EXPECT_EQ(fold<std::uint16_t>(set, DType::kBFloat16, Fold::kAdd, 0x7f80, 0xff80), 0x7fc0);
  }
}

// x86-64's own NaN has a sign, Arm's has none.
TEST(Reduce, ANanThatTheProcessorMakesIsCanonical) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    const float sum = fold(set, DType::kFloat32, Fold::kAdd, kInfinity, -kInfinity);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(sum), 0x7fc00000U) << set.name;
    const double product =
        fold<double>(set, DType::kFloat64, Fold::kMul, std::numeric_limits<double>::infinity(), 0);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(product), 0x7ff8000000000000U) << set.name;
  }
}

TEST(Reduce, SixteenBitFloatsRoundToNearestEven) {
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    // 2048 + 1 = 2049 lies between two float16 values and is rounded to the even one.
    EXPECT_EQ(fold<std::uint16_t>(set, DType::kFloat16, Fold::kAdd, 0x6800, 0x3c00), 0x6800);
    // 256 + 1 = 257 lies between 256 and 258 in bfloat16.
    EXPECT_EQ(fold<std::uint16_t>(set, DType::kBFloat16, Fold::kAdd, 0x4380, 0x3f80), 0x4380);
  }
}

TEST(Reduce, ThereIsNoOrderOfComplexNumbers) {
  EXPECT_EQ(find_kernel({Family::kReduce, 8, DType::kComplex64, Fold::kMax}), Kernel::kCount);
  EXPECT_NE(find_kernel({Family::kReduce, 8, DType::kComplex64, Fold::kMul}), Kernel::kCount);
}

}  // namespace
}  // namespace windrow::internal
