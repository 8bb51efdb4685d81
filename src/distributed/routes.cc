#include "src/distributed/routes.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "src/operators/taken_rows.h"

namespace windrow::internal {
namespace {

// A hash table from the rows that some numbers name to positions of these numbers, which must stay.
// Position: holds their count. A slot has a position and not its row, so that a table for a call
// stays in a near cache.
template <class Position>
class RowSlots {
 public:
  explicit RowSlots(std::span<const std::int64_t> numbers)
      : numbers_(numbers.data()),
        bits_(static_cast<int>(std::bit_width(2 * numbers.size() + 1))),
        slots_(std::size_t{1} << bits_, kNone) {}

  // The slot of a row: kNone, or 1 more than a position that names the row, which may be set to 1
  // more than any other one that does.
  static constexpr Position kNone = 0;
  Position& operator[](std::int64_t row) {
    std::size_t at = (static_cast<std::uint64_t>(row) * 0x9e3779b97f4a7c15u) >> (64 - bits_);
    while (slots_[at] != kNone && numbers_[slots_[at] - 1] != row)
      at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

 private:
  const std::int64_t* numbers_;
  int bits_;
  std::vector<Position> slots_;
};

// Calls body(slots) with the slots of these numbers.
template <class Body>
auto with_slots(std::span<const std::int64_t> numbers, const Body& body) {
  if (numbers.size() < std::numeric_limits<std::uint32_t>::max())
    return body(RowSlots<std::uint32_t>(numbers));
  return body(RowSlots<std::uint64_t>(numbers));
}

// Places of a list that is sorted by ranks, given out in the order of the calls.
class RankPlaces {
 public:
  explicit RankPlaces(std::span<const std::int64_t> counts) {
    std::int64_t first = 0;
    for (const std::int64_t count : counts) {
      next_.push_back(first);
      first += count;
    }
  }
  std::int64_t next(int rank) { return next_[static_cast<std::size_t>(rank)]++; }

 private:
  std::vector<std::int64_t> next_;
};

void set_row(Tensor& rows, std::int64_t at, std::int64_t row) {
  if (rows.dtype() == DType::kInt32)
    static_cast<std::int32_t*>(rows.data())[at] = static_cast<std::int32_t>(row);
  else
    static_cast<std::int64_t*>(rows.data())[at] = row;
}

std::int64_t* numbers_in(Tensor& tensor) { return static_cast<std::int64_t*>(tensor.data()); }

// The first update of each row goes to its rank.
Result<UpdateRoutes> route_combined(const ShardMap& map, std::span<const std::int64_t> numbers,
                                    DType id_type) {
  auto routes = route_take(map, numbers, id_type);
  if (!routes) return routes.error();
  auto sources = Tensor::allocate(DType::kInt64, routes->rows.shape());
  if (!sources) return sources.error();
  std::int64_t* const source_of = numbers_in(*sources);
  std::fill_n(source_of, sources->element_count(), kZeroRow);
  std::int64_t* const place_of = numbers_in(routes->places);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (place_of[i] == kZeroRow || source_of[place_of[i]] != kZeroRow) continue;
    source_of[place_of[i]] = static_cast<std::int64_t>(i);
    place_of[i] = kZeroRow;
  }
  return UpdateRoutes{std::move(routes->counts), std::move(routes->rows), *std::move(sources),
                      std::move(routes->places)};
}

}  // namespace

std::int64_t row_at(const Tensor& rows, std::int64_t place) {
  if (rows.dtype() == DType::kInt32) return static_cast<const std::int32_t*>(rows.data())[place];
  return static_cast<const std::int64_t*>(rows.data())[place];
}

Result<TakeRoutes> route_take(const ShardMap& map, std::span<const std::int64_t> numbers,
                              DType id_type) {
  TakeRoutes routes{std::vector<std::int64_t>(static_cast<std::size_t>(map.ranks())), {}, {}};
  auto places = Tensor::allocate(DType::kInt64, {static_cast<std::int64_t>(numbers.size())});
  if (!places) return places.error();
  routes.places = *std::move(places);
  std::int64_t* const place_of = numbers_in(routes.places);

  // First each row's number in the order in which they are met.
  std::vector<ShardPlace> met;
  met.reserve(std::min(numbers.size(), static_cast<std::size_t>(map.rows())));
  with_slots(numbers, [&]<class Position>(RowSlots<Position> slots) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      place_of[i] = kZeroRow;
      if (numbers[i] == kZeroRow) continue;
      Position& first = slots[numbers[i]];
      if (first != slots.kNone) {
        place_of[i] = place_of[first - 1];
        continue;
      }
      first = static_cast<Position>(i + 1);
      place_of[i] = static_cast<std::int64_t>(met.size());
      met.push_back(map.place(numbers[i]));
      routes.counts[static_cast<std::size_t>(met.back().rank)] += 1;
    }
  });

  auto rows = Tensor::allocate(id_type, {static_cast<std::int64_t>(met.size())});
  if (!rows) return rows.error();
  routes.rows = *std::move(rows);
  RankPlaces next(routes.counts);
  std::vector<std::int64_t> sorted(met.size());
  for (std::size_t j = 0; j < met.size(); ++j) {
    sorted[j] = next.next(met[j].rank);
    set_row(routes.rows, sorted[j], met[j].row);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (place_of[i] != kZeroRow) place_of[i] = sorted[static_cast<std::size_t>(place_of[i])];
  return routes;
}

Result<UpdateRoutes> route_updates(const ShardMap& map, std::span<const std::int64_t> numbers,
                                   DType id_type, Sent sent) {
  if (sent == Sent::kCombined) return route_combined(map, numbers, id_type);
  struct Update {
    ShardPlace place;
    std::int64_t source;
  };
  std::vector<Update> updates;
  UpdateRoutes routes{std::vector<std::int64_t>(static_cast<std::size_t>(map.ranks())), {}, {}};
  const auto add = [&](std::size_t i) {
    updates.push_back({map.place(numbers[i]), static_cast<std::int64_t>(i)});
    routes.counts[static_cast<std::size_t>(updates.back().place.rank)] += 1;
  };
  if (sent == Sent::kLast) {
    with_slots(numbers, [&]<class Position>(RowSlots<Position> last) {
      for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] != kZeroRow) last[numbers[i]] = static_cast<Position>(i + 1);
      for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] != kZeroRow && last[numbers[i]] == i + 1) add(i);
    });
  } else {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (numbers[i] != kZeroRow) add(i);
  }

  const Shape shape = {static_cast<std::int64_t>(updates.size())};
  auto rows = Tensor::allocate(id_type, shape);
  if (!rows) return rows.error();
  auto sources = Tensor::allocate(DType::kInt64, shape);
  if (!sources) return sources.error();
  RankPlaces next(routes.counts);
  for (const Update& update : updates) {
    const std::int64_t at = next.next(update.place.rank);
    set_row(*rows, at, update.place.row);
    numbers_in(*sources)[at] = update.source;
  }
  routes.rows = *std::move(rows);
  routes.sources = *std::move(sources);
  return routes;
}

}  // namespace windrow::internal
