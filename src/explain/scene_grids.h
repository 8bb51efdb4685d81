#ifndef WINDROW_EXPLAIN_SCENE_GRIDS_H_
#define WINDROW_EXPLAIN_SCENE_GRIDS_H_

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "src/explain/scene.h"

namespace windrow::internal {

// The place of an element: the number of a grid, and the position in the grid's tensor.
struct Place {
  std::size_t grid;
  Dims position;
};

// A point with the places of its cells.
struct PlacedPoint {
  const ExplainedPoint* point = nullptr;
  const ExplainedWrite* write = nullptr;  // null for a gather
  std::vector<Place> read;
  std::optional<Place> source;
  std::optional<Place> target;
  std::optional<Place> start;  // scatter: the cell of data from which the target starts
};

// The grids of a scene, whose cells are still empty, and the points whose cells they show.
class SceneGrids {
 public:
  // `explanation` must outlive the object.
  explicit SceneGrids(const Explanation& explanation);

  std::vector<SceneGrid>& grids() noexcept { return grids_; }
  // The tensor of each grid.
  const std::vector<const ExplainedTensor*>& tensors() const noexcept { return tensors_; }
  const std::vector<PlacedPoint>& points() const noexcept { return points_; }
  // The number of the output's grid.
  std::size_t output() const noexcept { return output_grid_; }

  bool shows(const Place& place) const { return crops_[place.grid].shows(place.position); }
  // The number in the scene of the cell at a shown place, and that cell.
  int number_of(const Place& place) const;
  SceneCell& cell(const Place& place);

 private:
  const ExplainedTensor& input(int number) const;
  const ExplainedTensor& data() const;  // as the walks count its elements
  std::size_t point_count() const;
  const ExplainedPoint& point(std::size_t i) const;
  bool is_index_tensor(int number) const;
  void add_grid(SceneRole role, const ExplainedTensor& tensor);
  void add_grids();
  PlacedPoint placed(std::size_t i) const;
  void crop();
  void make_cells();

  const Explanation& explanation_;
  std::vector<SceneGrid> grids_;
  std::vector<const ExplainedTensor*> tensors_;  // by grid
  std::vector<Crop> crops_;                      // by grid
  std::map<int, std::size_t> index_grids_;       // by the input's number
  std::size_t updates_grid_ = 0;
  std::optional<std::size_t> data_grid_;
  std::size_t output_grid_ = 0;
  std::vector<PlacedPoint> points_;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_SCENE_GRIDS_H_
