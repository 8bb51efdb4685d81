#ifndef WINDROW_ACCESS_ACCESS_MAP_H_
#define WINDROW_ACCESS_ACCESS_MAP_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "windrow/options.h"
#include "windrow/shape.h"
#include "windrow/status.h"

namespace windrow::internal {

// How an index becomes a coordinate.
enum class Normalise : std::uint8_t {
  kAsIs,           // the index itself
  kNegativeWraps,  // a negative index counts from the end: index + extent
};

// `loop` times `coefficient`, a summand of a coordinate.
struct LoopTerm {
  int loop = 0;
  std::int64_t coefficient = 1;
};

// Where one axis of an index tensor stands for a loop point: at that loop's counter (loop >= 0), or
// at a fixed position.
struct IndexCoordinate {
  int loop = -1;
  std::int64_t fixed = 0;
};

// One element of an index tensor, as a summand of a coordinate.
struct IndexTerm {
  int input = 0;                             // the operator's input that is the index tensor
  std::vector<IndexCoordinate> coordinates;  // one per axis of the index tensor
  Normalise normalise = Normalise::kAsIs;
  // The legal range, inclusive; an index outside is an error whatever the axis's policy is. Absent:
  // any.
  struct Range {
    std::int64_t low = 0;
    std::int64_t high = 0;
  };
  std::optional<Range> legal;
};

// One axis of the indirect tensor: coordinate = base + loops + index terms, then the policy.
struct AxisMap {
  std::int64_t extent = 0;
  std::int64_t base = 0;
  std::vector<LoopTerm> loops;
  std::vector<IndexTerm> terms;
  // What a coordinate outside [0, extent) means. kError: the legal ranges of the terms leave none
  // outside.
  OutOfRange policy = OutOfRange::kError;
};

// The addresses of one call: for every loop point (an element of the direct tensor, in row-major
// order of `loops`) the position in the indirect tensor.
struct AccessMap {
  Shape loops;                // the direct tensor's shape
  std::vector<AxisMap> axes;  // one per axis of the indirect tensor
};

}  // namespace windrow::internal

#endif  // WINDROW_ACCESS_ACCESS_MAP_H_
