#include "src/kernels/reduce/mean.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <vector>

namespace windrow::internal {
namespace {

// The cells after the division. `updates` has the number of updates of each cell.
template <class Cell, class Count>
std::vector<Cell> divide(DType dtype, std::vector<Cell> cells, const std::vector<Count>& updates,
                         std::int64_t extra) {
  MeanRun run;
  run.cells = reinterpret_cast<std::byte*>(cells.data());
  run.step = sizeof(Cell);
  run.count = static_cast<std::int64_t>(cells.size());
  run.updates = updates.data();
  run.wide = sizeof(Count) == 8;
  run.extra = extra;
  find_mean(dtype)(run);
  return cells;
}

using Counts = std::vector<std::uint32_t>;

TEST(Mean, CellsMayShareANumberOfUpdates) {
  std::vector<float> cells = {3, 6, 9, 12, 15};
  const std::uint32_t updates = 2;
  MeanRun run;
  run.cells = reinterpret_cast<std::byte*>(cells.data());
  run.updates = &updates;
  run.same_updates = true;
  run.extra = 1;
  run.step = sizeof(float);
  run.count = 4;
  find_mean(DType::kFloat32)(run);
  EXPECT_EQ(cells, (std::vector<float>{1, 2, 3, 4, 15}));
  run.step = 2 * sizeof(float);
  run.count = 3;
  find_mean(DType::kFloat32)(run);
  EXPECT_EQ(cells, (std::vector<float>{1.0F / 3, 2, 1, 4, 5}));
  const std::uint32_t none = 0;
  run.updates = &none;
  find_mean(DType::kFloat32)(run);
  EXPECT_EQ(cells, (std::vector<float>{1.0F / 3, 2, 1, 4, 5}));
}

template <class Cell>
Cell first_of(const CellBytes& bytes) {
  Cell cell;
  std::memcpy(&cell, bytes.data(), sizeof cell);
  return cell;
}

TEST(Identity, IsInfiniteWhereTheTypeHasAnInfinity) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(first_of<float>(identity_cell(Fold::kMin, DType::kFloat32)), kInfinity);
  EXPECT_EQ(first_of<double>(identity_cell(Fold::kMax, DType::kFloat64)), -kInfinity);
  EXPECT_EQ(first_of<std::uint16_t>(identity_cell(Fold::kMin, DType::kFloat16)), 0x7c00);
  EXPECT_EQ(first_of<std::uint16_t>(identity_cell(Fold::kMax, DType::kBFloat16)), 0xff80);
  EXPECT_EQ(first_of<std::uint8_t>(identity_cell(Fold::kMax, DType::kFloat8E5M2)), 0xfc);
  EXPECT_EQ(first_of<std::uint8_t>(identity_cell(Fold::kMax, DType::kFloat8E4M3FN)), 0xfe);
  EXPECT_EQ(first_of<std::uint8_t>(identity_cell(Fold::kMin, DType::kUint8)), 0xff);
  EXPECT_EQ(first_of<float>(identity_cell(Fold::kAdd, DType::kFloat32)), 0);
  EXPECT_EQ(first_of<float>(identity_cell(Fold::kMul, DType::kFloat32)), 1);
}

TEST(Identity, HalfBytesKeepToTheirRange) {
  EXPECT_EQ(first_of<std::int8_t>(identity_cell(Fold::kMin, DType::kInt4)), 7);
  EXPECT_EQ(first_of<std::int8_t>(identity_cell(Fold::kMax, DType::kInt4)), -8);
  EXPECT_EQ(first_of<std::uint8_t>(identity_cell(Fold::kMin, DType::kUint4)), 15);
  EXPECT_EQ(first_of<std::uint8_t>(identity_cell(Fold::kMax, DType::kUint4)), 0);
}

TEST(Neutral, OfComplexNumbersIsZeroOrOne) {
  using Wide = std::array<double, 2>;
  EXPECT_EQ(first_of<Wide>(neutral_cell(Fold::kAdd, DType::kComplex128)), (Wide{0, 0}));
  EXPECT_EQ(first_of<Wide>(neutral_cell(Fold::kMul, DType::kComplex128)), (Wide{1, 0}));
  using Short = std::array<float, 2>;
  EXPECT_EQ(first_of<Short>(neutral_cell(Fold::kMul, DType::kComplex64)), (Short{1, 0}));
}

TEST(Mean, IntegersRoundTowardMinusInfinity) {
  using Cells = std::vector<std::int32_t>;
  EXPECT_EQ(divide<std::int32_t>(DType::kInt32, {7, -7, -6, 5}, Counts{2, 2, 2, 0}, 0),
            (Cells{3, -4, -3, 5}));
  EXPECT_EQ(divide<std::int32_t>(DType::kInt32, {7, -7, -1}, Counts{1, 2, 1}, 1),
            (Cells{3, -3, -1}));
  EXPECT_EQ(divide<std::uint8_t>(DType::kUint8, {255, 254}, Counts{2, 300}, 0),
            (std::vector<std::uint8_t>{127, 0}));
  EXPECT_EQ(divide<std::int64_t>(DType::kInt64, {std::numeric_limits<std::int64_t>::min()},
                                 std::vector<std::uint64_t>{3}, 0),
            (std::vector<std::int64_t>{-3074457345618258603}));
  EXPECT_EQ(divide<std::uint64_t>(DType::kUint64, {std::numeric_limits<std::uint64_t>::max()},
                                  std::vector<std::uint64_t>{2}, 0),
            (std::vector<std::uint64_t>{std::numeric_limits<std::int64_t>::max()}));
}

TEST(Mean, HalfBytesAreDividedByTheirLowHalf) {
  // -7 in four bits is 9. The high half holds the carries of the sums.
  EXPECT_EQ(divide<std::int8_t>(DType::kInt4, {0x39}, Counts{2}, 0),
            (std::vector<std::int8_t>{-4}));
  EXPECT_EQ(divide<std::uint8_t>(DType::kUint4, {0x39}, Counts{2}, 0),
            (std::vector<std::uint8_t>{4}));
}

TEST(Mean, FloatsRoundToNearestEven) {
  EXPECT_EQ(divide<float>(DType::kFloat32, {1, 6}, Counts{3, 2}, 0),
            (std::vector<float>{1.0F / 3, 3}));
  EXPECT_EQ(divide<double>(DType::kFloat64, {1}, Counts{2}, 1), (std::vector<double>{1.0 / 3}));
  // 1 / 3 in bfloat16 and float16; 5 / 2 in float8_e5m2; 448 / 2 in float8_e4m3fn.
  EXPECT_EQ(divide<std::uint16_t>(DType::kBFloat16, {0x3f80}, Counts{3}, 0),
            (std::vector<std::uint16_t>{0x3eab}));
  EXPECT_EQ(divide<std::uint16_t>(DType::kFloat16, {0x3c00}, Counts{3}, 0),
            (std::vector<std::uint16_t>{0x3555}));
  EXPECT_EQ(divide<std::uint8_t>(DType::kFloat8E5M2, {0x45}, Counts{2}, 0),
            (std::vector<std::uint8_t>{0x41}));
  EXPECT_EQ(divide<std::uint8_t>(DType::kFloat8E4M3FN, {0x7e}, Counts{2}, 0),
            (std::vector<std::uint8_t>{0x76}));
}

TEST(Mean, NoMeanOfTypesWithoutSums) {
  for (const DType type : {DType::kBool, DType::kString, DType::kUint1, DType::kUint2, DType::kNF4,
                           DType::kFloat4E2M1, DType::kFloat8E8M0})
    EXPECT_EQ(find_mean(type), nullptr);
}

template <class T>
T neutral(Fold fold, DType dtype) {
  T value;
  std::memcpy(&value, neutral_cell(fold, dtype).data(), sizeof value);
  return value;
}

TEST(NeutralCell, LeavesTheFirstUpdateAsItIs) {
  EXPECT_EQ(neutral<float>(Fold::kAdd, DType::kFloat32), 0);
  EXPECT_EQ(neutral<float>(Fold::kMul, DType::kFloat32), 1);
  EXPECT_EQ(neutral<float>(Fold::kMin, DType::kFloat32), std::numeric_limits<float>::max());
  EXPECT_EQ(neutral<float>(Fold::kMax, DType::kFloat32), std::numeric_limits<float>::lowest());
  EXPECT_EQ(neutral<std::int8_t>(Fold::kMax, DType::kInt8), -128);
  EXPECT_EQ(neutral<std::uint64_t>(Fold::kMin, DType::kUint64), ~std::uint64_t{0});
  EXPECT_EQ(neutral<std::uint8_t>(Fold::kMin, DType::kBool), 1);
  EXPECT_EQ(neutral<std::uint8_t>(Fold::kMax, DType::kBool), 0);
  EXPECT_EQ(neutral<std::uint16_t>(Fold::kMax, DType::kFloat16), 0xfbff);
  EXPECT_EQ(neutral<std::uint16_t>(Fold::kMul, DType::kBFloat16), 0x3f80);
  EXPECT_EQ(neutral<std::uint8_t>(Fold::kMax, DType::kFloat8E4M3FN), 0xfe);
  EXPECT_EQ(neutral<std::uint8_t>(Fold::kMin, DType::kFloat8E5M2), 0x7b);
}

}  // namespace
}  // namespace windrow::internal
