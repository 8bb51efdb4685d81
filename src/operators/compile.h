#ifndef WINDROW_OPERATORS_COMPILE_H_
#define WINDROW_OPERATORS_COMPILE_H_

#include <string_view>

#include "windrow/options.h"

namespace windrow::internal {

// options.kernels or, if that is empty, the environment variable WINDROW_KERNELS. May be empty.
std::string_view chosen_kernels(const CallOptions& options) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_COMPILE_H_
