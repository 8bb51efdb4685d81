#ifndef WINDROW_DIM_H_
#define WINDROW_DIM_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace windrow {

// One dimension of a model's value: a number, a symbol, or unknown (-1 and no symbol). A dimension
// that is not a number lies in [low, high].
struct Dim {
  std::int64_t value = -1;
  std::string symbol;
  std::int64_t low = 0;
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  bool is_known() const noexcept { return value >= 0; }
  friend bool operator==(const Dim&, const Dim&) = default;
};

// The dimensions of a value that does not exist yet. Absent if not even the rank is known.
using SymbolicShape = std::optional<std::vector<Dim>>;

}  // namespace windrow

#endif  // WINDROW_DIM_H_
