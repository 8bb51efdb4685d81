#include "src/operators/taken_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "src/operators/test_support.h"
#include "windrow/operators.h"

namespace windrow::internal {
namespace {

// Moves the rows from data in memory.
class Mover final : public RowVisitor {
 public:
  explicit Mover(const TensorView& data)
      : data_(static_cast<const std::byte*>(data.data)),
        bytes_(dense_byte_count(data.dtype, data.shape).value_or(0)) {}

  bool visit(const TakenRows& rows) override {
    EXPECT_LE(static_cast<std::int64_t>(rows.from.size()), kMostVisited);
    std::byte* to = rows.to;
    for (const std::int64_t from : rows.from) {
      const auto bytes = static_cast<std::size_t>(rows.row_bytes);
      if (from == kZeroRow) {
        std::memset(to, 0, bytes);
      } else {
        EXPECT_GE(from, 0);
        EXPECT_LE(from + rows.row_bytes, bytes_);
        std::memcpy(to, data_ + from, bytes);
      }
      to += rows.step;
    }
    visits_ += 1;
    return visits_ < most_visits;
  }

  int most_visits = 1 << 30;
  int visits() const { return visits_; }

 private:
  const std::byte* data_;
  std::int64_t bytes_;
  int visits_ = 0;
};

struct Example {
  std::string name;
  OperatorId id;
  Attributes attributes;
  std::vector<Tensor> inputs;
  CallOptions options = {};
};

std::vector<Example> examples() {
  std::vector<Example> list;
  const auto add = [&](std::string name, OperatorId id, Attributes attributes, Tensor data,
                       Tensor indices, CallOptions options = {}) {
    list.push_back({std::move(name), std::move(id), std::move(attributes), {}, std::move(options)});
    list.back().inputs.push_back(std::move(data));
    list.back().inputs.push_back(std::move(indices));
  };
  const auto index = [](const Shape& shape, std::initializer_list<std::int64_t> values) {
    return Tensor::of<std::int64_t>(shape, values);
  };
  const auto zeros = CallOptions{.out_of_range = OutOfRange::kZero, .padding_index = 2};
  add("rows", {"onnx", "Gather", 13}, {}, counted<float>({5, 3, 4}), index({2, 2}, {4, -5, 0, 2}));
  add("middle axis", {"onnx", "Gather", 13}, {{"axis", std::int64_t{1}}},
      counted<std::int16_t>({5, 3, 4}), index({3}, {2, -1, 0}));
  add("last axis", {"onnx", "Gather", 13}, {{"axis", std::int64_t{-1}}}, counted<double>({5, 3, 4}),
      index({2}, {3, 0}));
  add("zeros and padding", {"onnx", "Gather", 13}, {}, counted<float>({5, 3}),
      index({5}, {4, 7, 2, -6, 0}), zeros);
  add("elements", {"onnx", "GatherElements", 13}, {}, counted<double>({3, 4}),
      index({2, 3}, {2, -3, 0, 1, 1, 2}));
  add("tuples", {"onnx", "GatherND", 13}, {{"batch_dims", std::int64_t{1}}},
      counted<std::uint8_t>({2, 3, 4, 5}), index({2, 2, 2}, {0, 1, 2, 3, -1, -1, 1, 0}));
  add("no result", {"onnx", "Gather", 13}, {}, counted<float>({5, 0}), index({2}, {4, 0}));
  return list;
}

Result<Plan> compiled(const Example& example) {
  return compile(example.id, example.attributes,
                 std::vector<TensorSpec>{example.inputs[0].spec(), example.inputs[1].spec()},
                 example.options);
}

TEST(VisitRows, TellsTheRowsThatARunMoves) {
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.name);
    const Result<Plan> plan = compiled(example);
    ASSERT_TRUE(plan) << plan.error().message();
    const std::vector<TensorView> views(example.inputs.begin(), example.inputs.end());
    const Tensor expected = plan->run(views).value();
    for (const std::int64_t gap : {0, 24}) {
      const Laid indices(example.inputs[1], gap, gap > 0, 0);
      Laid out(plan->result().dtype, plan->result().shape, gap, gap > 0, 0);
      Mover mover(views[0]);
      const Status status = visit_rows(*plan, std::vector<TensorView>{TensorView(), indices.view()},
                                       out.mutable_view(), {}, mover);
      ASSERT_TRUE(status) << status.message();
      EXPECT_TRUE(same_bits(Tensor::copy_of(out.view()).value(), expected));
    }
  }
}

TEST(VisitRows, PassesOnNoRowOfABadIndex) {
  const Example example = {"rows", {"onnx", "Gather", 13}, {}, {}};
  const Tensor data = counted<float>({5, 3});
  Tensor indices = Tensor::zeros(DType::kInt64, {3 * kMostVisited}).value();
  static_cast<std::int64_t*>(indices.data())[2 * kMostVisited + 7] = 5;
  const Plan plan =
      compile(example.id, {}, std::vector<TensorSpec>{data.spec(), indices.spec()}).value();
  Tensor out = Tensor::zeros(DType::kFloat32, plan.result().shape).value();
  Mover mover(data.view());
  const Status status = visit_rows(plan, std::vector<TensorView>{TensorView(), indices.view()},
                                   out.mutable_view(), {}, mover);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.code(), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(status.index_fault()->position, (std::vector<std::int64_t>{2 * kMostVisited + 7}));
  EXPECT_EQ(mover.visits(), 2);
  const Status whole = plan.run({data.view(), indices.view()}, out.mutable_view());
  EXPECT_EQ(status.message(), whole.message());
}

TEST(VisitRows, EndsWhenTheVisitorSaysSo) {
  const Tensor data = counted<float>({5, 3});
  const Tensor indices = Tensor::zeros(DType::kInt64, {3 * kMostVisited}).value();
  const Plan plan =
      compile({"onnx", "Gather", 13}, {}, std::vector<TensorSpec>{data.spec(), indices.spec()})
          .value();
  Tensor out = Tensor::zeros(DType::kFloat32, plan.result().shape).value();
  Mover mover(data.view());
  mover.most_visits = 2;
  EXPECT_TRUE(visit_rows(plan, std::vector<TensorView>{TensorView(), indices.view()},
                         out.mutable_view(), {}, mover));
  EXPECT_EQ(mover.visits(), 2);
}

TEST(VisitRows, TakesWholeBytesOfPackedElements) {
  for (const std::int64_t columns : {4, 3}) {
    Tensor data = Tensor::zeros(DType::kInt4, {5, columns}).value();
    auto* bytes = static_cast<std::byte*>(data.data());
    for (std::int64_t i = 0; i < 5 * columns / 2; ++i) bytes[i] = static_cast<std::byte>(i * 37);
    const Tensor indices = Tensor::of<std::int64_t>({2}, {4, 1});
    const Plan plan =
        compile({"array", "Take", {}}, {}, std::vector<TensorSpec>{data.spec(), indices.spec()})
            .value();
    Tensor out = Tensor::zeros(DType::kInt4, plan.result().shape).value();
    Mover mover(data.view());
    const Status status = visit_rows(plan, std::vector<TensorView>{TensorView(), indices.view()},
                                     out.mutable_view(), {}, mover);
    if (columns == 3) {
      EXPECT_EQ(status.code(), ErrorCode::kUnsupported) << status.message();
      continue;
    }
    ASSERT_TRUE(status) << status.message();
    EXPECT_TRUE(same_bits(out, plan.run({data.view(), indices.view()}).value()));
  }
}

TEST(VisitRows, RefusesWhatMovesNoRows) {
  const Tensor data = counted<float>({5, 3});
  const Tensor indices = Tensor::of<std::int64_t>({2, 1}, {4, 1});
  const Tensor updates = counted<float>({2, 3});
  const Plan scatter = compile({"onnx", "ScatterND", 18}, {},
                               std::vector<TensorSpec>{data.spec(), indices.spec(), updates.spec()})
                           .value();
  EXPECT_EQ(check_takes_rows(scatter).code(), ErrorCode::kUnsupported);
  const Plan bags = compile({"array", "EmbeddingBag", {}}, {},
                            std::vector<TensorSpec>{data.spec(), indices.spec()})
                        .value();
  EXPECT_EQ(check_takes_rows(bags).code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace windrow::internal
