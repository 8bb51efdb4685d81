#include "src/explain/scene.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "src/explain/to_html.h"
#include "src/explain/to_text.h"

namespace windrow::internal {
namespace {

Tensor counted_floats(const Shape& shape) {
  Tensor tensor = Tensor::zeros(DType::kFloat32, shape).value();
  for (std::int64_t i = 0; i < tensor.element_count(); ++i)
    static_cast<float*>(tensor.data())[i] = static_cast<float>(i);
  return tensor;
}

Explanation gather_nd() {
  const Tensor data = counted_floats({3, 4, 2});
  const Tensor indices = Tensor::of<std::int64_t>({2, 2}, {0, 1, 2, -1});
  const std::array<TensorView, 2> inputs = {data, indices};
  return explain({"onnx", "GatherND", {}}, {}, inputs).value();
}

Explanation scatter_nd() {
  const Tensor data = counted_floats({5});
  const Tensor indices = Tensor::of<std::int64_t>({3, 1}, {1, -2, 1});
  const Tensor updates = Tensor::of<float>({3}, {7, 8, 9});
  const std::array<TensorView, 3> inputs = {data, indices, updates};
  return explain({"onnx", "ScatterND", {}}, {}, inputs).value();
}

// The cell with a number in the scene, and its grid.
const SceneCell& cell_of(const Scene& scene, int number) {
  for (const SceneGrid& grid : scene.grids) {
    const auto in_slice = static_cast<int>(grid.rows.size() * grid.columns.size());
    const int at = number - grid.first_cell;
    if (at >= 0 && at < in_slice * static_cast<int>(grid.slices.size()))
      return grid.slices[static_cast<std::size_t>(at / in_slice)]
          .cells[static_cast<std::size_t>(at % in_slice)];
  }
  ADD_FAILURE() << "no cell " << number;
  static const SceneCell none;
  return none;
}

// The texts of a grid's cells, slice by slice.
std::vector<std::string> texts_of(const SceneGrid& grid) {
  std::vector<std::string> texts;
  for (const SceneSlice& slice : grid.slices)
    for (const SceneCell& cell : slice.cells) texts.push_back(cell.text);
  return texts;
}

TEST(Scene, ATableOfHalfBytesIsDrawnValueByValue) {
  const Tensor data = Tensor::of<std::uint8_t>({2, 2}, {0x21, 0x43, 0xA5, 0x07});
  const Tensor indices = Tensor::of<std::int64_t>({1}, {1});
  const Tensor scales = Tensor::of<float>({2, 1}, {1, 2});
  const std::vector<TensorView> inputs = {data, indices, scales};
  const Attributes attributes = {{"bits", std::int64_t{4}}};
  const Scene scene =
      make_scene(explain({"array", "TakeQuantized", {}}, attributes, inputs).value());
  ASSERT_EQ(scene.grids.size(), 3U);
  EXPECT_EQ(scene.grids[1].type, "uint8 [2, 4]");
  EXPECT_EQ(texts_of(scene.grids[1]),
            (std::vector<std::string>{"1", "2", "3", "4", "5", "10", "7", "0"}));
  EXPECT_EQ(texts_of(scene.grids[2]), (std::vector<std::string>{"-6", "4", "-2", "-16"}));
}

TEST(Scene, AGatherHasIndicesDataAndOutput) {
  const Scene scene = make_scene(gather_nd());
  ASSERT_EQ(scene.grids.size(), 3u);
  EXPECT_EQ(scene.grids[0].role, SceneRole::kIndices);
  EXPECT_EQ(scene.grids[1].role, SceneRole::kData);
  EXPECT_EQ(scene.grids[1].slices.size(), 3u);
  EXPECT_EQ(scene.grids[1].slices[2].caption, "data[2, :, :]");
  EXPECT_EQ(scene.grids[2].role, SceneRole::kOutput);
  EXPECT_TRUE(scene.notes.empty());
}

TEST(Scene, IndexSourceAndTargetOfAPointShareAGroup) {
  const Scene scene = make_scene(gather_nd());
  ASSERT_EQ(scene.points.size(), 4u);
  const ScenePoint& point = scene.points[2];
  EXPECT_EQ(group_letters(point.group), "b");
  ASSERT_EQ(point.read.size(), 2u);
  for (const int cell : {point.read[0], point.read[1], point.source, point.target})
    EXPECT_EQ(cell_of(scene, cell).groups, std::vector<int>{point.group});
  EXPECT_EQ(cell_of(scene, point.source).text, "22");
  EXPECT_EQ(cell_of(scene, point.target).text, "22");
  EXPECT_TRUE(cell_of(scene, point.read[1]).marks.negative);
  EXPECT_FALSE(cell_of(scene, point.read[0]).marks.negative);
}

TEST(Scene, AScatterMarksCellsThatAreWrittenTwice) {
  const Scene scene = make_scene(scatter_nd());
  ASSERT_EQ(scene.points.size(), 3u);
  EXPECT_EQ(scene.points[0].before, "1");
  EXPECT_EQ(scene.points[0].after, "7");
  EXPECT_EQ(scene.points[2].before, "7");
  const SceneCell& target = cell_of(scene, scene.points[0].target);
  EXPECT_EQ(target.text, "9");
  EXPECT_EQ(letters_of(target), "a c");
  EXPECT_TRUE(target.marks.duplicate);
  EXPECT_FALSE(cell_of(scene, scene.points[1].target).marks.duplicate);
}

TEST(Scene, ALargeTensorIsCroppedAroundThePoints) {
  const TensorView data(DType::kFloat32, {1000000, 512}, nullptr);
  const Tensor indices = Tensor::of<std::int64_t>({3}, {999997, 3, -500000});
  const std::array<TensorView, 2> inputs = {data, indices};
  ExplainOptions options;
  options.corner = true;
  const Scene scene = make_scene(explain({"onnx", "Gather", {}}, {}, inputs, {}, options).value());
  const SceneGrid& grid = scene.grids[1];
  const std::vector<std::int64_t> rows = {2, 3, 4, 499999, 500000, 500001, 999996, 999997, 999998};
  EXPECT_EQ(grid.rows, rows);
  EXPECT_EQ(grid.columns.size(), kMostPositions);
  EXPECT_EQ(grid.left_out,
            "Rows 0..1, 5..499998, 500002..999995 and others are not shown. Columns 12..511 are "
            "not shown.");
  EXPECT_EQ(scene.points.size(), 36u);
  ASSERT_EQ(scene.notes.size(), 1u);
  EXPECT_EQ(scene.notes[0], "The picture follows 36 of 1536 elements.");
}

TEST(Scene, ManyAxesAndManyPointsKeepItSmall) {
  const Tensor data = counted_floats({7, 6, 5, 4, 3});
  const Tensor indices = Tensor::zeros(DType::kInt64, {100}).value();
  const std::array<TensorView, 2> inputs = {data, indices};
  ExplainOptions options;
  options.most_points = 1 << 20;
  const Scene scene = make_scene(explain({"onnx", "Gather", {}}, {}, inputs, {}, options).value());
  for (const SceneGrid& grid : scene.grids) {
    EXPECT_LE(grid.slices.size(), kMostSlices);
    EXPECT_LE(grid.rows.size(), kMostPositions);
    EXPECT_LE(grid.columns.size(), kMostPositions);
  }
  EXPECT_FALSE(scene.points.empty());
}

TEST(Scene, AnIllegalIndexIsMarkedAndSaid) {
  const Tensor data = counted_floats({4});
  const Tensor indices = Tensor::of<std::int64_t>({1}, {7});
  const std::array<TensorView, 2> inputs = {data, indices};
  const Scene scene = make_scene(explain({"onnx", "Gather", {}}, {}, inputs).value());
  ASSERT_EQ(scene.points.size(), 1u);
  EXPECT_EQ(scene.points[0].source, -1);
  EXPECT_TRUE(cell_of(scene, scene.points[0].read[0]).marks.out_of_range);
  EXPECT_TRUE(cell_of(scene, scene.points[0].target).marks.out_of_range);
  EXPECT_EQ(scene.notes.back(),
            "The call fails: indices[0] is 7, which must lie in -4 to 3 for axis 0 of data (extent "
            "4).");
}

TEST(Scene, WithoutIndexValuesItHasGridsAndNoPoints) {
  const std::array<TensorView, 2> inputs = {TensorView(DType::kFloat32, {4, 3}, nullptr),
                                            TensorView(DType::kInt64, {2}, nullptr)};
  const Scene scene = make_scene(explain({"onnx", "Gather", {}}, {}, inputs).value());
  EXPECT_EQ(scene.grids.size(), 3u);
  EXPECT_TRUE(scene.points.empty());
  EXPECT_FALSE(scene.has_groups);
}

TEST(Scene, TensorsWithoutElementsAndScalarsHaveGrids) {
  const Tensor data = counted_floats({4});
  const Tensor scalar = Tensor::of<std::int64_t>({}, {2});
  const Tensor none = Tensor::zeros(DType::kInt64, {0, 3}).value();
  for (const Tensor* indices : {&scalar, &none}) {
    const std::array<TensorView, 2> inputs = {data, *indices};
    const Explanation explanation = explain({"onnx", "Gather", {}}, {}, inputs).value();
    const Scene scene = make_scene(explanation);
    EXPECT_EQ(scene.points.size(), indices == &scalar ? 1u : 0u);
    EXPECT_NE(to_svg(explanation).find("</svg>"), std::string::npos);
    EXPECT_NE(to_html(explanation).find("</html>"), std::string::npos);
    EXPECT_FALSE(to_terminal(explanation).empty());
  }
}

TEST(Pictures, ForeignTextIsEscaped) {
  std::array<std::string, 1> text = {"</td><script>\"&"};
  const TensorView data(DType::kString, {1}, text.data());
  const Tensor indices = Tensor::of<std::int64_t>({1}, {0});
  const std::array<TensorView, 2> inputs = {data, indices};
  const Explanation explanation = explain({"onnx", "Gather", {}}, {}, inputs).value();
  EXPECT_EQ(to_svg(explanation).find("</td>"), std::string::npos);
  const std::string html = to_html(explanation);
  EXPECT_NE(html.find("&quot;&lt;/td&gt;&lt;s…"), std::string::npos);
  EXPECT_NE(html.find("&lt;script&gt;"), std::string::npos);
}

TEST(Pictures, ATerminalsLinesFitItsWidthAndHaveColoursWhenAsked) {
  const Explanation explanation = gather_nd();
  const std::string text = to_terminal(explanation, {30, false});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  std::size_t from = 0;
  for (std::size_t end = 0; (end = text.find('\n', from)) != std::string::npos; from = end + 1)
    EXPECT_LE(character_count(text.substr(from, end - from)), 30u);
  EXPECT_NE(text.find("1:     b 2 b -1 <"), std::string::npos) << text;
  EXPECT_NE(to_terminal(explanation, {80, true}).find("\x1b[48;5;117"), std::string::npos);
}

TEST(Pictures, LettersGoOnAfterZ) {
  EXPECT_EQ(group_letters(0), "a");
  EXPECT_EQ(group_letters(25), "z");
  EXPECT_EQ(group_letters(26), "aa");
  EXPECT_EQ(group_letters(27), "ab");
  EXPECT_EQ(group_letters(702), "aaa");
}

TEST(Crop, SaysWhichPositionsAreMissing) {
  Crop crop({5, 30});
  crop.add({{2, 20}});
  EXPECT_TRUE(crop.takes({{3, 21}}));
  crop.fill();
  EXPECT_EQ(crop.rows().size(), 5u);
  EXPECT_EQ(crop.left_out(), "Columns 0..18, 22..29 are not shown.");
  EXPECT_TRUE(crop.shows({4, 19}));
  EXPECT_FALSE(crop.shows({4, 22}));
}

TEST(Markup, LinesAreWrappedAtBlanks) {
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("unbreakable", 4), std::vector<std::string>{"unbreakable"});
}

}  // namespace
}  // namespace windrow::internal
