#ifndef WINDROW_TESTS_SUPPORT_DESCRIBE_H_
#define WINDROW_TESTS_SUPPORT_DESCRIBE_H_

#include <string>

#include "windrow/attributes.h"
#include "windrow/options.h"
#include "windrow/tensor.h"

// A description from which the call of a failing test can be repeated.
namespace windrow::tests {

// "axis=1 reduction=add"; "no attributes" if there is none.
std::string describe(const Attributes& attributes);

// "out_of_range=zero negative=error strict=true"; "default options" if all are.
std::string describe(const CallOptions& options);

// "float32 [2, 3] strides [12, 4]"; the values too, if they are at most 24.
std::string describe(const TensorView& view);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_SUPPORT_DESCRIBE_H_
