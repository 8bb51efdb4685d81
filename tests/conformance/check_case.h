#ifndef WINDROW_TESTS_CONFORMANCE_CHECK_CASE_H_
#define WINDROW_TESTS_CONFORMANCE_CHECK_CASE_H_

#include <optional>
#include <string>

#include "tests/conformance/case_record.h"

namespace windrow::tests {

// Runs a record at one version by the reference and by every kernel set that this machine supports:
// serial and threaded, on dense, padded and reversed memory, scatters in place too. The first thing
// that is not as the record says, or in which two of them differ, as one line; empty if all is
// well.
std::string check_case(const CaseRecord& record, std::optional<int> version);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_CONFORMANCE_CHECK_CASE_H_
