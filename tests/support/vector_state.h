#ifndef WINDROW_TESTS_SUPPORT_VECTOR_STATE_H_
#define WINDROW_TESTS_SUPPORT_VECTOR_STATE_H_

namespace windrow::tests {

// Whether the upper halves of the first sixteen vector registers are in use (x86-64): what runs
// next and has instructions of the older encoding, as most code has, then waits for about a hundred
// nanoseconds, and so does the next call of a kernel. False where the machine does not say.
bool upper_halves_in_use();

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_SUPPORT_VECTOR_STATE_H_
