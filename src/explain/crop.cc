#include "src/explain/crop.h"

#include <algorithm>

#include "src/explain/scene.h"
#include "src/reference/positions.h"

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

}  // namespace windrow::internal
