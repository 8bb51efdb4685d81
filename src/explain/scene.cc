#include "src/explain/scene.h"

#include <algorithm>
#include <map>
#include <utility>

#include "src/explain/point_text.h"
#include "src/explain/scene_grids.h"
#include "src/explain/scene_text.h"
#include "src/reference/positions.h"
#include "windrow/counted.h"

namespace windrow::internal {
namespace {

class SceneBuilder {
 public:
  explicit SceneBuilder(const Explanation& explanation)
      : explanation_(explanation), grids_(explanation) {
    scene_.title = explanation.operator_name;
    scene_.equation = explanation.equation;
    scene_.scatter = explanation.scatter;
  }

  Scene build() {
    for (const PlacedPoint& point : grids_.points()) add_point(point);
    finish_texts();
    scene_.grids = std::move(grids_.grids());
    add_heading();
    add_notes();
    for (const SceneGrid& grid : scene_.grids)
      for (const SceneSlice& slice : grid.slices)
        for (const SceneCell& cell : slice.cells) note(cell);
    return std::move(scene_);
  }

 private:
  // Points that read the same index elements form a group; if they read none, points of the same
  // source do.
  int group_of(const PlacedPoint& point) {
    std::vector<int> key;
    for (const Place& place : point.read) key.push_back(grids_.number_of(place));
    if (key.empty() && point.source) key.push_back(grids_.number_of(*point.source));
    return groups_.emplace(key, static_cast<int>(groups_.size())).first->second;
  }

  static void join(int group, SceneCell& cell) {
    const auto at = std::lower_bound(cell.groups.begin(), cell.groups.end(), group);
    if (at != cell.groups.end() && *at == group) return;
    if (cell.groups.size() < kMostGroups)
      cell.groups.insert(at, group);
    else
      cell.more_groups = true;
  }

  int join_place(int group, const std::optional<Place>& place) {
    if (!place) return -1;
    join(group, grids_.cell(*place));
    return grids_.number_of(*place);
  }

  void mark_indices(const PlacedPoint& placed) {
    std::size_t next = 0;
    for (const ExplainedCoordinate& coordinate : placed.point->coordinates) {
      for (const IndexRead& read : coordinate.indices) {
        SceneCell& cell = grids_.cell(placed.read[next++]);
        cell.text = shortened(read.stored);
        cell.marks.negative = cell.marks.negative || read.negative;
        if (coordinate.placing != Placing::kInside || !read.legal) cell.marks.out_of_range = true;
      }
    }
  }

  void mark_point(const PlacedPoint& placed) {
    mark_indices(placed);
    const auto& coordinates = placed.point->coordinates;
    const bool outside = std::any_of(coordinates.begin(), coordinates.end(),
                                     [](const ExplainedCoordinate& coordinate) {
                                       return coordinate.placing != Placing::kInside;
                                     });
    const std::optional<Place>& direct = explanation_.scatter ? placed.source : placed.target;
    if (outside) grids_.cell(*direct).marks.out_of_range = true;
    if (placed.write == nullptr || (!placed.write->earlier && !placed.write->later)) return;
    grids_.cell(*placed.source).marks.duplicate = true;
    grids_.cell(*placed.target).marks.duplicate = true;
  }

  void add_point(const PlacedPoint& placed) {
    ScenePoint point;
    point.number = placed.point->number;
    point.group = group_of(placed);
    point.formula = placed.write != nullptr ? write_text(explanation_, *placed.write)
                                            : walk_text(explanation_, *placed.point);
    for (const Place& place : placed.read) {
      join(point.group, grids_.cell(place));
      point.read.push_back(grids_.number_of(place));
    }
    point.source = join_place(point.group, placed.source);
    point.target = join_place(point.group, placed.target);
    mark_point(placed);
    const std::string value = shortened(placed.point->value);
    if (placed.source) grids_.cell(*placed.source).text = value;
    if (placed.write != nullptr) {
      point.before = shortened(placed.write->before);
      point.after = shortened(placed.write->after);
    } else {
      grids_.cell(*placed.target).text = value;
    }
    scene_.points.push_back(std::move(point));
  }

  // Sets the texts of the cells that no point has set.
  void finish_texts() {
    for (const ExplainedCell& written : explanation_.cells) {
      const Place place{grids_.output(), written.cell};
      if (grids_.shows(place)) grids_.cell(place).text = shortened(written.result);
    }
    for (std::size_t g = 0; g < grids_.grids().size(); ++g) {
      SceneGrid& grid = grids_.grids()[g];
      const ExplainedTensor& tensor = *grids_.tensors()[g];
      const std::vector<std::string>& values = tensor.values;
      if (values.empty()) continue;
      for (std::size_t s = 0; s < grid.slices.size(); ++s)
        for (std::size_t c = 0; c < grid.slices[s].cells.size(); ++c) {
          const std::int64_t flat = reference::flat_index(tensor.shape, cell_position(grid, s, c));
          grid.slices[s].cells[c].text = shortened(values[static_cast<std::size_t>(flat)]);
        }
    }
  }

  // Names the attributes and the inputs that have no grid.
  void add_heading() {
    const auto add = [&](const std::string& text) {
      scene_.heading += (scene_.heading.empty() ? "" : ", ") + text;
    };
    for (const auto& [name, value] : explanation_.attributes) add(attribute_text(name, value));
    for (const ExplainedTensor& tensor : explanation_.inputs) {
      const auto& drawn = grids_.tensors();
      const bool has_grid = std::find(drawn.begin(), drawn.end(), &tensor) != drawn.end();
      if (has_grid || tensor.dtype == DType::kAbsent) continue;
      if (tensor.values.size() == 1)
        add(tensor.name + "=" + tensor.values.front());
      else
        add(tensor.name + " " + type_text(tensor));
    }
  }

  void add_notes() {
    const std::string what = explanation_.scatter ? "update" : "element";
    const std::size_t drawn = scene_.points.size();
    if (static_cast<std::int64_t>(drawn) < explanation_.points)
      scene_.notes.push_back("The picture follows " + std::to_string(drawn) + " of " +
                             counted(explanation_.points, what) + ".");
    if (explanation_.scatter && explanation_.searched < explanation_.points)
      scene_.notes.push_back("Collisions are known among the first " +
                             std::to_string(explanation_.searched) + " updates only.");
    if (!explanation_.failure.empty())
      scene_.notes.push_back("The call fails: " + explanation_.failure + ".");
  }

  void note(const SceneCell& cell) {
    scene_.has_groups = scene_.has_groups || !cell.groups.empty();
    scene_.marks.negative = scene_.marks.negative || cell.marks.negative;
    scene_.marks.out_of_range = scene_.marks.out_of_range || cell.marks.out_of_range;
    scene_.marks.duplicate = scene_.marks.duplicate || cell.marks.duplicate;
  }

  const Explanation& explanation_;
  SceneGrids grids_;
  Scene scene_;
  std::map<std::vector<int>, int> groups_;  // by the numbers of the index cells
};

}  // namespace

Scene make_scene(const Explanation& explanation) { return SceneBuilder(explanation).build(); }

}  // namespace windrow::internal
