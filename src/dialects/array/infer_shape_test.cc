#include <gtest/gtest.h>

#include "src/dialects/array/schema.h"
#include "src/dialects/symbolic_test_support.h"

namespace windrow::internal {
namespace {

// The result's shape as words, or the label of the rule that is broken.
template <class Op>
std::string infer(const Op& op, const std::vector<std::string>& inputs) {
  std::vector<SymbolicShape> shapes;
  for (const std::string& input : inputs) shapes.push_back(symbolic(input));
  const Result<SymbolicShape> result = infer_shape(op, std::span<const SymbolicShape>(shapes));
  return result ? to_words(*result) : result.error().constraint();
}

TEST(ArrayInferTake, PutsTheIndicesInPlaceOfTheAxis) {
  EXPECT_EQ(infer(array::Take{.axis = 1}, {"4 N 5", "2 ?"}), "4 2 ? 5");
  EXPECT_EQ(infer(array::Take{.axis = -1}, {"4 N", ""}), "4");
  EXPECT_EQ(infer(array::Take{}, {"N", "M"}), "M");
  EXPECT_EQ(infer(array::Take{}, {"-", "2"}), "-");
  EXPECT_EQ(infer(array::Take{}, {"", "2"}), "ARRAY-Take-C1");
  EXPECT_EQ(infer(array::Take{.axis = 2}, {"4 5", "2"}), "ARRAY-Take-A1");
}

TEST(ArrayInferTakeAlongAxis, BroadcastsOffTheAxis) {
  const array::TakeAlongAxis op{.axis = 1};
  EXPECT_EQ(infer(op, {"1 4 N", "3 ? 1"}), "3 ? N");
  EXPECT_EQ(infer(op, {"N 4 ?", "N 2 5"}), "N 2 5");
  EXPECT_EQ(infer(op, {"N 4", "M 2"}), "? 2");
  EXPECT_EQ(infer(op, {"-", "3 2"}), "-");
  EXPECT_EQ(infer(op, {"2 4", "3 4"}), "ARRAY-TakeAlongAxis-C2");
  EXPECT_EQ(infer(op, {"2 4", "2"}), "ARRAY-TakeAlongAxis-C1");
  EXPECT_EQ(infer(op, {"", "-"}), "ARRAY-TakeAlongAxis-C1");
  EXPECT_EQ(infer(op, {"2", "2"}), "ARRAY-TakeAlongAxis-A1");
}

TEST(ArrayInferPutAlongAxis, HasTheShapeOfData) {
  const array::PutAlongAxis op;
  EXPECT_EQ(infer(op, {"4 N", "4 3", "? 1"}), "4 N");
  EXPECT_EQ(infer(op, {"4 N", "1 3", "1 1 4 3"}), "4 N");
  EXPECT_EQ(infer(op, {"4 N", "-", "2 7"}), "4 N");
  EXPECT_EQ(infer(op, {"4 N", "1 3", "3 3"}), "ARRAY-PutAlongAxis-C3");
  EXPECT_EQ(infer(op, {"4 N", "1 3", "2 1 1"}), "ARRAY-PutAlongAxis-C3");
  EXPECT_EQ(infer(op, {"4 N", "2 3", ""}), "ARRAY-PutAlongAxis-C2");
}

TEST(ArrayInferIndexRows, HaveTheShapeOfData) {
  const array::IndexAdd op{.axis = 1};
  EXPECT_EQ(infer(op, {"4 N", "3", "4 3"}), "4 N");
  EXPECT_EQ(infer(op, {"4 N", "-", "4 ?"}), "4 N");
  EXPECT_EQ(infer(op, {"4 N", "3", "4 2"}), "ARRAY-IndexAdd-C3");
  EXPECT_EQ(infer(op, {"4 N", "3", "5 3"}), "ARRAY-IndexAdd-C3");
  EXPECT_EQ(infer(op, {"4 N", "3", "3"}), "ARRAY-IndexAdd-C3");
  EXPECT_EQ(infer(op, {"4 N", "", "4"}), "ARRAY-IndexAdd-C2");
  EXPECT_EQ(infer(op, {"4", "3", "3"}), "ARRAY-IndexAdd-A1");
  EXPECT_EQ(infer(op, {"", "3", "3"}), "ARRAY-IndexAdd-C1");
  EXPECT_EQ(infer(array::IndexReduce{.reduction = "add"}, {"4", "3", "3"}), "ARRAY-IndexReduce-A3");
  EXPECT_EQ(infer(array::IndexReduce{}, {"4", "3", "2"}), "ARRAY-IndexReduce-C3");
}

TEST(ArrayInferSegmentReduce, HasASegmentForEachRow) {
  const array::SegmentReduce op{.num_segments = 7};
  EXPECT_EQ(infer(op, {"N 4 ?", "?"}), "7 4 ?");
  EXPECT_EQ(infer(op, {"-", "3"}), "-");
  EXPECT_EQ(infer(op, {"", "3"}), "ARRAY-SegmentReduce-C1");
  EXPECT_EQ(infer(op, {"3 4", "2"}), "ARRAY-SegmentReduce-C2");
  EXPECT_EQ(infer(op, {"-", "2 1"}), "ARRAY-SegmentReduce-C2");
  for (const std::string offsets : {"7", "8", "?", "N"})
    EXPECT_EQ(infer(op, {"N 4", "-", offsets}), "7 4") << offsets;
  for (const std::string offsets : {"6", "9", "", "7 1"})
    EXPECT_EQ(infer(op, {"N 4", "-", offsets}), "ARRAY-SegmentReduce-C2") << offsets;
  EXPECT_EQ(infer(array::SegmentReduce{.num_segments = -1}, {"3", "3"}), "ARRAY-SegmentReduce-A4");
  EXPECT_EQ(infer(array::SegmentReduce{.reduction = "sub"}, {"3", "3"}), "ARRAY-SegmentReduce-A3");
}

TEST(ArrayInferEmbeddingBag, HasARowForEachBag) {
  const array::EmbeddingBag op;
  EXPECT_EQ(infer(op, {"N 4 ?", "6", "3"}), "3 4 ?");
  EXPECT_EQ(infer(op, {"N 4", "M 5"}), "M 4");
  EXPECT_EQ(infer(op, {"N 4", "-", "B"}), "B 4");
  EXPECT_EQ(infer(op, {"N 4", "6"}), "? 4");
  EXPECT_EQ(infer(op, {"-", "6", "3"}), "-");
  const array::EmbeddingBag with_end{.include_last_offset = true};
  EXPECT_EQ(infer(with_end, {"N 4", "6", "3"}), "2 4");
  EXPECT_EQ(infer(with_end, {"N 4", "6", "B"}), "? 4");
  EXPECT_EQ(infer(with_end, {"N 4", "6", "0"}), "ARRAY-EmbeddingBag-C3");
  EXPECT_EQ(infer(with_end, {"N 4", "2 3"}), "ARRAY-EmbeddingBag-C3");
  EXPECT_EQ(infer(op, {"", "6", "3"}), "ARRAY-EmbeddingBag-C1");
  EXPECT_EQ(infer(op, {"4", "2 3", "3"}), "ARRAY-EmbeddingBag-C2");
  EXPECT_EQ(infer(op, {"4", "6", "3 1"}), "ARRAY-EmbeddingBag-C2");
  EXPECT_EQ(infer(op, {"4", "6", "3", "5"}), "ARRAY-EmbeddingBag-C4");
  EXPECT_EQ(infer(array::EmbeddingBag{.reduction = "min"}, {"4", "6", "3"}),
            "ARRAY-EmbeddingBag-A3");
  EXPECT_EQ(infer(array::EmbeddingBag{.accumulate = "half"}, {"4", "6", "3"}),
            "ARRAY-EmbeddingBag-A4");
  EXPECT_EQ(infer(array::EmbeddingBag{.reduction = "max"}, {"4", "6", "3", "6"}),
            "ARRAY-EmbeddingBag-A5");
}

}  // namespace
}  // namespace windrow::internal
