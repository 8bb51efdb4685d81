#ifndef WINDROW_EXECUTE_CHECK_ORDER_H_
#define WINDROW_EXECUTE_CHECK_ORDER_H_

#include <span>

#include "src/access/operation.h"
#include "src/execute/interruption.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Returns the error for the first value of the operation's ascending input that is smaller than the
// one before it. Returns success if there is no such value or no such input, or after an
// interruption. Serial.
Status check_order(const Operation& operation, std::span<const TensorView> inputs,
                   Interruption* interruption = nullptr);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_CHECK_ORDER_H_
