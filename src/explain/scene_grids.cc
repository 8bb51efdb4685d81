#include "src/explain/scene_grids.h"

#include <algorithm>
#include <utility>

#include "src/explain/to_text.h"
#include "src/reference/element.h"

namespace windrow::internal {
namespace {

// The number of points that are considered, so that the scene of an explanation with a million
// points is made quickly.
constexpr std::size_t kMostPoints = 1024;

// The positions of a point's cells, by grid.
std::map<std::size_t, std::vector<Dims>> places_of(const PlacedPoint& point) {
  std::map<std::size_t, std::vector<Dims>> places;
  for (const Place& place : point.read) places[place.grid].push_back(place.position);
  for (const std::optional<Place>& place : {point.source, point.target, point.start})
    if (place) places[place->grid].push_back(place->position);
  return places;
}

void add_slice(const Dims& outer, SceneGrid& grid) {
  SceneSlice slice;
  if (grid.rank > 2) {
    slice.caption = grid.name + "[";
    for (const std::int64_t at : outer) slice.caption += std::to_string(at) + ", ";
    slice.caption += ":, :]";
  }
  slice.cells.resize(grid.rows.size() * grid.columns.size());
  grid.slices.push_back(std::move(slice));
  grid.outer.push_back(outer);
}

}  // namespace

SceneGrids::SceneGrids(const Explanation& explanation) : explanation_(explanation) {
  add_grids();
  crop();
  make_cells();
}

const ExplainedTensor& SceneGrids::input(int number) const {
  return explanation_.inputs[static_cast<std::size_t>(number)];
}

const ExplainedTensor& SceneGrids::data() const {
  const ExplainedTensor& counted = explanation_.counted_data;
  return counted.dtype != DType::kAbsent ? counted : input(explanation_.indirect_input);
}

std::size_t SceneGrids::point_count() const {
  return explanation_.scatter ? explanation_.writes.size() : explanation_.walks.size();
}

const ExplainedPoint& SceneGrids::point(std::size_t i) const {
  return explanation_.scatter ? explanation_.writes[i].point : explanation_.walks[i];
}

// Whether points read indices from the tensor, or would if its elements were known.
bool SceneGrids::is_index_tensor(int number) const {
  for (std::size_t i = 0; i < std::min<std::size_t>(point_count(), 1); ++i)
    for (const ExplainedCoordinate& coordinate : point(i).coordinates)
      for (const IndexRead& read : coordinate.indices)
        if (read.input == number) return true;
  for (const ExplainedAxis& axis : explanation_.axes)
    for (const TensorAxis& walk : axis.walks)
      if (walk.tensor == input(number).name) return true;
  return false;
}

void SceneGrids::add_grid(SceneRole role, const ExplainedTensor& tensor) {
  SceneGrid grid;
  grid.role = role;
  grid.name = tensor.name;
  grid.type = type_text(tensor);
  grid.rank = tensor.shape.rank();
  grids_.push_back(std::move(grid));
  tensors_.push_back(&tensor);
  crops_.emplace_back(tensor.shape);
}

void SceneGrids::add_grids() {
  for (int i = 0; i < static_cast<int>(explanation_.inputs.size()); ++i) {
    if (i == explanation_.indirect_input || i == explanation_.updates_input || !is_index_tensor(i))
      continue;
    index_grids_[i] = grids_.size();
    add_grid(SceneRole::kIndices, input(i));
  }
  const int updates = explanation_.updates_input;
  const int data = explanation_.indirect_input;
  if (updates >= 0) {
    updates_grid_ = grids_.size();
    add_grid(SceneRole::kUpdates, input(updates));
  }
  const bool starts_as_data =
      data >= 0 && data != updates && input(data).shape == explanation_.output.shape;
  if (data >= 0 && (!explanation_.scatter || starts_as_data)) {
    data_grid_ = grids_.size();
    add_grid(SceneRole::kData, this->data());
  }
  output_grid_ = grids_.size();
  add_grid(SceneRole::kOutput, explanation_.output);
}

PlacedPoint SceneGrids::placed(std::size_t i) const {
  PlacedPoint placed;
  placed.point = &point(i);
  const ExplainedPoint& at = *placed.point;
  for (const ExplainedCoordinate& coordinate : at.coordinates)
    for (const IndexRead& read : coordinate.indices)
      if (const auto grid = index_grids_.find(read.input); grid != index_grids_.end())
        placed.read.push_back({grid->second, read.position});
  if (explanation_.scatter) {
    placed.write = &explanation_.writes[i];
    placed.source = Place{updates_grid_, at.direct};
    if (at.cell) placed.target = Place{output_grid_, *at.cell};
    if (at.cell && data_grid_) placed.start = Place{*data_grid_, *at.cell};
  } else {
    placed.target = Place{output_grid_, at.direct};
    if (at.cell) placed.source = Place{*data_grid_, *at.cell};
  }
  return placed;
}

// Chooses the points whose cells all fit, and the positions that are shown.
void SceneGrids::crop() {
  for (std::size_t i = 0; i < std::min(point_count(), kMostPoints); ++i) {
    PlacedPoint point = placed(i);
    const auto places = places_of(point);
    const bool fits = std::all_of(places.begin(), places.end(), [&](const auto& of_grid) {
      return crops_[of_grid.first].takes(of_grid.second);
    });
    if (!fits) continue;
    for (const auto& [grid, positions] : places) crops_[grid].add(positions);
    points_.push_back(std::move(point));
  }
  for (Crop& crop : crops_) crop.fill();
}

void SceneGrids::make_cells() {
  int next = 0;
  for (std::size_t g = 0; g < grids_.size(); ++g) {
    SceneGrid& grid = grids_[g];
    const Crop& crop = crops_[g];
    grid.rows.assign(crop.rows().begin(), crop.rows().end());
    grid.columns.assign(crop.columns().begin(), crop.columns().end());
    grid.row_extent = crop.row_extent();
    grid.column_extent = crop.column_extent();
    grid.left_out = crop.left_out();
    grid.first_cell = next;
    for (const std::int64_t number : crop.slices()) add_slice(crop.outer_position(number), grid);
    const std::size_t cells = grid.rows.size() * grid.columns.size();
    next += static_cast<int>(cells * grid.slices.size());
  }
}

int SceneGrids::number_of(const Place& place) const {
  const SceneGrid& grid = grids_[place.grid];
  const Dims& position = place.position;
  const auto find = [](const auto& shown, const auto& wanted) {
    return static_cast<std::size_t>(std::find(shown.begin(), shown.end(), wanted) - shown.begin());
  };
  const int rank = position.rank();
  const Dims outer = reference::slice(position, 0, std::max(rank - 2, 0));
  const std::size_t slice = find(grid.outer, outer);
  const std::size_t row = rank < 2 ? 0 : find(grid.rows, position[rank - 2]);
  const std::size_t column = rank < 1 ? 0 : find(grid.columns, position.back());
  return grid.first_cell +
         static_cast<int>((slice * grid.rows.size() + row) * grid.columns.size() + column);
}

SceneCell& SceneGrids::cell(const Place& place) {
  SceneGrid& grid = grids_[place.grid];
  const auto at = static_cast<std::size_t>(number_of(place) - grid.first_cell);
  const std::size_t in_slice = grid.rows.size() * grid.columns.size();
  return grid.slices[at / in_slice].cells[at % in_slice];
}

}  // namespace windrow::internal
