#ifndef WINDROW_TESTS_CONFORMANCE_DEVIATIONS_H_
#define WINDROW_TESTS_CONFORMANCE_DEVIATIONS_H_

#include <string>

namespace windrow::tests {

// Why a record, drawn from another runtime's tests, rightly does not hold for this library; empty
// for all others.
std::string deviation_reason(const std::string& record);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_CONFORMANCE_DEVIATIONS_H_
