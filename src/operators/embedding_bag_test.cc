#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "src/operators/bags_fixture.h"
#include "src/operators/test_support.h"
#include "windrow/array.h"
#include "windrow/operators.h"

// EmbeddingBag of the array dialect, against the reference.
namespace windrow::internal {
namespace {

const OperatorId kBag{"array", "EmbeddingBag", std::nullopt};

const Tensor& table() {
  static const Tensor tensor = Tensor::of<float>({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  return tensor;
}

std::vector<float> floats(const Result<Tensor>& result) {
  EXPECT_TRUE(result.ok()) << result.error().message();
  if (!result.ok()) return {};
  const auto values = result->values<float>();
  return {values.begin(), values.end()};
}

std::string message(const Result<Tensor>& result) {
  return result.ok() ? std::string() : result.error().message();
}

TEST(EmbeddingBag, TheTypedFunctionFoldsBagsAndRows) {
  const Tensor flat = ids({0, 2, 1});
  const Tensor offsets = ids({0, 2, 2});
  EXPECT_EQ(floats(array::embedding_bag(table(), flat, offsets, {})),
            (std::vector<float>{6, 8, 0, 0, 3, 4}));
  EXPECT_EQ(floats(array::embedding_bag(table(), flat, offsets, {},
                                        {.reduction = "mean", .include_last_offset = true})),
            (std::vector<float>{3, 4, 0, 0}));
  const Tensor matrix = Tensor::of<std::int64_t>({2, 2}, {0, 3, -1, 1});
  EXPECT_EQ(floats(array::embedding_bag(table(), matrix, {}, {}, {.reduction = "max"})),
            (std::vector<float>{7, 8, 7, 8}));
  const Tensor weights = Tensor::of<float>({2, 2}, {1, 2, 0.5F, -1});
  EXPECT_EQ(floats(array::embedding_bag(table(), matrix, {}, weights)),
            (std::vector<float>{15, 18, 0.5F, 0}));
}

TEST(EmbeddingBag, OffsetsAreNamedByPositionAndValue) {
  const Tensor flat = ids({0, 2, 1});
  const std::string start = "array.EmbeddingBag-1 [ARRAY-EmbeddingBag-C5]: ";
  const auto said = [&](const Ids& offsets) {
    const Tensor begins = ids(offsets);
    EXPECT_FALSE(call_every_way(kBag, {}, {table(), flat, begins}).ok());
    return message(array::embedding_bag(table(), flat, begins, {}));
  };
  EXPECT_EQ(said({1, 2}), start + "offsets[0] is 1, must be 0");
  EXPECT_EQ(said({0, 2, 1}), start + "offsets[2] is 1 after 2, must not be smaller");
  EXPECT_EQ(said({0, 4}), start + "offsets[1] is 4, must be in [0, 3]; 1 of 2 is out of range");
  EXPECT_EQ(said({0, -1}), start + "offsets[1] is -1, must be in [0, 3]; 1 of 2 is out of range");
}

TEST(EmbeddingBag, AnUnsignedOffsetIsNamedAsItIs) {
  const Tensor flat = ids({0, 2, 1});
  const Tensor far = Tensor::of<std::uint64_t>({2}, {0, ~std::uint64_t{0}});
  EXPECT_EQ(message(array::embedding_bag(table(), flat, far, {})),
            "array.EmbeddingBag-1 [ARRAY-EmbeddingBag-C5]: offsets[1] is 18446744073709551615, "
            "must be in [0, 3]; 1 of 2 is out of range");
}

TEST(EmbeddingBag, SamplesBehindTheLastBagAreChecked) {
  const Tensor flat = ids({0, 1, 9, 2});
  const Tensor offsets = ids({0, 1, 2});
  const Attributes attributes = {{"include_last_offset", true}};
  const auto result = call_every_way(kBag, attributes, {table(), flat, offsets});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().constraint(), "ARRAY-EmbeddingBag-C6");
  CallOptions skip;
  skip.out_of_range = OutOfRange::kSkip;
  EXPECT_EQ(floats(call_every_way(kBag, attributes, {table(), flat, offsets}, skip)),
            (std::vector<float>{1, 2, 3, 4}));
}

// A call of EmbeddingBag with everything drawn.
class DrawnPooling : DrawnNumbers {
 public:
  explicit DrawnPooling(unsigned seed) : DrawnNumbers(seed) {}

  void check_one() {
    const DType dtypes[] = {DType::kFloat32,   DType::kFloat16,     DType::kBFloat16,
                            DType::kInt8,      DType::kInt4,        DType::kUint16,
                            DType::kFloat64,   DType::kBool,        DType::kFloat8E5M2,
                            DType::kComplex64, DType::kFloat8E4M3FN};
    const DType dtype = dtypes[random_() % 11];
    const std::int64_t rows = number(1, 6);
    const Shape shapes[] = {{rows}, {rows, 5}, {rows, 2, 3}, {rows, 70}};
    const Drawn data(dtype, shapes[random_() % 4], layout(), random_);
    const bool in_matrix = random_() % 2 == 0;
    const std::int64_t samples = number(0, 2500);
    const Shape shape = in_matrix ? Shape{number(0, 4), number(0, 5)} : Shape{samples};
    const std::int64_t count = element_count(shape).value();
    Drawn flat(DType::kInt64, shape, layout(), random_);
    flat.set(draw(count, random_() % 3 == 0 ? -9 : -rows, random_() % 3 == 0 ? 9 : rows - 1));
    const std::int64_t bags = number(0, 5);
    Drawn offsets(DType::kInt32, {bags}, layout(), random_);
    Ids begins = draw(bags, 0, samples);
    std::sort(begins.begin(), begins.end());
    if (bags > 0 && random_() % 9 != 0) begins.front() = 0;
    offsets.set(begins);
    Attributes attributes;
    const char* const reductions[] = {"sum", "mean", "max"};
    const std::string reduction = reductions[random_() % 3];
    attributes["reduction"] = reduction;
    if (random_() % 2 == 0) attributes["accumulate"] = std::string("float32");
    if (random_() % 3 == 0) attributes["include_last_offset"] = true;
    const DType weight = random_() % 3 == 0 ? DType::kFloat32 : dtype;
    const Drawn weights(weight, shape, layout(), random_);
    const bool has_weights = reduction == "sum" && random_() % 2 == 0;
    static_cast<void>(
        call_every_way(kBag, attributes,
                       {data.view(), flat.view(), in_matrix ? TensorView() : offsets.view(),
                        has_weights ? weights.view() : TensorView()},
                       options()));
  }

 private:
  CallOptions options() {
    CallOptions options;
    const OutOfRange policies[] = {OutOfRange::kSkip, OutOfRange::kClamp, OutOfRange::kModulo};
    if (random_() % 3 != 0) options.out_of_range = policies[random_() % 3];
    if (random_() % 3 == 0) options.padding_index = number(-1, 2);
    if (random_() % 3 == 0) options.negative = NegativeIndex::kOutOfRange;
    return options;
  }
};

TEST(EmbeddingBag, DrawnCallsAgreeWithTheReference) {
  DrawnPooling drawn(5);
  for (int i = 0; i < 600 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    drawn.check_one();
  }
}

}  // namespace
}  // namespace windrow::internal
