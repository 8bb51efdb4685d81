#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <vector>

#include "src/kernels/registry.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kRows = 37;

// A bag of `count` samples of rows of `cells` cells, made of random bits.
class TestBag {
 public:
  TestBag(const KernelRow& row, std::int64_t cells, std::int64_t count, bool weighted,
          bool continues)
      : bytes_(dtype_bits(row.dtype) / 8), random_(static_cast<unsigned>(cells * 100 + count)) {
    const std::int64_t total_bytes = row.family == Family::kFoldBagInFloat ? 4 : bytes_;
    fill(table_, kRows * cells * bytes_);
    fill(out_, cells * total_bytes);
    if (weighted) fill(weights_, count * total_bytes);
    bag_.narrow_weights = row.family == Family::kFoldBagInFloat && count % 2 == 0;
    for (std::int64_t j = 0; j < count + 5; ++j)
      offsets_.push_back(random_() % 7 == 0 ? kOutside<std::uint64_t> : random_() % kRows);
    bag_.row_bytes = cells * bytes_;
    bag_.unit = bag_.row_bytes;
    bag_.count = count;
    bag_.starts = !continues;
  }

  // Returns what the kernel writes: the totals and, `rounds`, the row that they become.
  std::vector<std::byte> fold(const KernelSetEntry& set, Kernel kernel, std::int64_t ahead,
                              bool rounds) const {
    std::vector<std::byte> out = out_;
    Bag bag = bag_;
    std::vector<std::byte> rounded(static_cast<std::size_t>(bag.row_bytes));
    if (rounds) {
      bag.rounded = rounded.data();
      bag.divisor = 3.0F;
    }
    bag.out = out.data();
    bag.table = table_.data();
    bag.weights = weights_.empty() ? nullptr : weights_.data();
    bag.offsets = offsets_.data();
    bag.ahead = ahead;
    bag.known = static_cast<std::int64_t>(offsets_.size());
    set.table.get<Family::kFoldBag>(kernel)(bag);  // a BagFunction in both families
    return rounds ? rounded : out;
  }

 private:
  void fill(std::vector<std::byte>& bytes, std::int64_t size) {
    for (std::int64_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(random_()));
  }

  std::int64_t bytes_;
  std::minstd_rand random_;
  Bag bag_;
  std::vector<std::byte> table_;
  std::vector<std::byte> out_;
  std::vector<std::byte> weights_;
  std::vector<std::uint64_t> offsets_;
};

TEST(Bags, AllSetsAgreeBitForBitOnRandomBits) {
  for (std::size_t r = 0; r < std::size(kKernelRows); ++r) {
    const KernelRow& row = kKernelRows[r];
    const bool in_float = row.family == Family::kFoldBagInFloat;
    if (row.family != Family::kFoldBag && !in_float) continue;
    const auto kernel = static_cast<Kernel>(r);
    for (const std::int64_t cells : {1, 7, 64, 129, 300}) {
      for (const std::int64_t count : {0, 1, 2, 19}) {
        for (const int form : {0, 1, 2, 3, 4, 7}) {
          const bool rounds = form >= 4;
          if ((rounds && !in_float) || ((form & 1) != 0 && row.fold == Fold::kMax)) continue;
          const TestBag bag(row, cells, count, (form & 1) != 0, (form & 2) != 0);
          const auto expected = bag.fold(kernel_sets().front(), kernel, 0, rounds);
          for (const KernelSetEntry& set : kernel_sets()) {
            if (!set.supported) continue;
            for (const std::int64_t ahead : {0, 3})
              ASSERT_EQ(bag.fold(set, kernel, ahead, rounds), expected)
                  << row.name << " " << set.name << " " << cells << " cells, " << count
                  << " samples, form " << form;
          }
        }
      }
    }
  }
}

TEST(Bags, ProductsAreRoundedBeforeTheSum) {
  // (2^12 + 1)^2 = 2^24 + 2^13 + 1 has 25 bits: rounded, it loses the 1 that a fused operation
  // would keep.
  const std::vector<float> table = {-16785408.0F, 4097.0F};
  const std::vector<float> weights = {1.0F, 4097.0F};
  const std::vector<std::uint64_t> offsets = {0, 1};
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    float sum = 5.0F;
    Bag bag;
    bag.out = reinterpret_cast<std::byte*>(&sum);
    bag.row_bytes = bag.unit = sizeof(float);
    bag.table = reinterpret_cast<const std::byte*>(table.data());
    bag.weights = reinterpret_cast<const std::byte*>(weights.data());
    bag.offsets = offsets.data();
    bag.count = bag.known = 2;
    set.table.find<Family::kFoldBag>(4, DType::kFloat32, Fold::kAdd)(bag);
    EXPECT_EQ(sum, 0.0F) << set.name;
  }
}

}  // namespace
}  // namespace windrow::internal
