#ifndef WINDROW_EXPLAIN_SCENE_H_
#define WINDROW_EXPLAIN_SCENE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "windrow/explain.h"

// What the pictures of an explanation show, before any layout. Its size is bounded, whatever the
// tensors' sizes are.
namespace windrow::internal {

// Positions along an axis that a grid shows at most, and slices of a tensor.
inline constexpr std::size_t kMostPositions = 12;
inline constexpr std::size_t kMostSlices = 6;
// Groups that a cell names at most.
inline constexpr std::size_t kMostGroups = 3;
// Colours that the groups take in turn.
inline constexpr int kGroupColours = 7;

enum class SceneRole : std::uint8_t { kIndices, kUpdates, kData, kOutput };

struct SceneMarks {
  bool negative = false;      // an index element below 0
  bool out_of_range = false;  // a policy moved or dropped the point, or it fails the call
  bool duplicate = false;     // another update has the same cell
};

struct SceneCell {
  std::string text;         // of the element, short; empty: not known
  std::vector<int> groups;  // of the points that read or write it, ascending, the first kMostGroups
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
  std::string name;                // the specification's
  std::string type;                // "float32 [3, 4, 2]"
  int rank = 0;                    // below 2 the one row has no position, and of 0 no column has
  std::vector<std::int64_t> rows;  // positions on the last axis but one that are shown, ascending
  std::vector<std::int64_t> columns;  // and on the last axis
  std::vector<SceneSlice> slices;
  std::string left_out;     // a sentence about positions that are not shown; empty: all are
  int first_cell = 0;       // the number of the first slice's first cell in the scene
  std::vector<Dims> outer;  // each slice's position on the other axes
  std::int64_t row_extent = 1;
  std::int64_t column_extent = 1;
};

// A point all of whose cells are shown. Cells are numbers in the scene.
struct ScenePoint {
  std::int64_t number = 0;  // in row-major order of the direct tensor
  int group = 0;
  std::string formula;    // as in to_text(), one line
  std::vector<int> read;  // cells of index tensors
  int source = -1;        // gather: of data, negative: none; scatter: of the updates
  int target = -1;        // gather: of the output; scatter: the same, negative: none
  // Of a scatter: the target's texts before and after the write; empty: not known.
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
  SceneMarks marks;                // those that occur
  bool has_groups = false;
};

Scene make_scene(const Explanation& explanation);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_SCENE_H_
