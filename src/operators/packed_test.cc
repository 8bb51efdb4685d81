#include <gtest/gtest.h>

#include "src/operators/test_support.h"
#include "windrow/onnx.h"
#include "windrow/operators.h"

// 4-bit types, two elements to a byte, which TensorScatter takes.
namespace windrow::internal {
namespace {

Tensor packed(DType dtype, const Shape& shape, std::initializer_list<unsigned> bytes) {
  Tensor tensor = Tensor::zeros(dtype, shape).value();
  EXPECT_EQ(tensor.byte_count(), static_cast<std::int64_t>(bytes.size()));
  auto* to = static_cast<unsigned char*>(tensor.data());
  for (const unsigned byte : bytes) *to++ = static_cast<unsigned char>(byte);
  return tensor;
}

// Elements that differ from their neighbours.
Tensor pattern(DType dtype, const Shape& shape, unsigned step) {
  Tensor tensor = Tensor::zeros(dtype, shape).value();
  auto* bytes = static_cast<unsigned char*>(tensor.data());
  const std::int64_t count = tensor.element_count();
  for (std::int64_t i = 0; i < count; ++i)
    bytes[i / 2] = static_cast<unsigned char>(
        bytes[i / 2] | ((static_cast<unsigned>(i) * step + 1) % 16) << (i % 2 == 0 ? 0 : 4));
  return tensor;
}

Plan compile_scatter(const Tensor& cache, const Tensor& update, const Tensor& at,
                     const onnx::TensorScatter& op = {}, const CallOptions& options = {}) {
  return compile(op, {cache.spec(), update.spec(), at.spec()}, options).value();
}

bool unpacks(const Plan& plan) { return plan.describe().find("unpacked") != std::string::npos; }

TEST(Packed, EvenRowsMoveAsBytes) {
  const Tensor cache = packed(DType::kInt4, {1, 3, 2}, {0x21, 0x43, 0x65});
  const Tensor update = packed(DType::kInt4, {1, 1, 2}, {0xba});
  const Tensor at = Tensor::of<std::int64_t>({1}, {1});
  const Plan plan = compile_scatter(cache, update, at);
  EXPECT_FALSE(unpacks(plan));
  EXPECT_TRUE(same_bits(plan.run({cache, update, at}).value(),
                        packed(DType::kInt4, {1, 3, 2}, {0x21, 0xba, 0x65})));
}

TEST(Packed, OddRowsAreUnpacked) {
  const Tensor cache = packed(DType::kUint4, {1, 2, 3}, {0x21, 0x43, 0x65});
  const Tensor update = packed(DType::kUint4, {1, 1, 3}, {0xba, 0x0c});
  const Tensor at = Tensor::of<std::int64_t>({1}, {1});
  const Plan plan = compile_scatter(cache, update, at);
  EXPECT_TRUE(unpacks(plan));
  EXPECT_TRUE(same_bits(plan.run({cache, update, at}).value(),
                        packed(DType::kUint4, {1, 2, 3}, {0x21, 0xa3, 0xcb})));
}

TEST(Packed, TheLastHalfByteIsZero) {
  const Tensor cache = packed(DType::kUint4, {1, 3, 1}, {0x21, 0x03});
  const Tensor update = packed(DType::kUint4, {1, 1, 1}, {0x0f});
  const Tensor at = Tensor::of<std::int64_t>({1}, {2});
  EXPECT_TRUE(same_bits(compile_scatter(cache, update, at).run({cache, update, at}).value(),
                        packed(DType::kUint4, {1, 3, 1}, {0x21, 0x0f})));
}

struct Example {
  Shape cache;
  Shape update;
  onnx::TensorScatter op;
};

class PackedShapes : public testing::TestWithParam<Example> {};

TEST_P(PackedShapes, AgreeWithTheReferenceInAndOutOfPlace) {
  const Example& example = GetParam();
  for (const DType dtype : {DType::kInt4, DType::kUint4, DType::kFloat4E2M1}) {
    Tensor cache = pattern(dtype, example.cache, 3);
    const Tensor update = pattern(dtype, example.update, 5);
    const Tensor at = Tensor::of<std::int64_t>({2}, {0, 1});
    const std::vector<TensorView> inputs{cache, update, at};
    const Attributes attributes{{"axis", example.op.axis}, {"mode", example.op.mode}};
    const Tensor expected =
        call_reference({"onnx", "TensorScatter", 24}, attributes, inputs).value();
    const Plan plan = compile_scatter(cache, update, at, example.op);
    EXPECT_TRUE(same_bits(plan.run(inputs).value(), expected));
    ASSERT_TRUE(plan.run(inputs, cache.mutable_view()));
    EXPECT_TRUE(same_bits(cache, expected));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Packed, PackedShapes,
    testing::Values(Example{{2, 3, 4}, {2, 2, 4}, {}}, Example{{2, 3, 5}, {2, 2, 5}, {}},
                    Example{{2, 1, 6}, {2, 1, 4}, {.axis = -1}},
                    Example{{2, 1, 7}, {2, 1, 3}, {.axis = 2}},
                    Example{{2, 6}, {2, 6}, {.axis = 1, .mode = "circular"}},
                    Example{{2, 2, 3, 2}, {2, 2, 2, 2}, {.mode = "circular"}}));

TEST(Packed, AbsentWriteIndicesAreZeros) {
  const Tensor cache = packed(DType::kInt4, {1, 4}, {0x21, 0x43});
  const Tensor update = packed(DType::kInt4, {1, 2}, {0xba});
  const Plan plan = compile(onnx::TensorScatter{.axis = 1}, {cache.spec(), update.spec()}).value();
  EXPECT_TRUE(
      same_bits(plan.run({cache, update}).value(), packed(DType::kInt4, {1, 4}, {0xba, 0x43})));
}

TEST(Packed, AnErrorLeavesTheCacheAlone) {
  for (const Shape& row : {Shape{1, 3, 2}, Shape{1, 3, 3}}) {
    Tensor cache = pattern(DType::kInt4, row, 3);
    const Tensor before = cache.clone().value();
    const Tensor update = pattern(DType::kInt4, {1, 2, row.back()}, 5);
    const Tensor at = Tensor::of<std::int64_t>({1}, {2});
    const Status status =
        compile_scatter(cache, update, at).run({cache, update, at}, cache.mutable_view());
    ASSERT_NE(status.index_fault(), nullptr);
    EXPECT_EQ(status.index_fault()->extent, 3);
    EXPECT_TRUE(same_bits(cache, before));
    const CallOptions clamp{.out_of_range = OutOfRange::kClamp, .strict = true};
    const Status duplicate = compile_scatter(cache, update, at, {}, clamp)
                                 .run({cache, update, at}, cache.mutable_view());
    EXPECT_EQ(duplicate.code(), ErrorCode::kDuplicate);
    EXPECT_NE(duplicate.message().find("update[0, 1, 0] writes the cell at [0, 2, 0]"),
              std::string::npos)
        << duplicate.message();
    EXPECT_TRUE(same_bits(cache, before));
  }
}

}  // namespace
}  // namespace windrow::internal
