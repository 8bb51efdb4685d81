#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "src/operators/bags_fixture.h"
#include "src/operators/every_way_fixture.h"
#include "src/operators/test_support.h"
#include "windrow/openvino.h"
#include "windrow/operators.h"

// Pooled look-ups and GatherTree, against the reference.
namespace windrow::internal {
namespace {

const OperatorId kOffsetsSum{"openvino", "EmbeddingBagOffsetsSum", std::nullopt};
const OperatorId kOffsets{"openvino", "EmbeddingBagOffsets", std::nullopt};
const OperatorId kPacked{"openvino", "EmbeddingBagPacked", std::nullopt};
const OperatorId kSegments{"openvino", "EmbeddingSegmentsSum", std::nullopt};
const OperatorId kTree{"openvino", "GatherTree", std::nullopt};

std::vector<float> floats(const Result<Tensor>& result) {
  if (!result.ok()) return {};
  const auto values = result->values<float>();
  return {values.begin(), values.end()};
}

const Tensor& table() {
  static const Tensor tensor =
      Tensor::of<float>({5, 2}, {-0.2F, -0.6F, -0.1F, -0.4F, -1.9F, -1.8F, -1.F, 1.5F, .8F, -.7F});
  return tensor;
}

TEST(Bags, TheExamplesOfTheText) {
  const Tensor indices = ids({0, 2, 3, 4});
  const Tensor half = Tensor::of<float>({4}, {0.5F, 0.5F, 0.5F, 0.5F});
  const Tensor zero = Tensor::of<std::int64_t>({}, {0});
  const Tensor offsets = ids({0, 2, 2});
  const std::vector<float> expected = {-1.05F, -1.2F, -0.2F, -0.6F, -0.1F, 0.4F};
  const auto near = [&](const Result<Tensor>& result) {
    const std::vector<float> found = floats(result);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6);
  };
  near(call_every_way(kOffsetsSum, {}, {table(), indices, offsets, zero, half}));
  const Tensor segments = ids({0, 0, 2, 2});
  const Tensor three = Tensor::of<std::int64_t>({}, {3});
  near(call_every_way(kSegments, {}, {table(), indices, segments, three, zero, half}));
}

TEST(Bags, EachTypedFunctionIsItsOperator) {
  const Tensor data = Tensor::of<std::int32_t>({3, 1}, {1, 10, 100});
  const Tensor at = ids({2, 1, 0});
  const Tensor begins = ids({0, 1});
  const TensorView none = {};
  const Tensor pairs = Tensor::of<std::int64_t>({2, 2}, {0, 1, 2, 2});
  const auto is = [](const Result<Tensor>& result, std::vector<std::int32_t> expected) {
    ASSERT_TRUE(result.ok()) << result.error().message();
    const auto values = result->values<std::int32_t>();
    EXPECT_EQ(std::vector<std::int32_t>(values.begin(), values.end()), expected);
  };
  is(openvino::embedding_bag_offsets_sum(data, at, begins, none, none), {100, 11});
  is(openvino::embedding_bag_offsets(data, at, begins, none, none, {.reduction = "mean"}),
     {100, 5});
  is(openvino::embedding_bag_packed_sum(data, pairs, none), {11, 200});
  is(openvino::embedding_bag_packed(data, pairs, none, {.reduction = "mean"}), {5, 100});
  const Tensor segments = ids({0, 2, 2});
  const Tensor three = Tensor::of<std::int64_t>({}, {3});
  is(openvino::embedding_segments_sum(data, at, segments, three, none, none), {100, 0, 11});
  const Tensor steps = Tensor::of<std::int32_t>({2, 1, 2}, {1, 2, 3, 4});
  const Tensor parents = Tensor::of<std::int32_t>({2, 1, 2}, {9, 9, 1, 0});
  const Tensor length = Tensor::of<std::int32_t>({1}, {2});
  const Tensor end = Tensor::of<std::int32_t>({}, {2});
  is(openvino::gather_tree(steps, parents, length, end), {2, 1, 2, 4});
}

TEST(Bags, BadNumbersNameInputPositionAndValue) {
  const Tensor four = ids({0, 1, 2, 3});
  const auto message = [](const Result<Tensor>& result) {
    return result.ok() ? std::string() : result.error().message();
  };
  const Tensor far = ids({0, 5});
  EXPECT_FALSE(call_every_way(kOffsetsSum, {}, {table(), four, far}).ok());
  EXPECT_EQ(message(call(kOffsetsSum, {}, std::vector<TensorView>{table(), four, far})),
            "openvino.EmbeddingBagOffsetsSum-3 [OPENVINO-EmbeddingBagOffsetsSum-C5]: offsets[1] is "
            "5, must be in [0, 4]; 1 of 2 is out of range");
  const Tensor falling = ids({0, 3, 2});
  EXPECT_FALSE(call_every_way(kOffsetsSum, {}, {table(), four, falling}).ok());
  EXPECT_EQ(message(call(kOffsetsSum, {}, std::vector<TensorView>{table(), four, falling})),
            "openvino.EmbeddingBagOffsetsSum-3 [OPENVINO-EmbeddingBagOffsetsSum-C5]: offsets[2] is "
            "2 after 3, must not be smaller");
  const Tensor begins = ids({2, 2});
  for (const std::int64_t row : {-2, 5}) {
    const Tensor bad = Tensor::of<std::int64_t>({}, {row});
    EXPECT_FALSE(call_every_way(kOffsetsSum, {}, {table(), four, begins, bad}).ok());
  }
  // Samples in front of the first bag are checked, too.
  const Tensor outside = ids({5, 1, 2, -1});
  EXPECT_FALSE(call_every_way(kOffsetsSum, {}, {table(), outside, begins}).ok());
  EXPECT_EQ(message(call(kOffsetsSum, {}, std::vector<TensorView>{table(), outside, begins})),
            "openvino.EmbeddingBagOffsetsSum-3 [OPENVINO-EmbeddingBagOffsetsSum-C7]: indices[0] is "
            "5, out of range for axis 0 of emb_table with extent 5 (legal: 0 to 4); 2 of 4 indices "
            "are out of range");
  const Tensor three = Tensor::of<std::int64_t>({}, {3});
  for (const Ids& bad : {Ids{0, 1, 3, 3}, Ids{0, 1, -1, 2}, Ids{1, 0, 2, 2}}) {
    const Tensor segments = ids(bad);
    EXPECT_FALSE(call_every_way(kSegments, {}, {table(), four, segments, three}).ok());
  }
}

TEST(Bags, WithoutBagsOrCellsTheIndicesAreChecked) {
  const Tensor outside = ids({1, 7});
  const Tensor no_bags = ids({});
  EXPECT_FALSE(call_every_way(kOffsetsSum, {}, {table(), outside, no_bags}).ok());
  const Tensor no_cells = Tensor::zeros(DType::kFloat32, {5, 0}).value();
  const Tensor begin = ids({0});
  EXPECT_FALSE(call_every_way(kOffsetsSum, {}, {no_cells, outside, begin}).ok());
  const Tensor none = ids({});
  const Tensor one = Tensor::of<std::int64_t>({}, {1});
  EXPECT_EQ(floats(call_every_way(kOffsetsSum, {}, {table(), none, begin, one})),
            (std::vector<float>{-0.1F, -0.4F}));
  EXPECT_EQ(floats(call_every_way(kPacked, {{"reduction", "mean"}},
                                  {table(), Tensor::zeros(DType::kInt64, {1, 0}).value()})),
            (std::vector<float>{0, 0}));
}

class DrawnBags : DrawnNumbers {
 public:
  explicit DrawnBags(unsigned seed) : DrawnNumbers(seed) {}

  void check_one() {
    const DType dtypes[] = {DType::kFloat32, DType::kFloat16, DType::kInt8,  DType::kInt4,
                            DType::kUint4,   DType::kFloat64, DType::kInt64, DType::kFloat8E5M2};
    const DType dtype = dtypes[random_() % 8];
    const DType index = random_() % 2 == 0 ? DType::kInt32 : DType::kInt64;
    const std::int64_t rows = number(1, 6);
    const Shape shapes[] = {{rows}, {rows, 5}, {rows, 2, 3}, {rows, 70}};
    const Drawn data(dtype, shapes[random_() % 4], layout(), random_);
    const int form = static_cast<int>(random_() % 3);
    const std::int64_t samples = form == 1 ? 0 : number(0, 2500);
    const std::int64_t bags = number(0, 5);
    const std::int64_t each = number(0, 4);
    const Shape of_indices = form == 1 ? Shape{bags, each} : Shape{samples};
    const std::int64_t count = element_count(of_indices).value();
    Drawn indices(index, of_indices, layout(), random_);
    indices.set(draw(count, -2, rows + 1));
    if (random_() % 3 != 0) indices.set(draw(count, 0, rows - 1));
    const Drawn weights(dtype, of_indices, layout(), random_);
    const bool mean = form != 2 && random_() % 2 == 0;
    const TensorView weight = mean || random_() % 2 == 0 ? TensorView() : weights.view();
    Drawn default_index(index, {}, 0, random_);
    default_index.set(draw(1, -1, rows - 1));
    const TensorView empty = random_() % 2 == 0 ? TensorView() : default_index.view();
    CallOptions options;
    const OutOfRange policies[] = {OutOfRange::kSkip, OutOfRange::kClamp, OutOfRange::kModulo};
    if (random_() % 2 == 0) options.out_of_range = policies[random_() % 3];
    if (random_() % 3 == 0) options.padding_index = number(-1, 2);
    if (random_() % 3 == 0) options.negative = NegativeIndex::kFromEnd;
    const Attributes reduction = {{"reduction", mean ? "mean" : "sum"}};
    if (form == 1) {
      static_cast<void>(
          call_every_way(kPacked, reduction, {data.view(), indices.view(), weight}, options));
      return;
    }
    Drawn bounds(index, {form == 0 ? bags : samples}, layout(), random_);
    Ids numbers = draw(form == 0 ? bags : samples, 0,
                       form == 0 ? samples : std::max<std::int64_t>(bags - 1, 0));
    std::sort(numbers.begin(), numbers.end());
    bounds.set(numbers);
    if (form == 0) {
      static_cast<void>(call_every_way(kOffsets, reduction,
                                       {data.view(), indices.view(), bounds.view(), empty, weight},
                                       options));
      return;
    }
    Drawn segments(index, {}, 0, random_);
    segments.set({bags});
    static_cast<void>(call_every_way(
        kSegments, {}, {data.view(), indices.view(), bounds.view(), segments.view(), empty, weight},
        options));
  }
};

TEST(Bags, DrawnCallsAgreeWithTheReference) {
  DrawnBags drawn(7);
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    drawn.check_one();
  }
}

TEST(Bags, AnOutputMayHaveAnyLayout) {
  const Tensor indices = ids({0, 2, 3, 4});
  const Tensor offsets = ids({0, 2, 2});
  const std::vector<TensorView> inputs = {table(), indices, offsets};
  const auto plan =
      compile(openvino::EmbeddingBagOffsetsSum{},
              std::vector<TensorSpec>{table().spec(), indices.spec(), offsets.spec()});
  ASSERT_TRUE(plan.ok());
  const Tensor expected = plan->run(inputs).value();
  std::vector<float> columns(6, 42.0F);
  MutableTensorView out(DType::kFloat32, {3, 2}, columns.data());
  out.strides = {4, 12};
  ASSERT_TRUE(plan->run(inputs, out).ok());
  const auto rows = expected.values<float>();
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(columns[i % 2 * 3 + i / 2], rows[i]);
}

TEST(Beams, DrawnTreesAgreeWithTheReference) {
  std::minstd_rand random(11);
  const DType dtypes[] = {DType::kInt32, DType::kInt64, DType::kUint8, DType::kFloat32};
  for (int i = 0; i < 200 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const auto below = [&](unsigned most) { return static_cast<std::int64_t>(random() % most); };
    const Shape shape = {below(6), below(4), below(5)};
    const bool bad = random() % 3 == 0;
    const auto tensor = [&](const Shape& of, std::int64_t most) {
      std::vector<std::int32_t> values;
      for (std::int64_t n = element_count(of).value(); n > 0; --n)
        values.push_back(
            static_cast<std::int32_t>(most > 0 ? below(static_cast<unsigned>(most)) : 0));
      return Tensor::from<std::int32_t>(of, values);
    };
    const Tensor steps = tensor(shape, 9);
    const Tensor parents = tensor(shape, shape[2] + (bad ? 1 : 0));
    const Tensor lengths = tensor({shape[1]}, 8);
    const Tensor end = tensor({}, 9);
    const auto as = [&](const Tensor& from, DType dtype) {
      Tensor to = Tensor::zeros(dtype, from.shape()).value();
      const auto values = from.values<std::int32_t>();
      for (std::size_t j = 0; j < values.size(); ++j) {
        if (dtype == DType::kInt32) static_cast<std::int32_t*>(to.data())[j] = values[j];
        if (dtype == DType::kInt64) static_cast<std::int64_t*>(to.data())[j] = values[j];
        if (dtype == DType::kUint8)
          static_cast<std::uint8_t*>(to.data())[j] = static_cast<std::uint8_t>(values[j]);
        if (dtype == DType::kFloat32)
          static_cast<float*>(to.data())[j] = static_cast<float>(values[j]);
      }
      return to;
    };
    const DType dtype = dtypes[random() % 4];
    const Tensor a = as(steps, dtype);
    const Tensor b = as(parents, dtype);
    const Tensor c = as(lengths, dtype);
    const Tensor d = as(end, dtype);
    static_cast<void>(call_every_way(kTree, {}, {a, b, c, d}));
  }
}

TEST(Beams, OnlyParentsOfWalksAreRead) {
  const Tensor steps = Tensor::of<std::int32_t>({3, 1, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor length = Tensor::of<std::int32_t>({1}, {2});
  const Tensor end = Tensor::of<std::int32_t>({}, {9});
  const Tensor unread = Tensor::of<std::int32_t>({3, 1, 2}, {-1, 7, 1, 0, 7, -7});
  EXPECT_TRUE(call_every_way(kTree, {}, {steps, unread, length, end}).ok());
  const Tensor bad = Tensor::of<std::int32_t>({3, 1, 2}, {0, 0, 2, -1, 0, 0});
  EXPECT_FALSE(call_every_way(kTree, {}, {steps, bad, length, end}).ok());
  const std::vector<TensorView> inputs = {steps, bad, length, end};
  EXPECT_EQ(
      call(kTree, {}, inputs).error().message(),
      "openvino.GatherTree-1 [OPENVINO-GatherTree-C5]: parent_ids[1, 0, 0] is 2, out of range "
      "for axis 2 of step_ids with extent 2 (legal: 0 to 1); 2 of 6 indices are out of "
      "range");
  const auto plan = compile(
      kTree, {}, std::vector<TensorSpec>{steps.spec(), bad.spec(), length.spec(), end.spec()});
  const auto listed = plan->bad_indices(inputs, {.listed_indices = 5});
  ASSERT_TRUE(listed.ok());
  EXPECT_EQ(listed->values, (std::vector<std::int64_t>{2, -1}));
  CallOptions from_end;
  from_end.negative = NegativeIndex::kFromEnd;
  const Tensor back = Tensor::of<std::int32_t>({3, 1, 2}, {0, 0, -2, -1, 0, 0});
  EXPECT_TRUE(call_every_way(kTree, {}, {steps, back, length, end}, from_end).ok());
}

TEST(GatherTree, NamesAParentAboveTheLargestInt64) {
  const Tensor steps = Tensor::of<std::uint64_t>({2, 1, 2}, {1, 2, 3, 4});
  const Tensor parents = Tensor::of<std::uint64_t>({2, 1, 2}, {0, 0, 1, std::uint64_t{1} << 63});
  const Tensor length = Tensor::of<std::uint64_t>({1}, {2});
  const Tensor end = Tensor::of<std::uint64_t>({}, {9});
  const std::vector<TensorView> inputs = {steps, parents, length, end};
  const std::string message = call(kTree, {}, inputs).error().message();
  EXPECT_NE(message.find("parent_ids[1, 0, 1] is 9223372036854775808, "), std::string::npos)
      << message;
  EXPECT_EQ(call_reference(kTree, {}, inputs).error().message(), message);
}

}  // namespace
}  // namespace windrow::internal
