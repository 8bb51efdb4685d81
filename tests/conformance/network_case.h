#ifndef WINDROW_TESTS_CONFORMANCE_NETWORK_CASE_H_
#define WINDROW_TESTS_CONFORMANCE_NETWORK_CASE_H_

#include "tests/conformance/case_record.h"

namespace windrow::tests {

// The outcome of a record of dialect "tensorrt" run as a network of one layer, whose inputs are the
// record's. kUnsupported: TensorRT's network interface can't express the record (a type, a
// rank, a mode).
Result<Tensor> run_as_network(const CaseRecord& record);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_CONFORMANCE_NETWORK_CASE_H_
