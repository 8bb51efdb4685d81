#include <gtest/gtest.h>

#include "src/base/element.h"
#include "src/operators/test_support.h"
#include "windrow/onnx.h"
#include "windrow/operators.h"

// Elements of less than a byte.
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
  for (std::int64_t i = 0; i < tensor.element_count(); ++i)
    set_packed(dtype, tensor.data(), i,
               static_cast<std::uint8_t>(static_cast<unsigned>(i) * step + 1));
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

TEST(Packed, FourElementsOfAByteAreGathered) {
  const Tensor data = packed(DType::kUint2, {5}, {0xe4, 0x02});  // 0, 1, 2, 3, 2
  const Tensor indices = Tensor::of<std::int64_t>({6}, {4, 3, 1, 0, 1, 4});
  const Tensor axis = Tensor::of<std::int64_t>({}, {0});
  const OperatorId id{"openvino", "Gather", 8};
  EXPECT_TRUE(same_bits(call(id, {}, std::vector<TensorView>{data, indices, axis}).value(),
                        packed(DType::kUint2, {6}, {0x1e, 0x09})));
}

class OpenvinoPacked : public testing::TestWithParam<DType> {
 protected:
  // Runs the plan of the operator, whose last input is the axis, and returns whether it unpacks.
  // The result is that of the reference.
  static bool unpacks_in(const OperatorId& id, const std::vector<TensorView>& inputs) {
    std::vector<TensorSpec> specs;
    for (const TensorView& input : inputs) specs.push_back(input.spec());
    specs.back().value = std::make_shared<const Tensor>(Tensor::of<std::int32_t>({}, {0}));
    const Plan plan = compile(id, {}, specs).value();
    EXPECT_TRUE(same_bits(plan.run(inputs).value(), call_reference(id, {}, inputs).value()));
    return unpacks(plan);
  }
};

TEST_P(OpenvinoPacked, RowsOfWholeBytesMoveAsBytes) {
  const Tensor axis = Tensor::of<std::int32_t>({}, {0});
  const Tensor indices = Tensor::of<std::int64_t>({3}, {4, 0, 2});
  for (const std::int64_t row : {8, 16, 3, 5, 13}) {
    const Tensor data = pattern(GetParam(), {5, row}, 5);
    const Tensor updates = pattern(GetParam(), {3, row}, 7);
    const bool is_whole = row % 8 == 0;
    EXPECT_EQ(unpacks_in({"openvino", "Gather", 8}, {data, indices, axis}), !is_whole) << row;
    EXPECT_EQ(unpacks_in({"openvino", "ScatterUpdate", 3}, {data, indices, updates, axis}),
              !is_whole)
        << row;
  }
}

TEST_P(OpenvinoPacked, SingleElementsAreUnpacked) {
  const Tensor axis = Tensor::of<std::int32_t>({}, {0});
  const Tensor data = pattern(GetParam(), {11}, 5);
  const Tensor updates = pattern(GetParam(), {5}, 7);
  const Tensor indices = Tensor::of<std::int64_t>({5}, {10, -11, 3, 7, 3});
  EXPECT_TRUE(unpacks_in({"openvino", "Gather", 8}, {data, indices, axis}));
  EXPECT_TRUE(
      unpacks_in({"openvino", "ScatterElementsUpdate", 12}, {data, indices, updates, axis}));
}

INSTANTIATE_TEST_SUITE_P(Packed, OpenvinoPacked,
                         testing::Values(DType::kUint1, DType::kUint2, DType::kNF4,
                                         DType::kFloat4E2M1),
                         [](const auto& type) { return std::string(dtype_name(type.param)); });

TEST(Packed, ReductionsOfTypesThatAreOnlyCopiedAreRefused) {
  const Tensor axis = Tensor::of<std::int32_t>({}, {0});
  const Tensor indices = Tensor::of<std::int64_t>({1}, {0});
  for (const DType dtype :
       {DType::kUint1, DType::kUint2, DType::kNF4, DType::kFloat4E2M1, DType::kFloat8E8M0}) {
    const Tensor data = pattern(DType::kUint4, {4}, 5);
    const TensorView view(dtype, {1}, data.data());
    const OperatorId id{"openvino", "ScatterElementsUpdate", 12};
    const std::vector<TensorView> inputs{view, indices, view, axis};
    const Status status = call(id, {{"reduction", std::string("sum")}}, inputs).error();
    EXPECT_NE(status.message().find("A3"), std::string::npos) << status.message();
    EXPECT_NE(status.message().find(dtype_name(dtype)), std::string::npos) << status.message();
  }
}

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
