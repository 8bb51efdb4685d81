#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "src/operators/index_options_fixture.h"
#include "src/operators/test_support.h"
#include "windrow/operators.h"

// What a negative index means, as the call says: every choice with every policy, index type and
// family of kernels.
namespace windrow::internal {
namespace {

template <class Index>
void check_type() {
  for (const NegativeIndex negative : kMeanings) check_every_policy<Index>({.negative = negative});
}

TEST(NegativeIndices, OfEverySignedType) {
  check_type<std::int8_t>();
  check_type<std::int16_t>();
  check_type<std::int32_t>();
  check_type<std::int64_t>();
}

TEST(NegativeIndices, UnsignedIndicesHaveNone) {
  check_type<std::uint8_t>();
  check_type<std::uint32_t>();
  check_type<std::uint64_t>();
}

const OperatorId kTake{"array", "Take", std::nullopt};
constexpr OutOfRange kPoliciesOfPadding[] = {OutOfRange::kZero, OutOfRange::kError};

TEST(NegativeIndices, TheMessageNamesTheOption) {
  const Tensor data = counted<float>({4});
  const Tensor indices = Tensor::of<std::int32_t>({3}, {1, -1, -2});
  const std::vector<TensorView> inputs{data, indices};
  for (const OutOfRange policy : kPoliciesOfPadding) {
    const CallOptions options{.out_of_range = policy, .negative = NegativeIndex::kError};
    const std::string message = call(kTake, {}, inputs, options).error().message();
    EXPECT_EQ(message,
              "array.Take-1 [CALL-O3]: indices[1] is -1, negative, and the call says "
              "negative=error; 2 of 3 indices are refused");
  }
  const Tensor above = Tensor::of<std::int32_t>({3}, {1, 4, -2});
  const CallOptions options{.negative = NegativeIndex::kError};
  EXPECT_EQ(call(kTake, {}, {{data, above}}, options).error().message(),
            "array.Take-1 [ARRAY-Take-C3]: indices[1] is 4, out of range for axis 0 of data with "
            "extent 4 (legal: 0 to 3); 2 of 3 indices are refused");
}

TEST(NegativeIndices, AScatterInPlaceThatRefusesOneChangesNothing) {
  Tensor data = counted<float>({4});
  const Tensor before = Tensor::copy_of(data.view()).value();
  const Tensor indices = Tensor::of<std::int64_t>({3}, {0, -1, 2});
  const Tensor updates = counted<float>({3});
  const OperatorId op{"array", "IndexAdd", std::nullopt};
  for (const auto policy : {OutOfRange::kError, OutOfRange::kSkip}) {
    const CallOptions options{.out_of_range = policy, .negative = NegativeIndex::kError};
    const std::vector<TensorSpec> specs{data.spec(), indices.spec(), updates.spec()};
    const Plan plan = compile(op, {}, specs, options).value();
    const Status status = plan.run({{data, indices, updates}}, data.mutable_view());
    EXPECT_EQ(status.constraint(), "CALL-O3") << status.message();
    EXPECT_TRUE(same_bits(data, before));
  }
}

// Operators whose own rule is another one: negative indices are out of range.
TEST(NegativeIndices, CountFromTheEndWhereTheOperatorTakesNone) {
  const CallOptions options{.negative = NegativeIndex::kFromEnd};
  const Tensor x = counted<float>({2, 3});
  const Tensor y = Tensor::of<std::int64_t>({2}, {-1, 0});
  const OperatorId extractor{"onnx", "ArrayFeatureExtractor", std::nullopt};
  const std::vector<TensorView> inputs{x, y};
  EXPECT_FALSE(call(extractor, {}, inputs, {}));
  expect_result(extractor, inputs, options, Tensor::of<float>({2, 2}, {2, 0, 5, 3}));
  const Tensor clamped = Tensor::of<std::int64_t>({2}, {-1, -9});
  expect_result(kTake, {{x, clamped}},
                {.out_of_range = OutOfRange::kClamp, .negative = NegativeIndex::kFromEnd},
                Tensor::of<float>({2, 3}, {3, 4, 5, 0, 1, 2}));
}

// The write indices of a cache of 5 entries, two of which are written.
Result<Tensor> write(std::int64_t at, const CallOptions& options, const char* mode = "linear") {
  const Tensor cache = counted<float>({1, 5});
  const Tensor update = Tensor::of<float>({1, 2}, {8, 9});
  const Tensor start = Tensor::of<std::int64_t>({1}, {at});
  const OperatorId op{"onnx", "TensorScatter", std::nullopt};
  const Attributes attributes{{"axis", std::int64_t{1}}, {"mode", std::string(mode)}};
  const std::vector<TensorView> inputs{cache, update, start};
  Result<Tensor> ours = call(op, attributes, inputs, options);
  const Result<Tensor> witness = call_reference(op, attributes, inputs, options);
  EXPECT_EQ(ours.ok(), witness.ok());
  if (ours.ok()) {
    EXPECT_TRUE(same_bits(*ours, *witness));
  } else {
    EXPECT_EQ(ours.error().message(), witness.error().message());
  }
  return ours;
}

Tensor entries(std::vector<float> values) { return Tensor::from<float>({1, 5}, values); }

TEST(NegativeIndices, OfACacheBeginASequenceThatEndsInIt) {
  const CallOptions from_end{.negative = NegativeIndex::kFromEnd};
  EXPECT_TRUE(same_bits(write(-2, from_end).value(), entries({0, 1, 2, 8, 9})));
  EXPECT_TRUE(same_bits(write(-5, from_end).value(), entries({8, 9, 2, 3, 4})));
  EXPECT_TRUE(same_bits(write(3, from_end).value(), entries({0, 1, 2, 8, 9})));
  for (const std::int64_t bad : {-1, -6, 4}) {
    const std::string message = write(bad, from_end).error().message();
    EXPECT_NE(message.find("(legal: -5 to -2 and 0 to 3)"), std::string::npos) << message;
  }
  const CallOptions dropped{.out_of_range = OutOfRange::kSkip, .negative = NegativeIndex::kFromEnd};
  EXPECT_TRUE(same_bits(write(-1, dropped).value(), entries({0, 1, 2, 3, 8})));
  EXPECT_TRUE(same_bits(write(-1, from_end, "circular").value(), entries({9, 1, 2, 3, 8})));
  EXPECT_FALSE(write(-6, from_end, "circular"));
}

TEST(NegativeIndices, OfACacheAreOutOfRangeOrRefused) {
  const auto options = [](OutOfRange policy, NegativeIndex negative) {
    return CallOptions{.out_of_range = policy, .negative = negative};
  };
  // Each entry of a sequence is dropped or kept by its own position.
  EXPECT_TRUE(same_bits(write(-1, options(OutOfRange::kSkip, NegativeIndex::kOutOfRange)).value(),
                        entries({9, 1, 2, 3, 4})));
  for (const OutOfRange policy : kScatterPolicies) {
    const Result<Tensor> refused = write(-1, options(policy, NegativeIndex::kError));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().constraint(), "CALL-O3");
  }
}

TEST(NegativeIndices, StrictRefusesWhatItRefusedBefore) {
  const Tensor data = counted<float>({4});
  const Tensor indices = Tensor::of<std::int64_t>({1}, {-1});
  const std::vector<TensorView> inputs{data, indices};
  const OperatorId old{"onnx", "Gather", 1};
  for (const NegativeIndex negative : kMeanings) {
    const CallOptions options{.negative = negative, .strict = true};
    const Status ours = call(old, {}, inputs, options).error();
    EXPECT_EQ(ours.message(), call_reference(old, {}, inputs, options).error().message());
    EXPECT_EQ(ours.constraint(), negative == NegativeIndex::kError ? "CALL-O3" : "ONNX-Gather-S1");
  }
}

TEST(NegativeIndices, APlanIsKeptForEachMeaning) {
  const Tensor data = Tensor::of<float>({2}, {3, 4});
  const Tensor indices = Tensor::of<std::int64_t>({1}, {-1});
  const auto take = [&](std::optional<NegativeIndex> negative) {
    return call(kTake, {}, {{data, indices}},
                {.out_of_range = OutOfRange::kZero, .negative = negative});
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(take(std::nullopt).value().values<float>()[0], 4.0F);
    EXPECT_EQ(take(NegativeIndex::kOutOfRange).value().values<float>()[0], 0.0F);
    EXPECT_EQ(take(NegativeIndex::kFromEnd).value().values<float>()[0], 4.0F);
    EXPECT_FALSE(take(NegativeIndex::kError));
  }
}

}  // namespace
}  // namespace windrow::internal
