#ifndef WINDROW_TESTS_RANDOM_RANDOM_VALUES_H_
#define WINDROW_TESTS_RANDOM_RANDOM_VALUES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "tests/random/rng.h"
#include "windrow/tensor.h"

namespace windrow::tests {

// Fills a tensor with values of its type: small numbers, any bits, NaN with payloads, infinities,
// signed zeros, subnormals; bool bytes above 1; strings with any bytes.
void fill_values(Rng& rng, const MutableTensorView& view);

// Which indices are legal. `extents` by the position's last axis (an index tuple), or one for all.
struct IndexRule {
  std::vector<std::int64_t> extents;
  bool negatives = true;    // [-extent, extent - 1] rather than [0, extent - 1]
  std::int64_t spread = 0;  // above 0: at most this many different values
  bool ascending = false;   // sorted, the illegal ones too
};

// Fills a tensor of integers or floats with legal indices, as far as the type can hold them;
// `bad_percent` of the calls get some that are not.
void fill_indices(Rng& rng, const MutableTensorView& view, const IndexRule& rule, int bad_percent);

// Fills a tensor of integers or floats with one whole number.
void fill_all(const MutableTensorView& view, std::int64_t value);
// The same with several, in row-major order and over again.
void fill_with(const MutableTensorView& view, std::span<const std::int64_t> values);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_RANDOM_RANDOM_VALUES_H_
