#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "src/operators/every_way_fixture.h"
#include "src/operators/test_support.h"
#include "windrow/array.h"
#include "windrow/onnx.h"
#include "windrow/operators.h"

// Quantised look-ups, against the reference.
namespace windrow::internal {
namespace {

const OperatorId kGather{"onnx", "GatherBlockQuantized", std::nullopt};
const OperatorId kTake{"array", "TakeQuantized", std::nullopt};

using Floats = std::vector<float>;

Floats floats(const Result<Tensor>& result) {
  if (!result.ok()) {
    ADD_FAILURE() << result.error().message();
    return {};
  }
  const auto values = result->values<float>();
  return {values.begin(), values.end()};
}

Tensor bytes(DType dtype, const Shape& shape, const std::vector<std::uint8_t>& values) {
  Tensor tensor = Tensor::zeros(dtype, shape).value();
  std::memcpy(tensor.data(), values.data(), static_cast<std::size_t>(tensor.byte_count()));
  return tensor;
}

TEST(Quantised, EachTypedFunctionIsItsOperator) {
  const Tensor at = Tensor::of<std::int64_t>({2}, {1, 2});
  const Tensor codes = bytes(DType::kUint4, {2, 2}, {0x21, 0x0f});
  const Tensor scales = Tensor::of<float>({2, 1}, {1.5F, 0.5F});
  EXPECT_EQ(floats(onnx::gather_block_quantized(codes, at, scales)), (Floats{7.5F, 0, 0, 0}));
  const Tensor first = Tensor::of<std::int64_t>({1}, {1});
  const Tensor numbers = Tensor::of<std::int8_t>({2, 2}, {1, 2, -3, 4});
  const Tensor factors = Tensor::of<float>({2, 1}, {0.5F, 0.25F});
  EXPECT_EQ(floats(array::take_quantized(numbers, first, factors)), (Floats{-0.75F, 1}));
}

TEST(Quantised, ZeroPointsThatAreNotGivenAreThoseOfTheType) {
  const Tensor at = Tensor::of<std::int64_t>({}, {0});
  const Tensor scale = Tensor::of<float>({1, 1}, {1});
  const auto first = [&](DType dtype, std::int64_t bits) {
    const Tensor codes = bytes(dtype, {1, 2}, {0xe4, 0xe4});
    const Attributes attributes = {{"bits", bits}, {"block_size", std::int64_t{16}}};
    const Floats found = floats(call_every_way(kGather, attributes, {codes, at, scale}));
    return found.empty() ? 0 : found[0];
  };
  EXPECT_EQ(first(DType::kUint8, 8), 228 - 128);
  EXPECT_EQ(first(DType::kUint8, 4), 4 - 8);
  EXPECT_EQ(first(DType::kUint8, 2), 0 - 2);
  EXPECT_EQ(first(DType::kUint4, 4), 4);
  EXPECT_EQ(first(DType::kInt4, 4), 4);
}

TEST(Quantised, EveryPackedZeroPointBelongsToItsOwnRow) {
  // Three blocks in a row: the fourth nibble of each row is unused.
  const Tensor codes = Tensor::zeros(DType::kUint8, {2, 24}).value();
  const Tensor scales = Tensor::of<float>({2, 3}, {1, 1, 1, 1, 1, 1});
  const Tensor zeros = bytes(DType::kUint8, {2, 2}, {0x21, 0xf3, 0x54, 0xf6});
  const Tensor at = Tensor::of<std::int32_t>({2}, {0, -1});
  const Attributes attributes = {{"block_size", std::int64_t{16}}};
  const Floats found = floats(call_every_way(kGather, attributes, {codes, at, scales, zeros}));
  ASSERT_EQ(found.size(), 96U);
  for (std::size_t block = 0; block < 6; ++block)
    EXPECT_EQ(found[block * 16], -static_cast<float>(block + 1));
}

TEST(Quantised, ProductsAreRoundedToTheTypeAskedFor) {
  const Tensor codes = Tensor::of<std::int8_t>({1, 2}, {3, -127});
  const Tensor scales = Tensor::of<float>({1, 1}, {0.1F});
  const Tensor at = Tensor::of<std::int64_t>({1}, {0});
  for (const std::string dtype : {"float32", "float16", "bfloat16"}) {
    const auto result = call_every_way(kTake, {{"dtype", dtype}}, {codes, at, scales});
    ASSERT_TRUE(result.ok()) << result.error().message();
    EXPECT_EQ(dtype_name(result->dtype()), dtype);
  }
  const auto refused = call_every_way(kTake, {{"dtype", "float64"}}, {codes, at, scales});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().constraint(), "ARRAY-TakeQuantized-A6");
}

TEST(Quantised, RulesNameWhatIsWrong) {
  const Tensor codes = Tensor::zeros(DType::kUint8, {2, 16}).value();
  const Tensor at = Tensor::of<std::int64_t>({1}, {0});
  const Tensor scales = Tensor::zeros(DType::kFloat32, {2, 1}).value();
  const Tensor wide = Tensor::zeros(DType::kFloat32, {2, 2}).value();
  const Tensor half = Tensor::zeros(DType::kFloat64, {2, 1}).value();
  const auto rule = [&](Attributes attributes, std::vector<TensorView> inputs) {
    if (attributes.find("block_size") == attributes.end())
      attributes["block_size"] = std::int64_t{16};
    if (attributes.find("bits") == attributes.end()) attributes["bits"] = std::int64_t{8};
    const auto result = call_every_way(kGather, attributes, inputs);
    if (result.ok()) return std::string();
    return result.error().constraint().substr(std::string("ONNX-GatherBlockQuantized-").size());
  };
  EXPECT_EQ(rule({}, {codes, at, scales}), "");
  EXPECT_EQ(rule({}, {codes, at, half}), "T1");
  EXPECT_EQ(rule({}, {half, at, scales}), "T1");
  EXPECT_EQ(rule({}, {codes, codes, scales}), "T2");
  EXPECT_EQ(rule({}, {codes, at, scales, scales}), "T3");
  EXPECT_EQ(rule({{"gather_axis", std::int64_t{2}}}, {codes, at, scales}), "A1");
  EXPECT_EQ(rule({{"quantize_axis", std::int64_t{-3}}}, {codes, at, scales}), "A3");
  for (const std::int64_t size : {0, 8, 24, -16})
    EXPECT_EQ(rule({{"block_size", size}}, {codes, at, scales}), "A4") << size;
  EXPECT_EQ(rule({{"bits", std::int64_t{3}}}, {codes, at, scales}), "A5");
  EXPECT_EQ(rule({{"gather_axis", std::int64_t{1}}}, {codes, at, scales}), "C3");
  EXPECT_EQ(rule({{"quantize_axis", std::int64_t{0}}}, {codes, at, scales}), "C3");
  EXPECT_EQ(rule({}, {codes, at, wide}), "C4");
  EXPECT_EQ(rule({{"bits", std::int64_t{4}}}, {codes, at, scales}), "C4");
  EXPECT_EQ(rule({}, {codes, at, scales, codes}), "C5");
  const Tensor flat = Tensor::zeros(DType::kUint8, {16}).value();
  EXPECT_EQ(rule({}, {flat, at, scales}), "C1");
  const Tensor floats8 = Tensor::zeros(DType::kFloat8E5M2, {2, 16}).value();
  const Tensor zeros8 = Tensor::zeros(DType::kFloat8E5M2, {2, 1}).value();
  EXPECT_EQ(rule({{"block_size", std::int64_t{0}}}, {floats8, at, scales}), "");
  EXPECT_EQ(rule({}, {floats8, at, scales, zeros8}), "C5");
}

TEST(Quantised, BadIndicesAreNamed) {
  const Tensor codes = Tensor::zeros(DType::kInt8, {2, 4}).value();
  const Tensor at = Tensor::of<std::int64_t>({3}, {0, 5, -3});
  const Tensor scales = Tensor::zeros(DType::kFloat32, {2, 1}).value();
  const std::vector<TensorView> inputs = {codes, at, scales};
  const auto result = call_every_way(kTake, {}, inputs);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(
      call(kTake, {}, inputs).error().message(),
      "array.TakeQuantized-1 [ARRAY-TakeQuantized-C5]: indices[1] is 5, out of range for axis "
      "0 of data with extent 2 (legal: -2 to 1); 2 of 3 indices are out of range");
  // Also where nothing is taken.
  const Tensor none = Tensor::zeros(DType::kInt8, {2, 0}).value();
  const Tensor no_scales = Tensor::zeros(DType::kFloat32, {2, 0}).value();
  EXPECT_FALSE(call_every_way(kTake, {}, {none, at, no_scales}).ok());
}

// A tensor of random bits in some layout. Packed types are dense.
class Drawn {
 public:
  Drawn(DType dtype, const Shape& shape, std::minstd_rand& random)
      : tensor_(Tensor::zeros(dtype, shape).value()) {
    auto* const data = static_cast<std::uint8_t*>(tensor_.data());
    for (std::int64_t i = 0; i < tensor_.byte_count(); ++i)
      data[i] = static_cast<std::uint8_t>(random() >> 9);
    if (is_packed(dtype) || random() % 2 == 0) return;
    laid_ = std::make_unique<Laid>(tensor_, random() % 2 == 0 ? 0 : 3, random() % 3 == 0,
                                   static_cast<std::int64_t>(random() % 3));
  }
  // Indices in [low, high].
  Drawn(DType dtype, const Shape& shape, std::int64_t low, std::int64_t high,
        std::minstd_rand& random)
      : tensor_(Tensor::zeros(dtype, shape).value()) {
    for (std::int64_t i = 0; i < tensor_.element_count(); ++i) {
      const std::int64_t value =
          low + static_cast<std::int64_t>(random() % static_cast<unsigned>(high - low + 1));
      const auto narrow = static_cast<std::int32_t>(value);
      if (dtype == DType::kInt64)
        static_cast<std::int64_t*>(tensor_.data())[i] = value;
      else
        static_cast<std::int32_t*>(tensor_.data())[i] = narrow;
    }
    if (random() % 2 == 0) laid_ = std::make_unique<Laid>(tensor_, 4, random() % 2 == 0, 0);
  }
  TensorView view() const { return laid_ ? laid_->view() : tensor_.view(); }

 private:
  Tensor tensor_;
  std::unique_ptr<Laid> laid_;
};

class DrawnLookUps {
 public:
  explicit DrawnLookUps(unsigned seed) : random_(seed) {}

  void check_one() {
    const DType types[] = {DType::kUint8,         DType::kUint8,      DType::kInt8,
                           DType::kInt4,          DType::kUint4,      DType::kFloat4E2M1,
                           DType::kFloat8E4M3FN,  DType::kFloat8E5M2, DType::kFloat8E4M3FNUZ,
                           DType::kFloat8E5M2FNUZ};
    const DType dtype = types[random_() % 10];
    const std::int64_t packed_bits[] = {2, 4, 8};
    const std::int64_t bits = dtype == DType::kUint8 ? packed_bits[random_() % 3] : 0;
    const std::int64_t each = bits == 0 ? 1 : 8 / bits;
    Shape shape;
    const std::int64_t rank = number(1, 4);
    for (std::int64_t axis = 0; axis < rank; ++axis)
      shape.push_back(number(axis + 1 == rank ? 0 : 1, axis + 1 == rank ? 40 : 4));
    const int axis = static_cast<int>(number(0, rank - 1));
    const int quantised = static_cast<int>(number(0, rank - 1));
    const std::int64_t blocks[] = {0, 1, 3, 16, 32, 1000};
    const std::int64_t block = blocks[random_() % 6];
    Shape values = shape;
    values[static_cast<int>(rank) - 1] *= each;
    Shape scales = values;
    const std::int64_t extent = values[quantised];
    scales[quantised] =
        block == 0 ? std::min<std::int64_t>(extent, 1) : (extent + block - 1) / block;
    const bool is_float = dtype_kind(dtype) == DTypeKind::kFloat;
    for (int a = 0; a < scales.rank(); ++a)
      if (is_float && a != quantised && random_() % 3 == 0) scales[a] = 1;
    Shape zeros = scales;
    zeros[static_cast<int>(rank) - 1] = (scales.back() + each - 1) / each;
    run(dtype, shape, scales, zeros, values[axis],
        {{"axis", std::int64_t{axis}},
         {"quantize_axis", std::int64_t{quantised}},
         {"block_size", block},
         {"bits", bits}},
        is_float);
  }

 private:
  void run(DType dtype, const Shape& shape, const Shape& of_scales, const Shape& of_zeros,
           std::int64_t extent, Attributes attributes, bool is_float) {
    const DType scale_types[] = {DType::kFloat32, DType::kFloat16, DType::kBFloat16};
    const std::string results[] = {"", "float32", "float16", "bfloat16"};
    attributes["dtype"] = results[random_() % 4];
    const Drawn data(dtype, shape, random_);
    const Drawn scales(scale_types[random_() % 3], of_scales, random_);
    const Drawn zeros(dtype, of_zeros, random_);
    const Shape index_shapes[] = {{}, {5}, {2, 3}, {0}, {1, 40}};
    const DType index = random_() % 2 == 0 ? DType::kInt32 : DType::kInt64;
    const bool legal = random_() % 3 != 0 && extent > 0;
    const Drawn indices(index, index_shapes[random_() % 5], legal ? -extent : -extent - 2,
                        legal ? extent - 1 : extent + 1, random_);
    CallOptions options;
    const OutOfRange policies[] = {OutOfRange::kZero, OutOfRange::kClamp, OutOfRange::kModulo};
    if (random_() % 2 == 0) options.out_of_range = policies[random_() % 3];
    if (random_() % 4 == 0) options.padding_index = number(-1, 2);
    if (random_() % 4 == 0) options.negative = NegativeIndex::kOutOfRange;
    const bool has_zeros = !is_float && random_() % 2 == 0;
    std::string text = std::string(dtype_name(dtype)) + to_string(shape) + ", scales " +
                       std::string(dtype_name(scales.view().dtype)) + to_string(of_scales) +
                       (has_zeros ? ", zero points" : "");
    for (const auto& [name, value] : attributes)
      if (const auto* const integer = std::get_if<std::int64_t>(&value))
        text += ", " + name + " " + std::to_string(*integer);
    SCOPED_TRACE(text);
    static_cast<void>(call_every_way(
        kTake, attributes,
        {data.view(), indices.view(), scales.view(), has_zeros ? zeros.view() : TensorView()},
        options));
  }

  std::int64_t number(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<unsigned>(high - low + 1));
  }

  std::minstd_rand random_;
};

TEST(Quantised, DrawnCallsAgreeWithTheReference) {
  DrawnLookUps drawn(7);
  for (int i = 0; i < 2000 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    drawn.check_one();
  }
}

TEST(Quantised, AnOutputMayHaveAnyLayout) {
  const Tensor codes = counted<std::int8_t>({3, 4});
  const Tensor scales = Tensor::of<float>({3, 1}, {1, 2, 3});
  const Tensor at = Tensor::of<std::int64_t>({2}, {2, 1});
  const std::vector<TensorView> inputs = {codes, at, scales};
  const auto plan = compile(array::TakeQuantized{},
                            std::vector<TensorSpec>{codes.spec(), at.spec(), scales.spec()});
  ASSERT_TRUE(plan.ok());
  const Floats expected = floats(plan->run(inputs));
  ASSERT_EQ(expected.size(), 8U);
  Floats columns(8, 42.0F);
  MutableTensorView out(DType::kFloat32, {2, 4}, columns.data());
  out.strides = {4, 8};
  ASSERT_TRUE(plan->run(inputs, out).ok());
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(columns[i % 4 * 2 + i / 4], expected[i]);
}

TEST(Quantised, APlanDescribesItself) {
  const Tensor codes = Tensor::zeros(DType::kUint8, {100, 64}).value();
  const Tensor at = Tensor::zeros(DType::kInt64, {7}).value();
  const Tensor scales = Tensor::zeros(DType::kFloat16, {100, 4}).value();
  const auto plan = compile(onnx::GatherBlockQuantized{.bits = 4, .block_size = 32},
                            {codes.spec(), at.spec(), scales.spec()});
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  const PlanDescription description = plan->description();
  EXPECT_EQ(description.equation,
            "output[i0, i1] = (data[indices[i0], i1] - 8) * scales[indices[i0], i1 / 32]");
  EXPECT_EQ(description.kernel, "dequantise_float16");
  EXPECT_EQ(description.row_bytes, 256);
  EXPECT_EQ(plan->result().shape, (Shape{7, 128}));
}

}  // namespace
}  // namespace windrow::internal
