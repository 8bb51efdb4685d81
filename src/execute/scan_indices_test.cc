#include "src/execute/scan_indices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "src/execute/pairs_fixture.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

Status describe(std::initializer_list<std::int64_t> indices) {
  const auto n = static_cast<std::int64_t>(indices.size() / 2);
  const TensorView views[] = {{}, TensorView(DType::kInt64, {n, 2}, indices.begin()), {}};
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    EXPECT_EQ(has_illegal_index(pairs(n), views, set.table, nullptr),
              !describe_illegal_indices(pairs(n), views).ok());
  }
  return describe_illegal_indices(pairs(n), views);
}

TEST(ScanIndices, LegalIndicesAreNoError) { EXPECT_TRUE(describe({0, 0, 3, 2, -4, -3}).ok()); }

TEST(ScanIndices, NamesTheFirstInRowMajorOrderOfTheTensorAndCountsAll) {
  // The first tuple element is checked against axis 0, the second against axis 1.
  const Status status = describe({0, 0, 3, 3, 9, 0, -5, -4});
  ASSERT_EQ(status.code(), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(
      status.message(),
      "test.Scatter-1 [TEST-C1]: indices[1, 1] is 3, out of range for axis 1 of data with extent 3 "
      "(legal: -3 to 2); 4 of 8 indices are out of range");
  ASSERT_NE(status.index_fault(), nullptr);
  EXPECT_EQ(status.index_fault()->position, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(status.index_fault()->value, 3);
  EXPECT_EQ(status.index_fault()->axis, 1);
  EXPECT_EQ(status.index_fault()->extent, 3);
  EXPECT_EQ(status.index_fault()->count, 4);
}

BadIndices listed(std::initializer_list<std::int64_t> indices, std::int64_t most) {
  const auto n = static_cast<std::int64_t>(indices.size() / 2);
  const TensorView views[] = {{}, TensorView(DType::kInt64, {n, 2}, indices.begin()), {}};
  return describe_illegal_indices(pairs(n), views, nullptr, most).index_fault()->listed;
}

TEST(ScanIndices, ListsTheFirstOfAllTermsInRowMajorOrder) {
  const std::initializer_list<std::int64_t> indices = {0, 0, 3, 3, 9, 0, -5, -4};
  const BadIndices all = listed(indices, 100);
  EXPECT_EQ(all.input, "indices");
  EXPECT_EQ(all.rank, 2);
  EXPECT_EQ(all.positions, (std::vector<std::int64_t>{1, 1, 2, 0, 3, 0, 3, 1}));
  EXPECT_EQ(all.values, (std::vector<std::int64_t>{3, 9, -5, -4}));
  EXPECT_EQ(listed(indices, 3).values, (std::vector<std::int64_t>{3, 9, -5}));
  EXPECT_EQ(listed(indices, 0).count(), 0);
}

// An operation with one index tensor, input 0, of a legal range; `fixed` >= 0: of its last axis
// only that position is read.
Operation indexed(const Shape& shape, std::int64_t low, std::int64_t high,
                  std::int64_t fixed = -1) {
  AxisMap axis;
  IndexTerm term;
  for (int loop = 0; loop < shape.rank(); ++loop) term.coordinates.push_back({loop, 0});
  if (fixed >= 0) term.coordinates.back() = {-1, fixed};
  term.legal = {low, high};
  axis.terms.push_back(term);
  Operation operation;
  operation.map.axes.push_back(axis);
  return operation;
}

bool is_illegal(const Operation& operation, const TensorView& indices, Threads* threads = nullptr) {
  bool illegal = false;
  bool first = true;
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    const bool here = has_illegal_index(operation, {&indices, 1}, set.table, threads);
    EXPECT_TRUE(first || here == illegal) << set.name;
    illegal = here;
    first = false;
  }
  return illegal;
}

TEST(CheckIndices, NoneInTheGapIsLegal) {
  Operation operation = indexed({3}, -9, 9);
  operation.map.axes.front().terms.front().legal = IndexRange{-9, 9, -3};
  std::vector<std::int64_t> indices = {-9, 0, 9};
  const TensorView view(DType::kInt64, {3}, indices.data());
  for (const std::int64_t index : {-10, -9, -4, -3, -1, 0, 9, 10}) {
    indices[1] = index;
    const bool legal = index >= 0 ? index <= 9 : index >= -9 && index < -3;
    EXPECT_EQ(is_illegal(operation, view), !legal) << index;
  }
}

// Whatever the type, whether its elements are dense or not.
template <class Index>
void check_type(Index low, Index high) {
  const DType dtype = dtype_of<Index>::value;
  std::vector<Index> indices(100, low);
  for (std::size_t i = 0; i < indices.size(); i += 3) indices[i] = high;
  const TensorView dense(dtype, {100}, indices.data());
  const TensorView every_third(dtype, {34}, Strides{3 * std::int64_t{sizeof(Index)}},
                               indices.data());
  const auto operation = [&](const Shape& shape) {
    return indexed(shape, static_cast<std::int64_t>(low), static_cast<std::int64_t>(high));
  };
  EXPECT_FALSE(is_illegal(operation({100}), dense));
  for (const Index bad : {static_cast<Index>(low - 1), static_cast<Index>(high + 1)}) {
    indices[50] = bad;
    EXPECT_TRUE(is_illegal(operation({100}), dense)) << bad;
    EXPECT_FALSE(is_illegal(operation({34}), every_third)) << "it is not an element";
    std::swap(indices[50], indices[51]);
    EXPECT_TRUE(is_illegal(operation({34}), every_third)) << bad;
    indices[50] = indices[51] = low;
  }
}

TEST(CheckIndices, AnyTypeHasItsBoundsInclusive) {
  check_type<std::int8_t>(-5, 4);
  check_type<std::int16_t>(-5, 4);
  check_type<std::int32_t>(-5, 4);
  check_type<std::int64_t>(-5, 4);
  check_type<std::uint8_t>(1, 4);
  check_type<std::uint64_t>(1, 4);
}

TEST(CheckIndices, WhatNoInt64HoldsIsIllegal) {
  std::vector<std::uint64_t> indices(20, 3);
  indices[7] = std::numeric_limits<std::uint64_t>::max() - 1;
  EXPECT_TRUE(is_illegal(indexed({20}, -5, 4), TensorView(DType::kUint64, {20}, indices.data())));
}

// Where the legal range has a gap, and for numbers that no int64 holds.
TEST(CheckIndices, PaddingIsLegalBesideTheRange) {
  Operation gap = indexed({4}, -9, 9);
  IndexTerm& term = gap.map.axes.front().terms.front();
  term.legal = IndexRange{-9, 9, -3};
  term.padding = -1;
  const auto is_bad = [](const Operation& operation, auto indices) {
    const DType dtype = dtype_of<typename decltype(indices)::value_type>::value;
    return is_illegal(operation, TensorView(dtype, {4}, indices.data()));
  };
  EXPECT_FALSE(is_bad(gap, std::vector<std::int64_t>{-9, -1, 0, 9}));
  EXPECT_FALSE(is_bad(gap, std::vector<std::int8_t>{-1, -1, -1, -1}));
  EXPECT_TRUE(is_bad(gap, std::vector<std::int64_t>{-9, -1, -2, 9}));
  Operation unsigned_ones = indexed({4}, 0, 9);
  unsigned_ones.map.axes.front().terms.front().padding = 77;
  EXPECT_FALSE(is_bad(unsigned_ones, std::vector<std::uint64_t>{9, 77, 0, 3}));
  EXPECT_TRUE(is_bad(unsigned_ones, std::vector<std::uint64_t>{9, 77, 10, 3}));
  EXPECT_TRUE(is_bad(unsigned_ones, std::vector<std::uint64_t>{9, 77, ~std::uint64_t{0}, 3}));
}

TEST(CheckIndices, OnlyElementsThatATermReadsCount) {
  const std::vector<std::int64_t> pairs = {0, 9, 1, 9, 2, 9};
  const TensorView view(DType::kInt64, {3, 2}, pairs.data());
  EXPECT_FALSE(is_illegal(indexed({3, 2}, 0, 4, 0), view));
  EXPECT_TRUE(is_illegal(indexed({3, 2}, 0, 4, 1), view));
  Operation any = indexed({3, 2}, 0, 4, 1);
  any.map.axes.front().terms.front().legal.reset();
  EXPECT_FALSE(is_illegal(any, view)) << "no legal range";
  const TensorView backwards(DType::kInt64, {3, 1}, Strides{-16, 8}, pairs.data() + 4);
  EXPECT_FALSE(is_illegal(indexed({3, 1}, 0, 2), backwards));
  EXPECT_TRUE(is_illegal(indexed({3, 1}, 1, 2), backwards));
}

TEST(CheckIndices, NoElementIsIllegalIfThereIsNone) {
  EXPECT_FALSE(is_illegal(indexed({0, 4}, 0, -1), TensorView(DType::kInt32, {0, 4}, nullptr)));
}

// The ends of blocks and of tasks among them.
TEST(CheckIndices, EightTasksMissNone) {
  const std::int64_t count = 8 * least_task_indices() + 5;
  std::vector<std::int32_t> indices(count, 3);
  EightThreads threads;
  const Operation operation = indexed({count}, 0, 4);
  const TensorView view(DType::kInt32, {count}, indices.data());
  EXPECT_FALSE(is_illegal(operation, view, &threads));
  for (const std::int64_t place : {std::int64_t{0}, kBlockPoints - 1, kBlockPoints, count / 8,
                                   count / 8 + 1, count / 2, count - 1}) {
    indices[static_cast<std::size_t>(place)] = 5;
    EXPECT_TRUE(is_illegal(operation, view, &threads)) << place;
    EXPECT_TRUE(is_illegal(operation, view)) << place;
    indices[static_cast<std::size_t>(place)] = 4;
  }
}

class Always final : public Interrupt {
 public:
  bool requested() noexcept override { return true; }
};

TEST(CheckIndices, WhatWasNotSeenBeforeAnInterruptionCountsAsLegal) {
  std::vector<std::int64_t> indices(std::size_t{3} << 20, 3);
  const TensorView view(DType::kInt64, {static_cast<std::int64_t>(indices.size())}, indices.data());
  const KernelTable& kernels = find_kernel_set("")->table;
  const Operation operation = indexed(view.shape, 0, 4);
  for (const bool early : {false, true}) {
    (early ? indices.front() : indices.back()) = 5;
    Always interrupt;
    Interruption interruption(interrupt);
    EXPECT_EQ(has_illegal_index(operation, {&view, 1}, kernels, nullptr, &interruption), early);
  }
}

}  // namespace
}  // namespace windrow::internal
