#ifndef WINDROW_TESTS_RANDOM_RANDOM_SHAPE_H_
#define WINDROW_TESTS_RANDOM_RANDOM_SHAPE_H_

#include <cstdint>

#include "tests/random/rng.h"
#include "tests/support/strided_buffer.h"
#include "windrow/shape.h"

namespace windrow::tests {

// How large the tensors of one call may be.
struct Scale {
  std::int64_t elements = 400;    // of any tensor, about
  std::int64_t long_extent = 12;  // the largest extent of most axes
};

// Mostly small; sometimes above every block size of the kernels.
Scale random_scale(Rng& rng);

// A rank in [low, 6], sometimes up to `high`.
int random_rank(Rng& rng, int low, int high);

// A shape of that rank with about `elements` elements at most; often with ones, sometimes with a
// zero.
Shape random_shape(Rng& rng, int rank, const Scale& scale);

// Extents of at most those of `bounds` each, mostly equal or a little smaller.
Shape random_subshape(Rng& rng, const Shape& bounds);

// `axis` itself or its negative form.
std::int64_t random_axis_form(Rng& rng, int axis, int rank);

// A layout for a tensor of that rank; `written` ones repeat no axis.
Layout random_layout(Rng& rng, int rank, bool written);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_RANDOM_RANDOM_SHAPE_H_
