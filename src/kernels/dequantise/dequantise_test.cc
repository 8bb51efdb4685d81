#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "src/base/float_types.h"
#include "src/kernels/registry.h"

namespace windrow::internal {
namespace {

struct LineCase {
  int bits = 8;
  bool is_signed = false;
  bool has_values = false;  // codes of numbers, not of integers
  DType scales = DType::kFloat32;
  bool has_zeros = false;
  std::int64_t count = 1;
  std::int64_t block = 1;
  std::int64_t first = 0;
};

// A line of random codes with random scales, among them NaN, infinities and subnormals.
class TestLine {
 public:
  explicit TestLine(const LineCase& c) : case_(c), random_(static_cast<unsigned>(c.count + 7)) {
    fill(codes_, (c.first + c.count) * c.bits / 8 + 1);
    blocks_ = (c.count + c.block - 1) / c.block;
    fill(zeros_, (c.first + blocks_) * c.bits / 8 + 1);
    fill(scales_, blocks_ * dtype_bits(c.scales) / 8);
    for (int code = 0; code < 256; ++code)
      values_.push_back(code == 3 ? std::numeric_limits<float>::quiet_NaN()
                                  : std::ldexp(static_cast<float>(code - 128), code % 9 - 4));
  }

  QuantisedLine line(std::byte* out) const {
    QuantisedLine line;
    line.out = out;
    line.count = case_.count;
    line.block = case_.block;
    line.codes = codes_.data();
    line.first_code = line.first_zero = case_.first;
    line.bits = case_.bits;
    line.flip = flip();
    if (case_.has_values) line.values = values_.data();
    line.scales = scales_.data();
    line.scale_type = case_.scales;
    if (case_.has_zeros) line.zeros = zeros_.data();
    line.zero = kZero;
    return line;
  }

  // Value i by the definition of QuantisedLine, as the bits of a `dtype`.
  std::uint32_t expected(std::int64_t i, DType dtype) const {
    const unsigned code = code_of(codes_, case_.first + i);
    const float number = case_.has_values ? values_[code] : static_cast<float>(code);
    const float zero = case_.has_zeros
                           ? static_cast<float>(code_of(zeros_, case_.first + i / case_.block))
                           : kZero;
    const float product = (number - zero) * scale_of(i / case_.block);
    std::uint32_t bits = std::isnan(product) ? 0x7fc00000U : std::bit_cast<std::uint32_t>(product);
    if (dtype == DType::kFloat16) bits = float_to_float16(std::bit_cast<float>(bits));
    if (dtype == DType::kBFloat16) bits = float_to_bfloat16(std::bit_cast<float>(bits));
    return bits;
  }

 private:
  static constexpr float kZero = 5;

  unsigned flip() const { return case_.is_signed ? 1U << (case_.bits - 1) : 0; }
  void fill(std::vector<std::byte>& bytes, std::int64_t size) {
    for (std::int64_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(random_() >> 7));
  }
  unsigned code_of(const std::vector<std::byte>& bytes, std::int64_t number) const {
    const std::int64_t per_byte = 8 / case_.bits;
    const auto byte = static_cast<unsigned>(bytes[static_cast<std::size_t>(number / per_byte)]);
    const auto shift = static_cast<unsigned>(number % per_byte * case_.bits);
    return ((byte >> shift) & ((1U << case_.bits) - 1)) ^ flip();
  }
  float scale_of(std::int64_t block) const {
    if (case_.scales == DType::kFloat32) {
      float scale;
      std::memcpy(&scale, scales_.data() + block * 4, 4);
      return scale;
    }
    std::uint16_t bits;
    std::memcpy(&bits, scales_.data() + block * 2, 2);
    return case_.scales == DType::kFloat16 ? float16_to_float(bits) : bfloat16_to_float(bits);
  }

  LineCase case_;
  std::minstd_rand random_;
  std::int64_t blocks_ = 0;
  std::vector<std::byte> codes_;
  std::vector<std::byte> zeros_;
  std::vector<std::byte> scales_;
  std::vector<float> values_;
};

void expect_values(const LineCase& c) {
  const TestLine test(c);
  for (const DType dtype : {DType::kFloat32, DType::kFloat16, DType::kBFloat16}) {
    const auto bytes = static_cast<std::size_t>(dtype_bits(dtype) / 8);
    for (const KernelSetEntry& set : kernel_sets()) {
      if (!set.supported) continue;
      std::vector<std::byte> out(static_cast<std::size_t>(c.count) * bytes + 1, std::byte{0x5a});
      set.table.of_type<Family::kDequantise>(dtype)(test.line(out.data()));
      for (std::int64_t i = 0; i < c.count; ++i) {
        std::uint32_t found = 0;
        std::memcpy(&found, out.data() + static_cast<std::size_t>(i) * bytes, bytes);
        ASSERT_EQ(found, test.expected(i, dtype))
            << set.name << " " << dtype_name(dtype) << " value " << i << " of " << c.count << ", "
            << c.bits << " bits from " << c.first << ", blocks of " << c.block;
      }
      ASSERT_EQ(out.back(), std::byte{0x5a}) << set.name;
    }
  }
}

TEST(Dequantise, EveryKernelSetGivesTheBitsOfTheDefinition) {
  for (const int bits : {2, 4, 8})
    for (const bool is_signed : {false, true})
      for (const DType scales : {DType::kFloat32, DType::kFloat16, DType::kBFloat16})
        for (const bool has_zeros : {false, true})
          for (const std::int64_t count : {1, 3, 16, 33, 255, 256, 257, 600, 1000})
            for (const std::int64_t block : {1, 3, 16, 32, 300, 2000})
              for (const std::int64_t first : {0, 1, 6})
                expect_values({bits, is_signed, false, scales, has_zeros, count, block, first});
}

TEST(Dequantise, CodesOfNumbersAreLookedUp) {
  for (const int bits : {4, 8})
    for (const std::int64_t count : {1, 40, 300})
      for (const std::int64_t block : {1, 16, 300}) {
        LineCase c{bits, false, true, DType::kFloat32, false, count, block, 1};
        expect_values(c);
      }
}

}  // namespace
}  // namespace windrow::internal
