#include "src/execute/check_order.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "src/access/evaluate.h"

namespace windrow::internal {
namespace {

Status falls(const Operation& operation, const std::string& name, std::int64_t position,
             std::int64_t value, std::int64_t before) {
  ErrorInfo info;
  info.code = ErrorCode::kInvalidArgument;
  info.operator_name = operation.operator_name;
  info.constraint = operation.order_constraint;
  info.message = operation.operator_name + " [" + operation.order_constraint + "]: " + name + "[" +
                 std::to_string(position) + "] is " + std::to_string(value) + " after " +
                 std::to_string(before) + ", must not be smaller";
  return Status(std::move(info));
}

}  // namespace

Status check_order(const Operation& operation, std::span<const TensorView> inputs) {
  if (operation.ascending_input < 0) return {};
  const auto input = static_cast<std::size_t>(operation.ascending_input);
  const TensorView& view = inputs[input];
  std::int64_t before = std::numeric_limits<std::int64_t>::min();
  for (std::int64_t i = 0; i < view.shape[0]; ++i) {
    const auto* const at = static_cast<const std::byte*>(view.data) + i * view.strides[0];
    const std::int64_t value = read_index(view.dtype, at);
    if (value < before) return falls(operation, operation.input_names[input], i, value, before);
    before = value;
  }
  return {};
}

}  // namespace windrow::internal
