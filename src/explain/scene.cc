#include "src/explain/scene.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "src/explain/crop.h"
#include "src/explain/point_text.h"
#include "src/explain/scene_text.h"
#include "src/reference/positions.h"

namespace windrow::internal {
namespace {

// Points that are looked at, so that a scene of an explanation of a million is made quickly.
constexpr std::size_t kMostPoints = 1024;

// An element of a tensor's place in the scene's grids.
struct Place {
  std::size_t grid;
  Dims position;
};

// A point with the places of its cells.
struct PlacedPoint {
  const ExplainedPoint* point = nullptr;
  const ExplainedWrite* write = nullptr;  // of a scatter
  std::vector<Place> read;
  std::optional<Place> source;
  std::optional<Place> target;
  std::optional<Place> start;  // the cell of data that a scatter's target starts as
};

class SceneBuilder {
 public:
  explicit SceneBuilder(const Explanation& explanation) : explanation_(explanation) {
    scene_.title = explanation.operator_name;
    scene_.equation = explanation.equation;
    scene_.scatter = explanation.scatter;
  }

  Scene build() {
    add_grids();
    crop();
    make_cells();
    for (const PlacedPoint& point : points_) add_point(point);
    finish_texts();
    add_heading();
    add_notes();
    for (const SceneGrid& grid : scene_.grids)
      for (const SceneSlice& slice : grid.slices)
        for (const SceneCell& cell : slice.cells) note(cell);
    return std::move(scene_);
  }

 private:
  const ExplainedTensor& input(int number) const {
    return explanation_.inputs[static_cast<std::size_t>(number)];
  }

  std::size_t shown() const {
    return explanation_.scatter ? explanation_.writes.size() : explanation_.walks.size();
  }

  const ExplainedPoint& point(std::size_t i) const {
    return explanation_.scatter ? explanation_.writes[i].point : explanation_.walks[i];
  }

  // Whether the tensor is read by points, or would be if its elements were known.
  bool is_index_tensor(int number) const {
    for (std::size_t i = 0; i < std::min<std::size_t>(shown(), 1); ++i)
      for (const ExplainedCoordinate& coordinate : point(i).coordinates)
        for (const IndexRead& read : coordinate.indices)
          if (read.input == number) return true;
    for (const ExplainedAxis& axis : explanation_.axes)
      for (const TensorAxis& walk : axis.walks)
        if (walk.tensor == input(number).name) return true;
    return false;
  }

  void add_grid(SceneRole role, const ExplainedTensor& tensor) {
    SceneGrid grid;
    grid.role = role;
    grid.name = tensor.name;
    grid.type = type_text(tensor);
    grid.rank = tensor.shape.rank();
    scene_.grids.push_back(std::move(grid));
    tensors_.push_back(&tensor);
    crops_.emplace_back(tensor.shape);
  }

  void add_grids() {
    for (int i = 0; i < static_cast<int>(explanation_.inputs.size()); ++i) {
      if (i == explanation_.indirect_input || i == explanation_.updates_input ||
          !is_index_tensor(i))
        continue;
      index_grids_[i] = scene_.grids.size();
      add_grid(SceneRole::kIndices, input(i));
    }
    const int updates = explanation_.updates_input;
    const int data = explanation_.indirect_input;
    if (updates >= 0) {
      updates_grid_ = scene_.grids.size();
      add_grid(SceneRole::kUpdates, input(updates));
    }
    const bool starts_as_data =
        data >= 0 && data != updates && input(data).shape == explanation_.output.shape;
    if (data >= 0 && (!explanation_.scatter || starts_as_data)) {
      data_grid_ = scene_.grids.size();
      add_grid(SceneRole::kData, input(data));
    }
    output_grid_ = scene_.grids.size();
    add_grid(SceneRole::kOutput, explanation_.output);
  }

  PlacedPoint placed(std::size_t i) const {
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

  static std::map<std::size_t, std::vector<Dims>> places_of(const PlacedPoint& point) {
    std::map<std::size_t, std::vector<Dims>> places;
    for (const Place& place : point.read) places[place.grid].push_back(place.position);
    for (const std::optional<Place>& place : {point.source, point.target, point.start})
      if (place) places[place->grid].push_back(place->position);
    return places;
  }

  // Takes the points whose cells all fit, and what of their tensors is shown.
  void crop() {
    for (std::size_t i = 0; i < std::min(shown(), kMostPoints); ++i) {
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

  void make_cells() {
    int next = 0;
    for (std::size_t g = 0; g < scene_.grids.size(); ++g) {
      SceneGrid& grid = scene_.grids[g];
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

  static void add_slice(const Dims& outer, SceneGrid& grid) {
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

  // The number of a shown position's cell in the scene.
  int number_of(const Place& place) const {
    const SceneGrid& grid = scene_.grids[place.grid];
    const Dims& position = place.position;
    const auto find = [](const auto& shown, const auto& wanted) {
      return static_cast<std::size_t>(std::find(shown.begin(), shown.end(), wanted) -
                                      shown.begin());
    };
    const int rank = position.rank();
    const Dims outer = reference::slice(position, 0, std::max(rank - 2, 0));
    const std::size_t slice = find(grid.outer, outer);
    const std::size_t row = rank < 2 ? 0 : find(grid.rows, position[rank - 2]);
    const std::size_t column = rank < 1 ? 0 : find(grid.columns, position.back());
    return grid.first_cell +
           static_cast<int>((slice * grid.rows.size() + row) * grid.columns.size() + column);
  }

  SceneCell& cell(const Place& place) {
    SceneGrid& grid = scene_.grids[place.grid];
    const auto at = static_cast<std::size_t>(number_of(place) - grid.first_cell);
    const std::size_t in_slice = grid.rows.size() * grid.columns.size();
    return grid.slices[at / in_slice].cells[at % in_slice];
  }

  // Points that read the same index elements are one group; without any, those of the same cell.
  int group_of(const PlacedPoint& point) {
    std::vector<int> key;
    for (const Place& place : point.read) key.push_back(number_of(place));
    if (key.empty() && point.source) key.push_back(number_of(*point.source));
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
    join(group, cell(*place));
    return number_of(*place);
  }

  void mark_indices(const PlacedPoint& placed) {
    std::size_t next = 0;
    for (const ExplainedCoordinate& coordinate : placed.point->coordinates) {
      for (const IndexRead& read : coordinate.indices) {
        if (!index_grids_.contains(read.input)) continue;
        SceneCell& cell = this->cell(placed.read[next++]);
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
    if (outside) cell(*direct).marks.out_of_range = true;
    if (placed.write == nullptr || (!placed.write->earlier && !placed.write->later)) return;
    cell(*placed.source).marks.duplicate = true;
    cell(*placed.target).marks.duplicate = true;
  }

  void add_point(const PlacedPoint& placed) {
    ScenePoint point;
    point.number = placed.point->number;
    point.group = group_of(placed);
    point.formula = placed.write != nullptr ? write_text(explanation_, *placed.write)
                                            : walk_text(explanation_, *placed.point);
    for (const Place& place : placed.read) {
      join(point.group, cell(place));
      point.read.push_back(number_of(place));
    }
    point.source = join_place(point.group, placed.source);
    point.target = join_place(point.group, placed.target);
    mark_point(placed);
    const std::string value = shortened(placed.point->value);
    if (placed.source) cell(*placed.source).text = value;
    if (placed.write != nullptr) {
      point.before = shortened(placed.write->before);
      point.after = shortened(placed.write->after);
    } else {
      cell(*placed.target).text = value;
    }
    scene_.points.push_back(std::move(point));
  }

  // The texts of the cells that no point gave one.
  void finish_texts() {
    for (const ExplainedCell& written : explanation_.cells) {
      const Place place{output_grid_, written.cell};
      if (crops_[output_grid_].shows(written.cell)) cell(place).text = shortened(written.result);
    }
    for (std::size_t g = 0; g < scene_.grids.size(); ++g) {
      SceneGrid& grid = scene_.grids[g];
      const std::vector<std::string>& values = tensors_[g]->values;
      if (values.empty()) continue;
      for (std::size_t s = 0; s < grid.slices.size(); ++s)
        for (std::size_t c = 0; c < grid.slices[s].cells.size(); ++c) {
          const std::int64_t flat =
              reference::flat_index(tensors_[g]->shape, cell_position(grid, s, c));
          grid.slices[s].cells[c].text = shortened(values[static_cast<std::size_t>(flat)]);
        }
    }
  }

  // What of the call has no grid.
  void add_heading() {
    const auto add = [&](const std::string& text) {
      scene_.heading += (scene_.heading.empty() ? "" : ", ") + text;
    };
    for (const auto& [name, value] : explanation_.attributes) add(attribute_text(name, value));
    for (const ExplainedTensor& tensor : explanation_.inputs) {
      const bool has_grid = std::find(tensors_.begin(), tensors_.end(), &tensor) != tensors_.end();
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
                             std::to_string(explanation_.points) + " " + what +
                             (explanation_.points == 1 ? "." : "s."));
    if (explanation_.scatter && explanation_.searched < explanation_.points)
      scene_.notes.push_back("Collisions are known among the first " +
                             std::to_string(explanation_.searched) + " updates only.");
    if (explanation_.illegal > 0)
      scene_.notes.push_back("The call fails: an index is outside of its legal range.");
    const bool collides = std::any_of(explanation_.cells.begin(), explanation_.cells.end(),
                                      [](const ExplainedCell& cell) { return cell.writes > 1; });
    if (explanation_.refuses_duplicates && collides)
      scene_.notes.emplace_back("The call fails: two updates have the same cell.");
  }

  void note(const SceneCell& cell) {
    scene_.has_groups = scene_.has_groups || !cell.groups.empty();
    scene_.marks.negative = scene_.marks.negative || cell.marks.negative;
    scene_.marks.out_of_range = scene_.marks.out_of_range || cell.marks.out_of_range;
    scene_.marks.duplicate = scene_.marks.duplicate || cell.marks.duplicate;
  }

  const Explanation& explanation_;
  Scene scene_;
  std::vector<const ExplainedTensor*> tensors_;  // of the grids
  std::vector<Crop> crops_;                      // and their crops
  std::map<int, std::size_t> index_grids_;       // by the input's number
  std::size_t updates_grid_ = 0;
  std::optional<std::size_t> data_grid_;
  std::size_t output_grid_ = 0;
  std::vector<PlacedPoint> points_;
  std::map<std::vector<int>, int> groups_;  // by the numbers of the index cells
};

}  // namespace

Scene make_scene(const Explanation& explanation) { return SceneBuilder(explanation).build(); }

}  // namespace windrow::internal
