#ifndef WINDROW_TESTS_RANDOM_NUMBERED_INPUTS_H_
#define WINDROW_TESTS_RANDOM_NUMBERED_INPUTS_H_

#include <vector>

#include "tests/random/random_call.h"

namespace windrow::tests {

// The inputs of a call: its own elements, or numbers that say in the result where each element
// comes from.
struct NumberedInputs {
  std::vector<Tensor> tensors;  // what views may refer to
  std::vector<TensorView> views;
  bool numbered = false;
};

// The call's own elements. `call` must outlive them.
NumberedInputs own_inputs(const RandomCall& call);

// Data, the input of that number, holds -1, -2, .. and the other inputs of its type group 1, 2, ..
// where the operator takes int64; else the call's own elements.
NumberedInputs numbered_inputs(const RandomCall& call, int data);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_RANDOM_NUMBERED_INPUTS_H_
