#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "src/operators/index_options_fixture.h"
#include "src/operators/test_support.h"
#include "windrow/operators.h"

// The option padding_index: every index type with every policy, meaning of negative indices and
// family of kernels, then what each kind of operator makes of it.
namespace windrow::internal {
namespace {

const OperatorId kTake{"array", "Take", std::nullopt};
const OperatorId kIndexAdd{"array", "IndexAdd", std::nullopt};
const CallOptions kPadding{.padding_index = -1};
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// A negative one, one in range, one out of range, and one that is among no indices.
template <class Index>
void check_type() {
  for (const std::int64_t padding : {-1, 3, 42, 1000})
    for (const NegativeIndex negative : kMeanings)
      check_every_policy<Index>({.negative = negative, .padding_index = padding});
}

TEST(Padding, OfEverySignedType) {
  check_type<std::int8_t>();
  check_type<std::int16_t>();
  check_type<std::int32_t>();
  check_type<std::int64_t>();
}

TEST(Padding, OfEveryUnsignedType) {
  check_type<std::uint8_t>();
  check_type<std::uint16_t>();
  check_type<std::uint32_t>();
  check_type<std::uint64_t>();
}

TEST(Padding, IsComparedByValueWithUnsignedIndices) {
  const Tensor data = Tensor::of<float>({3}, {1, 2, 3});
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  const auto taken = [&](std::uint64_t index, std::int64_t padding, OutOfRange policy) {
    const Tensor indices = Tensor::of<std::uint64_t>({2}, {0, index});
    const std::vector<TensorView> inputs{data, indices};
    const CallOptions options{.out_of_range = policy, .padding_index = padding};
    const Result<Tensor> ours = call(kTake, {}, inputs, options);
    const Result<Tensor> witness = call_reference(kTake, {}, inputs, options);
    EXPECT_EQ(ours.ok(), witness.ok());
    if (!ours.ok() || !witness.ok()) return -1.0F;
    EXPECT_TRUE(same_bits(*ours, *witness));
    return ours->values<float>()[1];
  };
  EXPECT_EQ(taken(kAll, -1, OutOfRange::kError), -1.0F);
  EXPECT_EQ(taken(kAll, -1, OutOfRange::kClamp), 3.0F);
  EXPECT_EQ(taken(kAll, -1, OutOfRange::kModulo), 1.0F);
  EXPECT_EQ(taken(std::uint64_t{1} << 63, kMost, OutOfRange::kError), -1.0F);
  EXPECT_EQ(taken(std::uint64_t{1} << 63, kMost, OutOfRange::kClamp), 3.0F);
  EXPECT_EQ(taken(kMost, kMost, OutOfRange::kError), 0.0F);
  EXPECT_EQ(taken(kMost, kMost, OutOfRange::kModulo), 0.0F);
}

// In place the indices are checked first, by another pass.
TEST(Padding, IsComparedByValueBeforeAScatterInPlace) {
  Tensor data = counted<float>({4});
  const Tensor before = data.clone().value();
  const Tensor indices =
      Tensor::of<std::uint64_t>({3}, {0, std::uint64_t{1} << 63, std::uint64_t{kMost}});
  const Tensor updates = counted<float>({3});
  const std::vector<TensorSpec> specs{data.spec(), indices.spec(), updates.spec()};
  const Plan plan = compile(kIndexAdd, {}, specs, {.padding_index = kMost}).value();
  const Status status = plan.run({{data, indices, updates}}, data.mutable_view());
  ASSERT_NE(status.index_fault(), nullptr);
  EXPECT_EQ(status.index_fault()->position, std::vector<std::int64_t>{1});
  EXPECT_EQ(status.index_fault()->count, 1);
  EXPECT_TRUE(same_bits(data, before));
}

TEST(Padding, OfABadCallIsNoBadIndex) {
  const Tensor data = counted<float>({4});
  const Tensor indices = Tensor::of<std::int32_t>({4}, {-1, 4, -1, -5});
  const std::vector<TensorView> inputs{data, indices};
  EXPECT_EQ(call(kTake, {}, inputs, kPadding).error().message(),
            "array.Take-1 [ARRAY-Take-C3]: indices[1] is 4, out of range for axis 0 of data with "
            "extent 4 (legal: -4 to 3, padding: -1); 2 of 4 indices are out of range");
  EXPECT_EQ(call_reference(kTake, {}, inputs, kPadding).error().message(),
            call(kTake, {}, inputs, kPadding).error().message());
}

TEST(Padding, OutranksStrict) {
  const Tensor data = Tensor::of<float>({2}, {3, 4});
  const Tensor indices = Tensor::of<std::int64_t>({2}, {1, -1});
  const OperatorId old{"onnx", "Gather", 1};
  CallOptions options{.strict = true};
  EXPECT_EQ(call(old, {}, {{data, indices}}, options).error().constraint(), "ONNX-Gather-S1");
  options.padding_index = -1;
  expect_result(old, {{data, indices}}, options, Tensor::of<float>({2}, {4, 0}));
}

TEST(Padding, OnAnEmptyAxisIsTheOnlyLegalIndex) {
  const Tensor data = Tensor::zeros(DType::kFloat32, {0, 2}).value();
  const Tensor updates = counted<float>({2, 2});
  const Tensor padded = Tensor::of<std::int64_t>({2}, {-1, -1});
  const Tensor mixed = Tensor::of<std::int64_t>({2}, {-1, 0});
  for (const OutOfRange policy : {OutOfRange::kError, OutOfRange::kClamp, OutOfRange::kModulo}) {
    const CallOptions options{.out_of_range = policy, .padding_index = -1};
    expect_result(kTake, {{data, padded}}, options, Tensor::of<float>({2, 2}, {0, 0, 0, 0}));
    expect_result(kIndexAdd, {{data, padded, updates}}, options, data);
    for (const Status& status : {call(kTake, {}, {{data, mixed}}, options).error(),
                                 call(kIndexAdd, {}, {{data, mixed, updates}}, options).error()}) {
      ASSERT_NE(status.index_fault(), nullptr) << status.message();
      EXPECT_EQ(status.index_fault()->count, 1);
      EXPECT_NE(status.message().find("(no index is legal, padding: -1)"), std::string::npos);
    }
  }
}

TEST(Padding, GivesFalseAndEmptyStrings) {
  const Tensor indices = Tensor::of<std::int64_t>({3}, {1, -1, 0});
  const std::vector<std::string> both{"a long text, kept elsewhere", "b"};
  const Tensor texts = Tensor::from<std::string>({2}, both);
  const Tensor taken = call(kTake, {}, {{texts, indices}}, kPadding).value();
  EXPECT_EQ(std::vector<std::string>(taken.values<std::string>().begin(),
                                     taken.values<std::string>().end()),
            (std::vector<std::string>{"b", "", "a long text, kept elsewhere"}));
  const OperatorId put{"array", "PutAlongAxis", std::nullopt};
  const Tensor where = Tensor::of<std::int64_t>({2}, {-1, 1});
  const std::vector<std::string> new_texts{"x", "y"};
  const Tensor values = Tensor::from<std::string>({2}, new_texts);
  const Tensor stored = call(put, {}, {{texts, where, values}}, kPadding).value();
  EXPECT_EQ(stored.values<std::string>()[0], "a long text, kept elsewhere");
  EXPECT_EQ(stored.values<std::string>()[1], "y");
}

// Layouts in which a plan without padding would copy, pack or share.
TEST(Padding, InEveryLayout) {
  const Tensor data = counted<float>({40, 3});
  const Tensor indices = indices_of<std::int64_t>(60, -1, 39);
  const Laid loose(data, 4, true, 1);
  const Laid apart(indices, 8, true, 1);
  const Tensor expected = call_reference(kTake, {}, {{data, indices}}, kPadding).value();
  EXPECT_EQ(expected.values<float>()[0], 0.0F);
  expect_result(kTake, {{loose.view(), apart.view()}}, kPadding, expected);
  const Tensor wide = counted<double>({3, 40, 300});
  const OperatorId elements{"array", "TakeAlongAxis", std::nullopt};
  std::vector<std::int64_t> rows;  // each holds one index
  for (std::int64_t i = 0; i < 50; ++i) rows.insert(rows.end(), 300, i % 41 - 1);
  const Tensor positions = Tensor::from<std::int64_t>({1, 50, 300}, rows);
  const std::vector<TensorView> inputs{wide, positions};
  const Attributes axis{{"axis", std::int64_t{1}}};
  EagerThreads threads(3);
  const Tensor along = call_reference(elements, axis, inputs, kPadding).value();
  for (const char* kernels :
       {"plain", "", ",pack=on", ",constant-rows=on", ",flat-runs=on,tasks=3"}) {
    CallOptions options = kPadding;
    options.kernels = kernels;
    const auto result = call(elements, axis, inputs, options, {.threads = &threads});
    ASSERT_TRUE(result) << kernels << ": " << result.error().message();
    EXPECT_TRUE(same_bits(*result, along)) << kernels;
  }
}

Attributes reduces(const char* reduction, bool use_init_val) {
  return {{"reduction", std::string(reduction)}, {"use_init_val", use_init_val}};
}

TEST(Padding, IsNotCountedByMeansAndReachesNoCell) {
  const OperatorId op{"array", "IndexReduce", std::nullopt};
  const Tensor data = Tensor::of<float>({3}, {10, 20, 30});
  const Tensor indices = Tensor::of<std::int64_t>({4}, {-1, 0, 0, -1});
  const Tensor updates = Tensor::of<float>({4}, {100, 2, 4, 100});
  const std::vector<TensorView> inputs{data, indices, updates};
  const auto reduced = [&](const char* reduction, bool use_init_val) {
    const Attributes attributes = reduces(reduction, use_init_val);
    const Tensor result = call(op, attributes, inputs, kPadding).value();
    EXPECT_TRUE(same_bits(result, call_reference(op, attributes, inputs, kPadding).value()));
    return std::vector<float>(result.values<float>().begin(), result.values<float>().end());
  };
  EXPECT_EQ(reduced("mean", false), (std::vector<float>{3, 20, 30}));
  EXPECT_EQ(reduced("mean", true), (std::vector<float>{16.0F / 3, 20, 30}));
  EXPECT_EQ(reduced("max", false), (std::vector<float>{4, 20, 30}));
  EXPECT_EQ(reduced("prod", true), (std::vector<float>{80, 20, 30}));
}

TEST(Padding, MayStandTwiceWhereDuplicatesAreErrors) {
  const Tensor data = counted<float>({3});
  const Tensor updates = Tensor::of<float>({3}, {7, 8, 9});
  const CallOptions options{.padding_index = -1, .duplicates = Duplicates::kError};
  const auto put = [&](std::vector<std::int64_t> at) {
    const Tensor indices = Tensor::from<std::int64_t>({3}, at);
    return call(kIndexAdd, {}, {{data, indices, updates}}, options);
  };
  EXPECT_TRUE(same_bits(put({-1, 2, -1}).value(), Tensor::of<float>({3}, {0, 1, 10})));
  EXPECT_EQ(put({2, -1, 2}).error().code(), ErrorCode::kDuplicate);
}

TEST(Padding, InTuplesOfOneCoordinate) {
  const Tensor data = counted<float>({3, 2});
  const Tensor tuples = Tensor::of<std::int64_t>({3, 1}, {1, -1, 0});
  expect_result({"onnx", "GatherND", std::nullopt}, {{data, tuples}}, kPadding,
                Tensor::of<float>({3, 2}, {2, 3, 0, 0, 0, 1}));
  const Tensor updates = Tensor::of<float>({3, 2}, {7, 7, 8, 8, 9, 9});
  expect_result({"onnx", "ScatterND", std::nullopt}, {{data, tuples, updates}}, kPadding,
                Tensor::of<float>({3, 2}, {9, 9, 7, 7, 4, 5}));
}

TEST(Padding, IsRefusedWhereNotOneAxisIsIndexed) {
  const Tensor data = counted<float>({3, 2});
  for (const auto& [length, number] : {std::pair<std::int64_t, const char*>{0, "none"}, {2, "2"}}) {
    const Tensor tuples = Tensor::zeros(DType::kInt64, {1, length}).value();
    const OperatorId op{"openvino", "GatherND", std::nullopt};
    const std::vector<TensorView> inputs{data, tuples};
    const Status ours = call(op, {}, inputs, kPadding).error();
    EXPECT_EQ(ours.code(), ErrorCode::kInvalidArgument);
    EXPECT_EQ(ours.constraint(), "CALL-O4");
    EXPECT_EQ(ours.message(),
              "openvino.GatherND-8 [CALL-O4]: padding_index is -1, for which one "
              "axis must be indexed; the call has " +
                  std::string(number));
    EXPECT_EQ(ours.message(), call_reference(op, {}, inputs, kPadding).error().message());
  }
  const Tensor cache = counted<float>({1, 5});
  const Tensor update = Tensor::of<float>({1, 2}, {8, 9});
  EXPECT_EQ(call({"onnx", "TensorScatter", std::nullopt}, {{"axis", std::int64_t{1}}},
                 {{cache, update}}, kPadding)
                .error()
                .constraint(),
            "CALL-O4");
}

TEST(Padding, LeavesACachesEntryAlone) {
  const Tensor cache = counted<float>({2, 4});
  const Tensor update = Tensor::of<float>({2, 2}, {80, 81, 90, 91});
  const Tensor start = Tensor::of<std::int64_t>({2}, {-1, 2});
  for (const char* mode : {"linear", "circular"}) {
    const Attributes attributes{{"axis", std::int64_t{1}}, {"mode", std::string(mode)}};
    const OperatorId op{"onnx", "TensorScatter", std::nullopt};
    const Tensor expected = Tensor::of<float>({2, 4}, {0, 1, 2, 3, 4, 5, 90, 91});
    EXPECT_TRUE(
        same_bits(call(op, attributes, {{cache, update, start}}, kPadding).value(), expected));
    EXPECT_TRUE(same_bits(
        call_reference(op, attributes, {{cache, update, start}}, kPadding).value(), expected));
  }
}

TEST(Padding, TurnsNoLightOn) {
  const Tensor indices = Tensor::of<std::int64_t>({2}, {1, -1});
  const Tensor depth = Tensor::of<std::int64_t>({}, {2});
  const Tensor values = Tensor::of<float>({2}, {0, 1});
  const OperatorId op{"onnx", "OneHot", std::nullopt};
  const std::vector<TensorView> inputs{indices, depth, values};
  EXPECT_TRUE(same_bits(call(op, {}, inputs, {}).value(), Tensor::of<float>({2, 2}, {0, 1, 0, 1})));
  expect_result(op, inputs, kPadding, Tensor::of<float>({2, 2}, {0, 1, 0, 0}));
}

TEST(Padding, TurnsNothingOnWhereNegativeIndicesCount) {
  const Tensor indices = Tensor::of<std::int64_t>({3}, {1, -1, -2});
  const Tensor depth = Tensor::of<std::int64_t>({}, {2});
  const Tensor on = Tensor::of<float>({}, {1});
  const Tensor off = Tensor::of<float>({}, {0});
  const OperatorId op{"openvino", "OneHot", std::nullopt};
  const std::vector<TensorView> inputs{indices, depth, on, off};
  const Attributes attributes{{"axis", std::int64_t{-1}},
                              {"negative_indices_mode", std::string("normalize")}};
  const Tensor expected = Tensor::of<float>({3, 2}, {0, 1, 0, 0, 1, 0});
  EXPECT_TRUE(same_bits(call(op, attributes, inputs, kPadding).value(), expected));
  EXPECT_TRUE(same_bits(call_reference(op, attributes, inputs, kPadding).value(), expected));
}

TEST(Padding, HasAPlanAndADescriptionOfItsOwn) {
  const Tensor data = Tensor::of<float>({2}, {3, 4});
  const Tensor indices = Tensor::of<std::int64_t>({2}, {-1, 0});
  for (int round = 0; round < 2; ++round) {
    for (const auto& [padding, first] :
         {std::pair{std::optional<std::int64_t>(), 4.0F}, {-1, 0.0F}, {0, 4.0F}, {5, 4.0F}}) {
      const Tensor taken = call(kTake, {}, {{data, indices}}, {.padding_index = padding}).value();
      EXPECT_EQ(taken.values<float>()[0], first);
      EXPECT_EQ(taken.values<float>()[1], padding == 0 ? 0.0F : 3.0F);
    }
  }
  const std::vector<TensorSpec> specs{data.spec(), indices.spec()};
  const Plan plan = compile(kTake, {}, specs, kPadding).value();
  EXPECT_EQ(plan.description().index_axes.front().indices.front().padding, -1);
  EXPECT_NE(plan.describe().find("negative ones count from the end, -1 is padding"),
            std::string::npos);
  const std::vector<TensorSpec> bytes{data.spec(), {DType::kUint8, {2}, {}, {}}};
  const Plan without = compile(kTake, {}, bytes, kPadding).value();
  EXPECT_EQ(without.description().index_axes.front().indices.front().padding, std::nullopt);
}

}  // namespace
}  // namespace windrow::internal
