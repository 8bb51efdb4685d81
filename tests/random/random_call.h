#ifndef WINDROW_TESTS_RANDOM_RANDOM_CALL_H_
#define WINDROW_TESTS_RANDOM_RANDOM_CALL_H_

#include <memory>
#include <string>
#include <vector>

#include "tests/random/rng.h"
#include "tests/support/strided_buffer.h"
#include "windrow/operators.h"

namespace windrow::tests {

// A call with memory: everything that two implementations need to be compared on it.
struct RandomCall {
  std::uint64_t seed = 0;
  OperatorInfo info;
  OperatorId id;
  Attributes attributes;
  CallOptions options;
  std::vector<std::unique_ptr<StridedBuffer>> inputs;  // null: absent
  Layout out_layout;                // for a result of out_layout.axes.size() axes
  bool in_place = false;            // a scatter whose result replaces its data
  bool own_scratch = false;         // scratch memory is the caller's
  bool compiled_for_dense = false;  // the plan is compiled without the inputs' strides

  std::vector<TensorView> views() const;
};

// The random call for `seed`.
RandomCall make_random_call(std::uint64_t seed);

// Everything needed to repeat the call by hand.
std::string describe(const RandomCall& call);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_RANDOM_RANDOM_CALL_H_
