#ifndef WINDROW_TESTS_RANDOM_WITNESSES_H_
#define WINDROW_TESTS_RANDOM_WITNESSES_H_

#include <string>

#include "tests/random/random_call.h"

namespace windrow::tests {

// What comparing the reference with every fast path on one call gave.
struct Verdict {
  std::string difference;  // empty: all agree
  bool succeeded = false;  // the call has a result, rather than an error on which all agree
  bool too_large = false;  // not run: the result would have more than 4 million elements
};

// Runs the call with the reference and with every kernel set that this machine supports with 1, 2
// and 5 threads, and compares bits, errors, guard bytes and, after an error in place, unchanged
// memory.
Verdict compare_witnesses(const RandomCall& call);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_RANDOM_WITNESSES_H_
