#ifndef WINDROW_EXPLAIN_SCENE_H_
#define WINDROW_EXPLAIN_SCENE_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "windrow/explain.h"
#include "windrow/shape.h"

namespace windrow::internal {

// The positions of a tensor that a grid shows: rows and columns along the last two axes, and slices
// along the others. A tensor of rank 1 has one row, and a scalar one row and one column.
class Crop {
 public:
  explicit Crop(const Shape& shape);

  // Whether the grid has room for all of the positions besides those that were added.
  bool takes(const std::vector<Dims>& positions) const;
  void add(const std::vector<Dims>& positions);
  // Whether a position is shown.
  bool shows(const Dims& position) const;
  // Fills the remaining room with neighbours of the added positions, or with the first positions.
  void fill();

  const std::set<std::int64_t>& rows() const noexcept { return rows_; }
  const std::set<std::int64_t>& columns() const noexcept { return columns_; }
  // Row-major numbers of the positions on the axes before the last two.
  const std::set<std::int64_t>& slices() const noexcept { return slices_; }
  std::int64_t row_extent() const noexcept { return row_extent_; }
  std::int64_t column_extent() const noexcept { return column_extent_; }
  Dims outer_position(std::int64_t slice) const;
  // "Rows 3..999997 are not shown."; empty if everything is shown.
  std::string left_out() const;

 private:
  std::int64_t slice_of(const Dims& position) const;

  Shape outer_;
  int rank_;
  std::int64_t row_extent_ = 1;
  std::int64_t column_extent_ = 1;
  std::int64_t slice_count_ = 1;
  std::set<std::int64_t> rows_;
  std::set<std::int64_t> columns_;
  std::set<std::int64_t> slices_;
};

// The content of an explanation's pictures, before any layout. Its size is bounded, however large
// the tensors are.

// The largest numbers of positions along an axis, and of slices of a tensor, that a grid shows.
inline constexpr std::size_t kMostPositions = 12;
inline constexpr std::size_t kMostSlices = 6;
// The largest number of groups that a cell names.
inline constexpr std::size_t kMostGroups = 3;
// The number of colours that the groups take in turn.
inline constexpr int kGroupColours = 7;

enum class SceneRole : std::uint8_t { kIndices, kUpdates, kData, kOutput };

struct SceneMarks {
  bool negative = false;      // an index element below 0 that is not padding
  bool out_of_range = false;  // a policy moved or dropped the point, or it makes the call fail
  bool padding = false;       // the index stands for padding: the point has no cell
  bool duplicate = false;     // another update has the same cell
};

struct SceneCell {
  std::string text;         // the element's, shortened; empty if it is not known
  std::vector<int> groups;  // of the points that read or write it: the first kMostGroups, ascending
  bool more_groups = false;
  SceneMarks marks;
};

// The last two axes of a tensor at one position of the others.
struct SceneSlice {
  std::string caption;           // "data[2, :, :]"; empty for a rank of at most 2
  std::vector<SceneCell> cells;  // of the grid's rows and columns in row-major order
};

// A tensor.
struct SceneGrid {
  SceneRole role = SceneRole::kData;
  std::string name;                   // the specification's
  std::string type;                   // "float32 [3, 4, 2]"
  int rank = 0;                       // below 2, the only row has no label; 0: nor has the column
  std::vector<std::int64_t> rows;     // shown positions on the last axis but one, ascending
  std::vector<std::int64_t> columns;  // shown positions on the last axis, ascending
  std::vector<SceneSlice> slices;
  std::string left_out;     // a sentence about positions that are not shown; empty if all are
  int first_cell = 0;       // the number of the first slice's first cell in the scene
  std::vector<Dims> outer;  // each slice's position on the other axes
  std::int64_t row_extent = 1;
  std::int64_t column_extent = 1;
};

// A point whose cells are all shown. Cells are given by their numbers in the scene.
struct ScenePoint {
  std::int64_t number = 0;  // in row-major order of the direct tensor
  int group = 0;
  std::string formula;    // as in to_text(), one line
  std::vector<int> read;  // cells of index tensors
  int source = -1;        // gather: a cell of data, or negative; scatter: a cell of the updates
  int target = -1;        // a cell of the output; negative if a scatter drops the update
  // Scatter: the target's texts before and after the write; empty if they are not known.
  std::string before;
  std::string after;
};

struct Scene {
  std::string title;     // "onnx.GatherND-13"
  std::string equation;  // as in the explanation
  std::string heading;   // attributes and the inputs that have no grid; may be empty
  bool scatter = false;
  std::vector<SceneGrid> grids;
  std::vector<ScenePoint> points;
  std::vector<std::string> notes;  // sentences: what fails, what is not shown
  SceneMarks marks;                // the marks that some cell has
  bool has_groups = false;
};

Scene make_scene(const Explanation& explanation);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_SCENE_H_
