#include "src/portability/cells.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

#include "src/base/integers.h"
#include "src/portability/given_values.h"
#include "src/ranges/value_range.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kMostMarks = std::int64_t{1} << 30;
constexpr std::int64_t kMostPairs = std::int64_t{1} << 23;

struct Column {
  std::int64_t extent = -1;  // -1 if it is not known
  std::int64_t low = std::numeric_limits<std::int64_t>::max();
  std::int64_t high = std::numeric_limits<std::int64_t>::min();
};

// Numbers the cells: two updates have the same number if and only if they have the same cell.
class CellNumbers {
 public:
  // Nothing if equal cells can't be recognised: there is a negative index on an axis of unknown
  // extent.
  static std::optional<CellNumbers> of(const NodeView& node, const Tensor& indices) {
    CellNumbers numbers;
    if (node.family == kScatterElements) {
      if (!node.axis || static_cast<std::size_t>(indices.shape().rank()) <= *node.axis)
        return std::nullopt;
      numbers.shape_ = indices.shape();
      numbers.axis_ = static_cast<int>(*node.axis);
    }
    std::size_t count = 1;
    if (node.family == kScatterND) {
      if (indices.shape().rank() == 0) return std::nullopt;
      count = static_cast<std::size_t>(indices.shape().back());
      if (count > kMaxRank) return std::nullopt;
    }
    numbers.columns_.resize(count);
    if (!numbers.set_columns(node, indices)) return std::nullopt;
    return numbers;
  }

  // All numbers are less than this.
  std::int64_t count() const { return count_; }
  std::size_t tuple_length() const { return columns_.size(); }

  // The number of the cell that a tuple of indices addresses; -1 if it is out of range. `first` is
  // the position of the tuple's first element.
  std::int64_t cell(std::int64_t first, std::span<const std::int64_t> tuple) const {
    std::int64_t cell = 0;
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      const Column& column = columns_[i];
      std::int64_t index = tuple[i];
      if (column.extent >= 0 && index < 0) index += column.extent;
      if (index < 0 || index >= width(column)) return -1;
      cell = cell * width(column) + index;
    }
    if (axis_ < 0) return cell;
    // The coordinates on the other axes are those of the element's own position.
    std::int64_t others = 0;
    std::int64_t scale = 1;
    for (int axis = shape_.rank() - 1; axis >= 0; --axis) {
      const std::int64_t at = first % shape_[axis];
      first /= shape_[axis];
      if (axis == axis_) continue;
      others += at * scale;
      scale *= shape_[axis];
    }
    return others * width(columns_[0]) + cell;
  }

 private:
  static std::int64_t width(const Column& column) {
    return column.extent >= 0 ? column.extent : column.high + 1;
  }

  bool set_columns(const NodeView& node, const Tensor& indices) {
    for (std::size_t i = 0; node.columns && i < columns_.size() && i < node.columns->size(); ++i)
      columns_[i].extent = (*node.columns)[i].extent.value;
    std::size_t at = 0;
    if (columns_.empty()) return false;
    find_integer(indices, [&](std::int64_t, std::int64_t value) {
      columns_[at].low = std::min(columns_[at].low, value);
      columns_[at].high = std::max(columns_[at].high, value);
      if (++at == columns_.size()) at = 0;
      return false;
    });
    std::optional<std::int64_t> count = 1;
    for (const Column& column : columns_) {
      if (column.extent < 0 &&
          (column.low < 0 || column.high == std::numeric_limits<std::int64_t>::max()))
        return false;
      if (count) count = checked_mul(*count, std::max<std::int64_t>(width(column), 0));
    }
    for (int axis = 0; axis < shape_.rank(); ++axis) {
      if (axis != axis_ && count) count = checked_mul(*count, shape_[axis]);
    }
    if (!count) return false;
    count_ = *count;
    return true;
  }

  std::vector<Column> columns_;
  Shape shape_;  // of the indices, if cells depend on their positions
  int axis_ = -1;
  std::int64_t count_ = 0;
};

// Calls `visit(position of the tuple's first element, cell)` for each tuple until it returns true.
template <class Visit>
void visit_cells(const CellNumbers& numbers, const Tensor& indices, const Visit& visit) {
  const std::size_t length = numbers.tuple_length();
  std::vector<std::int64_t> tuple(length);
  std::size_t at = 0;
  find_integer(indices, [&](std::int64_t position, std::int64_t value) {
    tuple[at++] = value;
    if (at < length) return false;
    at = 0;
    const std::int64_t first = position + 1 - static_cast<std::int64_t>(length);
    const std::int64_t cell = numbers.cell(first, tuple);
    return cell >= 0 && visit(first, cell);
  });
}

// The position of the first tuple with the cell of an earlier one; -1 if there is none.
std::int64_t find_by_bits(const CellNumbers& numbers, const Tensor& indices) {
  std::vector<bool> seen(static_cast<std::size_t>(numbers.count()));
  std::int64_t found = -1;
  visit_cells(numbers, indices, [&](std::int64_t first, std::int64_t cell) {
    if (seen[static_cast<std::size_t>(cell)]) found = first;
    seen[static_cast<std::size_t>(cell)] = true;
    return found >= 0;
  });
  return found;
}

std::int64_t find_by_sorting(const CellNumbers& numbers, const Tensor& indices) {
  std::vector<std::pair<std::int64_t, std::int64_t>> cells;
  visit_cells(numbers, indices, [&](std::int64_t first, std::int64_t cell) {
    cells.emplace_back(cell, first);
    return false;
  });
  std::sort(cells.begin(), cells.end());
  std::int64_t found = -1;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (cells[i].first == cells[i - 1].first && (found < 0 || cells[i].second < found))
      found = cells[i].second;
  }
  return found;
}

}  // namespace

ExactElements exact_elements(const InputView& input) {
  if (!is_integer(input.fact.dtype)) return {};
  if (auto elements = known_elements(input))
    return {std::move(elements), input.is_observed ? Evidence::kInputs : Evidence::kConstant};
  if (input.fact.range.grain != ValueRange::Grain::kElement) return {};
  const auto values = known_integers(input.fact);
  if (!values) return {};
  Shape shape;
  for (const Dim& dim : *input.fact.dims) {
    if (!shape.push_back(dim.value)) return {};
  }
  return {std::make_shared<const Tensor>(Tensor::from<std::int64_t>(shape, *values)),
          Evidence::kRange};
}

Repeat find_repeat(const NodeView& node, const Tensor& indices) {
  const std::optional<CellNumbers> numbers = CellNumbers::of(node, indices);
  if (!numbers) return {};
  // A bit for each cell is used unless there are many more cells than indices.
  const bool is_small =
      numbers->count() <= kMostMarks &&
      (numbers->count() / 128 <= indices.element_count() || indices.element_count() > kMostPairs);
  if (!is_small && indices.element_count() > kMostPairs) return {};
  const std::int64_t found =
      is_small ? find_by_bits(*numbers, indices) : find_by_sorting(*numbers, indices);
  if (found < 0) return {false};
  Repeat repeat{true, unravel(found, indices.shape())};
  if (node.family == kScatterND) repeat.position.pop_back();
  return repeat;
}

std::optional<std::int64_t> find_update(
    const NodeView& node, const Tensor& indices, const Shape& data,
    const std::function<bool(std::int64_t, std::int64_t)>& visit) {
  const bool is_tupled = node.family == kScatterND;
  const Shape& shape = indices.shape();
  if (is_tupled ? shape.rank() == 0 || shape.back() > data.rank()
                : !node.axis || shape.rank() != data.rank())
    return std::nullopt;
  const auto length = is_tupled ? shape.back() : 1;
  std::int64_t slice = 1;  // the number of elements that one tuple addresses
  for (int axis = static_cast<int>(length); is_tupled && axis < data.rank(); ++axis)
    slice *= data[axis];
  std::vector<std::int64_t> place;
  std::optional<std::int64_t> found;
  std::int64_t tuples = 0;
  find_integer(indices, [&](std::int64_t position, std::int64_t index) {
    if (is_tupled) {
      place.push_back(index);
    } else {
      place = unravel(position, shape);
      place[*node.axis] = index;
    }
    if (is_tupled && static_cast<std::int64_t>(place.size()) < length) return false;
    std::int64_t cell = 0;
    for (std::size_t axis = 0; axis < place.size(); ++axis) {
      const std::int64_t extent = data[static_cast<int>(axis)];
      if (place[axis] < 0) place[axis] += extent;
      if (place[axis] < 0 || place[axis] >= extent) return true;
      cell = cell * extent + place[axis];
    }
    place.clear();
    const std::int64_t first = tuples++ * slice;
    for (std::int64_t i = 0; i < slice && !found; ++i) {
      if (visit(first + i, cell * slice + i)) found = first + i;
    }
    return found.has_value();
  });
  return found;
}

}  // namespace windrow::internal
