#ifndef WINDROW_C_API_ERROR_H_
#define WINDROW_C_API_ERROR_H_

#include <optional>
#include <string>

#include "windrow/c.h"
#include "windrow/dtype.h"
#include "windrow/status.h"

struct windrow_error {
  windrow::ErrorInfo info;
};

namespace windrow::internal {

// Sets *error, if `error` is not null, to an error made from `status`; to null on success. Returns
// the code of `status`. If there is no memory for the error, the code and the error are those of
// set_out_of_memory().
windrow_code set_error(windrow_error** error, const Status& status) noexcept;

// Same as set_error() for lack of memory. Allocates nothing.
windrow_code set_out_of_memory(windrow_error** error) noexcept;

inline Status invalid_argument(std::string message) {
  return Status(ErrorCode::kInvalidArgument, std::move(message));
}

// Runs `function`, which returns a Status, for a C caller. The only exceptions that the library's
// code throws are those of containers that cannot grow.
template <class Function>
windrow_code guarded(windrow_error** error, Function&& function) noexcept {
  try {
    return set_error(error, function());
  } catch (...) {
    return set_out_of_memory(error);
  }
}

// The type for a C number. Returns nothing if the number is not a type. WINDROW_ABSENT is kAbsent.
std::optional<DType> from_c(windrow_dtype number) noexcept;

windrow_dtype to_c(DType dtype) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_C_API_ERROR_H_
