#include <gtest/gtest.h>

#include "src/operators/known_run.h"
#include "src/operators/plan_state.h"
#include "src/operators/test_support.h"
#include "windrow/operators.h"

// Runs with other strides than those of compile.
namespace windrow::internal {
namespace {

struct Example {
  std::string name;
  OperatorId id;
  Attributes attributes;
  std::vector<Tensor> inputs;
};

std::vector<Example> examples() {
  const auto add = [](std::vector<Example>& list, std::string name, OperatorId id,
                      Attributes attributes, Tensor a, Tensor b, Tensor c) {
    Example example{std::move(name), std::move(id), std::move(attributes), {}};
    example.inputs.push_back(std::move(a));
    example.inputs.push_back(std::move(b));
    if (!c.is_absent()) example.inputs.push_back(std::move(c));
    list.push_back(std::move(example));
  };
  const Attributes last{{"axis", std::int64_t{-1}}};
  const auto index = [](const Shape& shape, std::initializer_list<std::int64_t> values) {
    return Tensor::of<std::int64_t>(shape, values);
  };
  std::vector<Example> list;
  add(list, "gather_rows", {"onnx", "Gather", 13}, {}, counted<float>({5, 3, 4}),
      index({2, 2}, {4, -5, 0, 2}), {});
  add(list, "gather_elements_of_rows", {"onnx", "Gather", 13}, last,
      counted<std::int16_t>({5, 3, 4}), index({3}, {3, -1, 0}), {});
  add(list, "gather_elements", {"onnx", "GatherElements", 13}, last, counted<double>({3, 4}),
      index({2, 3}, {3, -4, 0, 1, 1, 2}), {});
  add(list, "gather_nd", {"onnx", "GatherND", 13}, {{"batch_dims", std::int64_t{1}}},
      counted<std::uint8_t>({2, 3, 4, 5}), index({2, 2, 2}, {0, 1, 2, 3, -1, -1, 1, 0}), {});
  add(list, "scatter_elements", {"onnx", "ScatterElements", 18},
      {{"reduction", std::string("add")}}, counted<std::int32_t>({3, 4}),
      index({2, 3}, {0, 2, -1, 0, 1, 1}), counted<std::int32_t>({2, 3}));
  add(list, "scatter_nd", {"onnx", "ScatterND", 18}, {}, counted<std::int64_t>({4, 3}),
      index({2, 1}, {3, -4}), counted<std::int64_t>({2, 3}));
  add(list, "tensor_scatter", {"onnx", "TensorScatter", 24}, {}, counted<float>({2, 4, 3}),
      counted<float>({2, 2, 3}), index({2}, {2, 1}));
  add(list, "array_feature_extractor", {"onnx", "ArrayFeatureExtractor", 1}, {},
      counted<float>({3, 4}), index({1, 2}, {3, 0}), {});
  return list;
}

struct Layout {
  std::int64_t gap = 0;  // bytes
  bool reversed = false;
  std::int64_t base = 0;  // bytes from the natural alignment
};

Tensor run_into(const Plan& plan, const std::vector<TensorView>& inputs, const Layout& layout) {
  Laid out(plan.result().dtype, plan.result().shape, layout.gap, layout.reversed, layout.base);
  const Status status = plan.run(inputs, out.mutable_view());
  EXPECT_TRUE(status) << status.message();
  return Tensor::copy_of(out.view()).value();
}

class Layouts : public testing::TestWithParam<Layout> {};

TEST_P(Layouts, GiveTheResultsOfDenseTensors) {
  const Layout& layout = GetParam();
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.name);
    const std::vector<TensorView> dense(example.inputs.begin(), example.inputs.end());
    const Tensor expected = call_reference(example.id, example.attributes, dense).value();
    std::vector<std::unique_ptr<Laid>> laid;
    std::vector<TensorView> views;
    std::vector<TensorSpec> dense_specs;
    std::vector<TensorSpec> laid_specs;
    for (const Tensor& input : example.inputs) {
      laid.push_back(std::make_unique<Laid>(input, layout.gap, layout.reversed, layout.base));
      views.push_back(laid.back()->view());
      dense_specs.push_back(input.spec());
      laid_specs.push_back(views.back().spec());
    }
    const Plan for_dense = compile(example.id, example.attributes, dense_specs).value();
    const Plan for_laid = compile(example.id, example.attributes, laid_specs).value();
    EXPECT_TRUE(same_bits(for_dense.run(dense).value(), expected));
    EXPECT_TRUE(same_bits(run_into(for_dense, views, layout), expected));
    EXPECT_TRUE(same_bits(run_into(for_dense, dense, layout), expected));
    EXPECT_TRUE(same_bits(run_into(for_laid, views, layout), expected));
    EXPECT_TRUE(same_bits(run_into(for_laid, dense, {}), expected));
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, Layouts,
                         testing::Values(Layout{}, Layout{8, false, 0}, Layout{0, true, 0},
                                         Layout{8, true, 0}, Layout{0, false, 1},
                                         Layout{3, false, 0}, Layout{5, true, 3}));

TEST(Layouts, InputsMayRepeatTheirMemory) {
  const float value = 7;
  const std::int64_t index = 1;
  const TensorView data(DType::kFloat32, {3, 2}, Strides{0, 0}, &value);
  const TensorView indices(DType::kInt64, {4}, Strides{0}, &index);
  const std::vector<TensorView> inputs{data, indices};
  const Tensor expected = Tensor::of<float>({4, 2}, {7, 7, 7, 7, 7, 7, 7, 7});
  EXPECT_TRUE(same_bits(call({"onnx", "Gather", 13}, {}, inputs).value(), expected));
  const std::vector<TensorSpec> dense{{DType::kFloat32, {3, 2}, {}, {}},
                                      {DType::kInt64, {4}, {}, {}}};
  const Plan plan = compile({"onnx", "Gather", 13}, {}, dense).value();
  EXPECT_TRUE(same_bits(plan.run(inputs).value(), expected));
}

TEST(Layouts, UpdatesMayRepeatTheirMemory) {
  const Tensor data = counted<float>({3});
  const Tensor indices = Tensor::of<std::int64_t>({3}, {0, 2, 0});
  const float one = 1;
  const std::vector<TensorView> inputs{data, indices,
                                       TensorView(DType::kFloat32, {3}, Strides{0}, &one)};
  const auto result =
      call({"onnx", "ScatterElements", 18}, {{"reduction", std::string("add")}}, inputs);
  EXPECT_TRUE(same_bits(result.value(), Tensor::of<float>({3}, {2, 1, 3})));
}

TEST(Layouts, StringsMayStandBackwards) {
  const Tensor data = Tensor::of<std::string>({3}, {"a", "b", "c"});
  const Tensor indices = Tensor::of<std::int64_t>({2}, {0, 0});
  const Tensor updates = Tensor::of<std::string>({2}, {"x", "y"});
  const auto backwards = [](const Tensor& tensor) {
    const auto last = tensor.values<std::string>().last(1);
    return TensorView(DType::kString, tensor.shape(), Strides{-std::int64_t{sizeof(std::string)}},
                      last.data());
  };
  const std::vector<TensorView> inputs{backwards(data), indices, backwards(updates)};
  const auto result =
      call({"onnx", "ScatterElements", 18}, {{"reduction", std::string("add")}}, inputs);
  ASSERT_TRUE(result);
  const auto values = result->values<std::string>();
  EXPECT_EQ(std::vector(values.begin(), values.end()), (std::vector<std::string>{"cyx", "b", "a"}));
}

TEST(Layouts, ABadIndexIsNamedByItsPositionInAnyLayout) {
  const Tensor data = counted<float>({3});
  const Tensor indices = Tensor::of<std::int64_t>({2, 2}, {0, 1, 2, 3});
  const Laid laid(indices, 5, true, 3);
  const std::vector<TensorView> inputs{data, laid.view()};
  const Status status = call({"onnx", "Gather", 13}, {}, inputs).error();
  ASSERT_NE(status.index_fault(), nullptr);
  EXPECT_EQ(status.index_fault()->input, "indices");
  EXPECT_EQ(status.index_fault()->position, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(status.index_fault()->value, 3);
  EXPECT_EQ(status.index_fault()->axis, 0);
  EXPECT_EQ(status.index_fault()->extent, 3);
  EXPECT_EQ(status.index_fault()->count, 1);
}

// The plan is lowered for a layout once, as long as runs have no other one; its own is not kept.
TEST(Layout, TheLatestLayoutOfARunIsKept) {
  for (const Example& example : examples()) {
    std::vector<TensorSpec> specs;
    std::vector<TensorView> inputs;
    for (const Tensor& input : example.inputs) {
      specs.push_back(input.view().spec());
      inputs.push_back(input.view());
    }
    const Plan plan = compile(example.id, example.attributes, specs).value();
    const LatestLayout& latest = PlanAccess::state(plan).latest;
    const auto run = [&](std::int64_t gap) {
      Laid out(plan.result().dtype, plan.result().shape, gap, false, 0);
      EXPECT_TRUE(plan.run(inputs, out.mutable_view())) << example.name;
      return latest.find(inputs, out.mutable_view());
    };
    EXPECT_EQ(run(0), nullptr) << example.name;
    const auto first = run(8);
    ASSERT_NE(first, nullptr) << example.name;
    EXPECT_EQ(run(8), first) << example.name;
    EXPECT_NE(run(16), first) << example.name;
    Laid again(plan.result().dtype, plan.result().shape, 8, false, 0);
    EXPECT_EQ(latest.find(inputs, again.mutable_view()), nullptr) << example.name;
  }
}

}  // namespace
}  // namespace windrow::internal
