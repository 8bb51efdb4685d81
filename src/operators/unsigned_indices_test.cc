#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "src/operators/test_support.h"
#include "windrow/operators.h"

// uint64 indices that do not fit in int64. Every way to run takes them unchanged.
namespace windrow::internal {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;

// `count` indices, the second of which is 2^63 + 5; all but every third are above 2^63-1.
Tensor large_indices(const Shape& shape) {
  std::vector<std::uint64_t> values;
  for (std::int64_t i = 0; i < element_count(shape).value(); ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    values.push_back(i % 3 == 0 ? number : i % 3 == 1 ? kHalf + 4 + number : kMost - number);
  }
  return Tensor::from<std::uint64_t>(shape, values);
}

// Each index modulo `extent`, as int64.
Tensor remainders(const Tensor& indices, std::int64_t extent) {
  std::vector<std::int64_t> values;
  for (const std::uint64_t index : indices.values<std::uint64_t>())
    values.push_back(static_cast<std::int64_t>(index % static_cast<std::uint64_t>(extent)));
  return Tensor::from<std::int64_t>(indices.shape(), values);
}

const CallOptions kModulo{.out_of_range = OutOfRange::kModulo};
const OperatorId kTake{"array", "Take", std::nullopt};

Attributes axis(std::int64_t number) { return {{"axis", number}}; }

void expect_modulo(const char* name, const Attributes& attributes, std::vector<TensorView> inputs,
                   const Tensor& remainders) {
  const OperatorId op{"array", name, std::nullopt};
  const Tensor actual = call(op, attributes, inputs, kModulo).value();
  const Tensor witness = call_reference(op, attributes, inputs, kModulo).value();
  EagerThreads threads(3);
  for (const char* kernels : {"plain", ",straight=off", ",tile=0", ",buckets=on", ",stream=on"}) {
    CallOptions options = kModulo;
    options.kernels = kernels;
    EXPECT_TRUE(
        same_bits(call(op, attributes, inputs, options, {.threads = &threads}).value(), actual))
        << kernels;
  }
  inputs[1] = remainders;
  EXPECT_TRUE(same_bits(actual, call(op, attributes, inputs, {}).value()));
  EXPECT_TRUE(same_bits(witness, actual));
}

TEST(UnsignedIndices, ModuloIsThatOfTheValue) {
  for (const std::int64_t rows : {3, 7, 1000}) {
    const Tensor data = counted<float>({rows, 5});
    for (const std::int64_t count : {4, 3000}) {
      const Tensor line = large_indices({count});
      const Tensor table = large_indices({count, 5});
      expect_modulo("Take", axis(0), {data, line}, remainders(line, rows));
      expect_modulo("Take", axis(1), {data, line}, remainders(line, 5));
      expect_modulo("TakeAlongAxis", axis(0), {data, table}, remainders(table, rows));
      expect_modulo("IndexAdd", axis(0), {data, line, counted<float>({count, 5})},
                    remainders(line, rows));
      expect_modulo("PutAlongAxis", axis(0), {data, table, counted<float>({count, 5})},
                    remainders(table, rows));
    }
  }
}

TEST(UnsignedIndices, OtherPoliciesTakeThemAsFarOutside) {
  const Tensor data = counted<float>({4});
  const Tensor indices = Tensor::of<std::uint64_t>({3}, {1, kHalf, kMost});
  const std::vector<TensorView> inputs{data, indices};
  for (const auto policy : {OutOfRange::kZero, OutOfRange::kClamp}) {
    const float outside = policy == OutOfRange::kZero ? 0.0F : 3.0F;
    const CallOptions options{.out_of_range = policy};
    const Tensor expected = Tensor::of<float>({3}, {1, outside, outside});
    EXPECT_TRUE(same_bits(call(kTake, axis(0), inputs, options).value(), expected));
    EXPECT_TRUE(same_bits(call_reference(kTake, axis(0), inputs, options).value(), expected));
  }
}

TEST(UnsignedIndices, AreNamedAsTheyAre) {
  const Tensor data = counted<float>({4});
  for (const std::uint64_t index : {std::uint64_t{4}, kHalf - 1, kHalf, kHalf + 5, kMost}) {
    const Tensor indices = Tensor::of<std::uint64_t>({2}, {3, index});
    const std::vector<TensorView> inputs{data, indices};
    const Status ours = call(kTake, axis(0), inputs, {}).error();
    const Status witness = call_reference(kTake, axis(0), inputs, {}).error();
    EXPECT_EQ(ours.message(), witness.message());
    EXPECT_NE(ours.message().find("indices[1] is " + std::to_string(index) + ","),
              std::string::npos)
        << ours.message();
    ASSERT_NE(ours.index_fault(), nullptr);
    EXPECT_EQ(ours.index_fault()->value_text, std::to_string(index));
    EXPECT_EQ(witness.index_fault()->value_text, std::to_string(index));
    EXPECT_EQ(ours.index_fault()->value, static_cast<std::int64_t>(std::min(index, kHalf - 1)));
  }
}

TEST(UnsignedIndices, OfSegmentsHaveTheirOrder) {
  const Tensor data = counted<float>({3});
  const Tensor ids = Tensor::of<std::uint64_t>({3}, {0, kMost, kHalf});
  const std::vector<TensorView> inputs{data, ids};
  const CallOptions options{.out_of_range = OutOfRange::kSkip};
  const OperatorId op{"array", "SegmentReduce", std::nullopt};
  const Attributes attributes{{"num_segments", std::int64_t{2}}};
  const Status ours = call(op, attributes, inputs, options).error();
  EXPECT_EQ(ours.message(), call_reference(op, attributes, inputs, options).error().message());
  EXPECT_NE(ours.message().find("segment_ids[2] is 9223372036854775808 after 18446744073709551615"),
            std::string::npos)
      << ours.message();
}

}  // namespace
}  // namespace windrow::internal
