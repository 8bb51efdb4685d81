#include "src/explain/scene.h"

#include <algorithm>
#include <map>
#include <utility>

#include "src/explain/explain_point.h"
#include "src/explain/scene_grids.h"
#include "src/explain/to_text.h"
#include "src/reference/element.h"
#include "windrow/counted.h"

namespace windrow::internal {
namespace {

using Positions = std::set<std::int64_t>;

// Row and column of a position.
std::int64_t row_of(const Dims& position) {
  return position.rank() < 2 ? 0 : position[position.rank() - 2];
}
std::int64_t column_of(const Dims& position) { return position.empty() ? 0 : position.back(); }

// Adds positions below `extent` until there are `most`: all positions of a short axis, else the
// neighbours of the chosen positions, else the first positions.
void fill_axis(std::int64_t extent, std::size_t most, Positions& positions) {
  if (extent <= static_cast<std::int64_t>(most) || positions.empty()) {
    for (std::int64_t at = 0; at < extent && positions.size() < most; ++at) positions.insert(at);
    return;
  }
  const Positions chosen = positions;
  for (const std::int64_t step : {1, -1})
    for (const std::int64_t at : chosen)
      if (at + step >= 0 && at + step < extent && positions.size() < most)
        positions.insert(at + step);
}

// The first few ranges of the positions below `extent` that are missing: "3..7, 9".
std::string missing_ranges(std::int64_t extent, const Positions& positions) {
  constexpr int kMostRanges = 3;
  std::string text;
  int ranges = 0;
  std::int64_t next = 0;
  const auto add_gap = [&](std::int64_t end) {
    if (next >= end) return;
    if (++ranges <= kMostRanges) {
      text += (text.empty() ? "" : ", ") + std::to_string(next);
      if (end - next > 1) text += ".." + std::to_string(end - 1);
    }
  };
  for (const std::int64_t at : positions) {
    add_gap(at);
    next = at + 1;
  }
  add_gap(extent);
  return ranges > kMostRanges ? text + " and others" : text;
}

std::string missing_sentence(const std::string& one, std::int64_t extent,
                             const Positions& positions) {
  const std::int64_t missing = extent - std::ssize(positions);
  if (missing <= 0) return {};
  return one + (missing == 1 ? " " : "s ") + missing_ranges(extent, positions) +
         (missing == 1 ? " is" : " are") + " not shown. ";
}

}  // namespace

Crop::Crop(const Shape& shape)
    : outer_(reference::slice(shape, 0, std::max(shape.rank() - 2, 0))), rank_(shape.rank()) {
  if (rank_ >= 2) row_extent_ = shape[rank_ - 2];
  if (rank_ >= 1) column_extent_ = shape.back();
  slice_count_ = element_count(outer_).value_or(0);
}

std::int64_t Crop::slice_of(const Dims& position) const {
  return reference::flat_index(outer_, position);
}

Dims Crop::outer_position(std::int64_t slice) const {
  return reference::position_of(outer_, slice);
}

bool Crop::takes(const std::vector<Dims>& positions) const {
  Crop with = *this;
  with.add(positions);
  return with.rows_.size() <= kMostPositions && with.columns_.size() <= kMostPositions &&
         with.slices_.size() <= kMostSlices;
}

void Crop::add(const std::vector<Dims>& positions) {
  for (const Dims& position : positions) {
    rows_.insert(row_of(position));
    columns_.insert(column_of(position));
    slices_.insert(slice_of(position));
  }
}

bool Crop::shows(const Dims& position) const {
  return rows_.contains(row_of(position)) && columns_.contains(column_of(position)) &&
         slices_.contains(slice_of(position));
}

void Crop::fill() {
  fill_axis(row_extent_, kMostPositions, rows_);
  fill_axis(column_extent_, kMostPositions, columns_);
  if (slice_count_ <= static_cast<std::int64_t>(kMostSlices) || slices_.empty())
    fill_axis(slice_count_, kMostSlices, slices_);
}

std::string Crop::left_out() const {
  std::string text = missing_sentence("Row", row_extent_, rows_) +
                     missing_sentence(rank_ < 2 ? "Position" : "Column", column_extent_, columns_);
  const std::int64_t slices = slice_count_ - std::ssize(slices_);
  if (slices > 0)
    text += std::to_string(slices) + " of " + std::to_string(slice_count_) +
            (slices == 1 ? " slices is" : " slices are") + " not shown. ";
  if (!text.empty()) text.pop_back();
  return text;
}

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
        cell.marks.padding = cell.marks.padding || read.padding;
        if (read.padding) continue;
        cell.marks.negative = cell.marks.negative || read.negative;
        if (coordinate.placing != Placing::kInside || !read.legal) cell.marks.out_of_range = true;
      }
    }
  }

  void mark_point(const PlacedPoint& placed) {
    mark_indices(placed);
    const auto& coordinates = placed.point->coordinates;
    const bool padded =
        std::any_of(coordinates.begin(), coordinates.end(), [](const auto& coordinate) {
          return !coordinate.indices.empty() && coordinate.indices.front().padding;
        });
    const bool outside = std::any_of(coordinates.begin(), coordinates.end(),
                                     [](const ExplainedCoordinate& coordinate) {
                                       return coordinate.placing != Placing::kInside;
                                     });
    const std::optional<Place>& direct = explanation_.scatter ? placed.source : placed.target;
    if (padded)
      grids_.cell(*direct).marks.padding = true;
    else if (outside)
      grids_.cell(*direct).marks.out_of_range = true;
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
    if (placed.source)
      grids_.cell(*placed.source).text =
          placed.point->code.empty() ? value : shortened(placed.point->code);
    if (placed.write != nullptr) {
      point.before = shortened(placed.write->before);
      point.after = shortened(placed.write->after);
    } else if (!explanation_.folds) {
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
    scene_.marks.padding = scene_.marks.padding || cell.marks.padding;
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
