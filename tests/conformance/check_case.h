#ifndef WINDROW_TESTS_CONFORMANCE_CHECK_CASE_H_
#define WINDROW_TESTS_CONFORMANCE_CHECK_CASE_H_

#include <optional>
#include <string>

#include "tests/conformance/case_record.h"

namespace windrow::tests {

// Runs a record at one version with the reference and with every kernel set that this machine
// supports: serial and threaded, on dense, padded and reversed memory, scatters in place too.
// Returns the first deviation from the record, or difference between two of them, as one line;
// empty if there is none.
std::string check_case(const CaseRecord& record, std::optional<int> version);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_CONFORMANCE_CHECK_CASE_H_
