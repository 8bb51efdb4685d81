#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/dialects/openvino/schema.h"
#include "src/dialects/symbolic_test_support.h"

namespace windrow::internal {
namespace {

using Axis = std::optional<std::int64_t>;

KnownValue known(Axis number) {
  return number ? KnownValue(std::vector<std::int64_t>{*number}) : std::nullopt;
}

// The inferred shape, or the label of the rule that is broken; `axis` is what is known of the last
// input.
template <class Op>
std::string infer(const Op& op, const std::vector<std::string>& inputs, Axis axis = {}) {
  std::vector<SymbolicShape> shapes;
  for (const std::string& input : inputs) shapes.push_back(symbolic(input));
  std::vector<KnownValue> values(inputs.size());
  values.back() = known(axis);
  const Result<SymbolicShape> result =
      infer_shape(op, std::span<const SymbolicShape>(shapes), KnownValues(values));
  return result ? to_words(*result) : result.error().constraint();
}

constexpr openvino::Gather kGather;

TEST(OpenvinoInferGather, PutsTheIndicesInPlaceOfTheAxis) {
  EXPECT_EQ(infer(kGather, {"4 N 5", "2 ?", ""}, 1), "4 2 ? 5");
  EXPECT_EQ(infer(kGather, {"4 N 5", "", "1"}, -1), "4 N");
  EXPECT_EQ(infer(openvino::Gather{.batch_dims = 1}, {"4 N 5", "? 7", ""}, 2), "4 N 7");
  EXPECT_EQ(infer(openvino::Gather{.batch_dims = -1}, {"? 6", "3 7", ""}, 1), "3 7");
}

TEST(OpenvinoInferGather, KnowsTheRankWithoutTheAxis) {
  EXPECT_EQ(infer(kGather, {"4 5", "2 3", ""}), "? ? ?");
  EXPECT_EQ(infer(openvino::Gather{.batch_dims = 1}, {"4 5", "4 3", ""}), "4 ?");
  EXPECT_EQ(infer(kGather, {"-", "2 3", ""}, 0), "-");
  EXPECT_EQ(infer(kGather, {"4 5", "-", ""}, 0), "-");
}

TEST(OpenvinoInferGather, NamesTheRuleThatIsBroken) {
  EXPECT_EQ(infer(kGather, {"", "2", ""}, 0), "OPENVINO-Gather-C1");
  EXPECT_EQ(infer(kGather, {"4 5", "2", ""}, 2), "OPENVINO-Gather-A1");
  EXPECT_EQ(infer(kGather, {"4 5", "2", "2"}), "OPENVINO-Gather-A1");
  EXPECT_EQ(infer(kGather, {"4 5", "2", "1 1"}), "OPENVINO-Gather-A1");
  EXPECT_EQ(infer(openvino::Gather{.batch_dims = 1}, {"4 5", "4", ""}, 0), "OPENVINO-Gather-A4");
  EXPECT_EQ(infer(openvino::Gather{.batch_dims = 2}, {"4 5", "4", ""}, 1), "OPENVINO-Gather-A4");
  EXPECT_EQ(infer(openvino::Gather{.batch_dims = 1}, {"4 5", "3 2", ""}, 1), "OPENVINO-Gather-C2");
}

TEST(OpenvinoInferGatherElements, CompletesTheIndicesFromData) {
  EXPECT_EQ(infer(openvino::GatherElements{.axis = 1}, {"4 N 5", "? 7 ?"}), "4 7 5");
  EXPECT_EQ(infer(openvino::GatherElements{.axis = 0}, {"4 3", "7 2"}),
            "OPENVINO-GatherElements-C2");
  EXPECT_EQ(infer(openvino::GatherElements{.axis = 2}, {"4 3", "7 3"}),
            "OPENVINO-GatherElements-A1");
}

TEST(OpenvinoInferGatherND, BroadcastsOrJoinsItsBatchAxes) {
  EXPECT_EQ(infer(openvino::GatherND{.batch_dims = 2}, {"1 4 5 6", "3 1 7 1"}), "3 4 7 6");
  EXPECT_EQ(infer(openvino::GatherND{.batch_dims = 1}, {"? 5", "3 2 1"}), "3 2");
  EXPECT_EQ(infer(openvino::GatherND{.batch_dims = 2, .version = 5}, {"2 3 4", "2 3 7 1"}), "6 7");
  EXPECT_EQ(infer(openvino::GatherND{.batch_dims = 2, .version = 5}, {"2 ? 4", "2 ? 7 1"}), "? 7");
  EXPECT_EQ(infer(openvino::GatherND{.batch_dims = 1, .version = 5}, {"1 5", "3 2 1"}),
            "OPENVINO-GatherND-C2");
  EXPECT_EQ(infer(openvino::GatherND{.batch_dims = 1}, {"2 5", "3 2 1"}), "OPENVINO-GatherND-C2");
  EXPECT_EQ(infer(openvino::GatherND{.batch_dims = 2}, {"2 5", "2 2"}), "OPENVINO-GatherND-A4");
  EXPECT_EQ(infer(openvino::GatherND{}, {"2 5", "4 3"}), "OPENVINO-GatherND-C3");
  EXPECT_EQ(infer(openvino::GatherND{}, {"2 5", "4 ?"}), "-");
}

TEST(OpenvinoInferOneHot, PutsTheDepthInItsPlace) {
  const auto one_hot = [](const std::vector<std::string>& inputs, std::int64_t axis,
                          std::optional<std::int64_t> depth) {
    std::vector<SymbolicShape> shapes;
    for (const std::string& input : inputs) shapes.push_back(symbolic(input));
    const std::vector<KnownValue> values = {{}, known(depth), {}, {}};
    const Result<SymbolicShape> result =
        infer_shape(openvino::OneHot{.axis = axis}, std::span<const SymbolicShape>(shapes),
                    KnownValues(values));
    return result ? to_words(*result) : result.error().constraint();
  };
  EXPECT_EQ(one_hot({"N 3", "", "", ""}, 1, 5), "N 5 3");
  EXPECT_EQ(one_hot({"", "", "", ""}, -1, 0), "0");
  EXPECT_EQ(one_hot({"4", "-", "-", "-"}, -2, {}), "? 4");
  EXPECT_EQ(one_hot({"-", "", "", ""}, 9, 5), "-");
  EXPECT_EQ(one_hot({"4", "", "1", ""}, 0, 5), "OPENVINO-OneHot-C1");
  EXPECT_EQ(one_hot({"4", "", "", "?"}, 0, 5), "OPENVINO-OneHot-C1");
  EXPECT_EQ(one_hot({"4", "", "", ""}, 2, 5), "OPENVINO-OneHot-A1");
  EXPECT_EQ(one_hot({"4", "1", "", ""}, 0, {}), "OPENVINO-OneHot-C3");
  EXPECT_EQ(one_hot({"4", "", "", ""}, 0, -1), "OPENVINO-OneHot-C3");
}

TEST(OpenvinoInferSegmentMax, HasARowForEachSegment) {
  const auto segments = [](const std::vector<std::string>& inputs,
                           std::optional<std::int64_t> count) {
    std::vector<SymbolicShape> shapes;
    for (const std::string& input : inputs) shapes.push_back(symbolic(input));
    const std::vector<KnownValue> values = {{}, {}, known(count)};
    const Result<SymbolicShape> result = infer_shape(
        openvino::SegmentMax{}, std::span<const SymbolicShape>(shapes), KnownValues(values));
    return result ? to_words(*result) : result.error().constraint();
  };
  EXPECT_EQ(segments({"N 3", "N", ""}, 5), "5 3");
  EXPECT_EQ(segments({"4 ?", "-", "-"}, {}), "? ?");
  EXPECT_EQ(segments({"-", "4", ""}, 5), "-");
  EXPECT_EQ(segments({"", "4", ""}, 5), "OPENVINO-SegmentMax-C1");
  EXPECT_EQ(segments({"4 3", "5", ""}, 5), "OPENVINO-SegmentMax-C2");
  EXPECT_EQ(segments({"4 3", "4", "1"}, {}), "OPENVINO-SegmentMax-C3");
  EXPECT_EQ(segments({"4 3", "4", ""}, -1), "OPENVINO-SegmentMax-C3");
  EXPECT_EQ(segments({"4 3", "4"}, {}), "? 3");
}

KnownValue of(std::initializer_list<std::int64_t> numbers) {
  return std::vector<std::int64_t>(numbers);
}

// The shape inferred for SliceScatter of five or six inputs, of which `values` are known.
std::string slices(const std::vector<std::string>& inputs, const std::vector<KnownValue>& values,
                   std::size_t given = 5) {
  std::vector<SymbolicShape> shapes;
  for (const std::string& input : inputs) shapes.push_back(symbolic(input));
  const std::vector<OperandType> operands(given);
  const Result<SymbolicShape> result =
      infer_shape(openvino::SliceScatter{}, std::span<const SymbolicShape>(shapes),
                  KnownValues(values), operands);
  return result ? to_words(*result) : result.error().constraint();
}

TEST(OpenvinoInferSliceScatter, HasTheShapeOfData) {
  EXPECT_EQ(slices({"4 N", "2 ?", "1", "1", "1"}, {}), "4 N");
  EXPECT_EQ(slices({"4 5", "-", "-", "-", "-"}, {}), "4 5");
  EXPECT_EQ(slices({"-", "2 3", "2", "2", "2"}, {}), "-");
  EXPECT_EQ(slices({"4 5", "2 5", "1", "1", "1"}, {{}, {}, of({1}), of({3}), of({1})}), "4 5");
  EXPECT_EQ(slices({"N 5", "7 5", "1", "1", "1"}, {{}, {}, of({1}), of({3}), of({1})}), "N 5");
}

TEST(OpenvinoInferSliceScatter, NamesTheRuleThatIsBroken) {
  EXPECT_EQ(slices({"", "", "0", "0", "0"}, {}), "OPENVINO-SliceScatter-C1");
  EXPECT_EQ(slices({"4", "2", "", "1", "1"}, {}), "OPENVINO-SliceScatter-C2");
  EXPECT_EQ(slices({"4 5", "2 5", "?", "1", "2"}, {}), "OPENVINO-SliceScatter-C2");
  EXPECT_EQ(slices({"4 5", "2 5", "3", "?", "?"}, {}), "OPENVINO-SliceScatter-C2");
  EXPECT_EQ(slices({"4 5", "2 5", "1", "1", "1", "2"}, {}, 6), "OPENVINO-SliceScatter-C2");
  EXPECT_EQ(slices({"4 5", "2 5", "1", "1", "1"}, {{}, {}, of({1}), of({3}), of({0})}),
            "OPENVINO-SliceScatter-A4");
  EXPECT_EQ(slices({"4 5", "3 5", "1", "1", "1"}, {{}, {}, of({1}), of({3}), of({1})}),
            "OPENVINO-SliceScatter-C3");
  EXPECT_EQ(slices({"4 5", "? 4", "1", "1", "1"}, {}), "OPENVINO-SliceScatter-C3");
  const auto with_axes = [](std::vector<std::int64_t> axes) {
    return slices({"4 5", "4 2", "?", "?", "?", "?"},
                  {{}, {}, of({1}), of({3}), of({1}), KnownValue(std::move(axes))}, 6);
  };
  EXPECT_EQ(with_axes({-1}), "4 5");
  EXPECT_EQ(with_axes({0}), "OPENVINO-SliceScatter-C3");
  EXPECT_EQ(with_axes({2}), "OPENVINO-SliceScatter-A1");
  EXPECT_EQ(with_axes({1, -1}), "OPENVINO-SliceScatter-A3");
}

TEST(OpenvinoInferScatters, HaveTheShapeOfData) {
  EXPECT_EQ(infer(openvino::ScatterUpdate{}, {"4 N", "2 3", "2 3 ?", ""}, 0), "4 N");
  EXPECT_EQ(infer(openvino::ScatterUpdate{}, {"4 5", "2 3", "2 3 4", ""}, 0),
            "OPENVINO-ScatterUpdate-C2");
  EXPECT_EQ(infer(openvino::ScatterUpdate{}, {"4 5", "2 3", "2 3", ""}),
            "OPENVINO-ScatterUpdate-C2");
  EXPECT_EQ(infer(openvino::ScatterElementsUpdate{}, {"4 5", "9 5", "9 5", ""}, 0), "4 5");
  EXPECT_EQ(infer(openvino::ScatterElementsUpdate{}, {"4 5", "9 5", "9 5", ""}, 1),
            "OPENVINO-ScatterElementsUpdate-C3");
  EXPECT_EQ(infer(openvino::ScatterElementsUpdate{.reduction = "add"}, {"4", "4", "4", ""}),
            "OPENVINO-ScatterElementsUpdate-A3");
  EXPECT_EQ(infer(openvino::ScatterNDUpdate{}, {"4 5", "3 1", "3 5"}), "4 5");
  EXPECT_EQ(infer(openvino::ScatterNDUpdate{}, {"4 5", "2", "1 1 1"}), "4 5");
  EXPECT_EQ(infer(openvino::ScatterNDUpdate{}, {"4 5", "3 1", "3 4"}),
            "OPENVINO-ScatterNDUpdate-C3");
  EXPECT_EQ(infer(openvino::ScatterNDUpdate{.reduction = "mean"}, {"4 5", "3 1", "3 5"}),
            "OPENVINO-ScatterNDUpdate-A3");
}

}  // namespace
}  // namespace windrow::internal
