#include "src/execute/check_order.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "src/access/evaluate.h"

namespace windrow::internal {
namespace {

// An id mapped to a number of the same order, for all values of its type, including unsigned ids
// above 2^63-1.
using OrderedId = std::uint64_t;

constexpr OrderedId kSign = OrderedId{1} << 63;

OrderedId read_id(DType dtype, const void* data) {
  OrderedId id;
  if (dtype != DType::kUint64) return static_cast<OrderedId>(read_index(dtype, data)) ^ kSign;
  std::memcpy(&id, data, sizeof id);
  return id;
}

std::string to_text(DType dtype, OrderedId id) {
  return dtype == DType::kUint64 ? std::to_string(id)
                                 : std::to_string(static_cast<std::int64_t>(id ^ kSign));
}

// Checking an element takes about as long as copying this number of bytes.
constexpr std::int64_t kIdBytes = 16;

Status falls(const Operation& operation, const std::string& name, std::int64_t position,
             const std::string& id, const std::string& before) {
  ErrorInfo info;
  info.code = ErrorCode::kInvalidArgument;
  info.operator_name = operation.operator_name;
  info.constraint = operation.order_constraint;
  info.message = operation.operator_name + " [" + operation.order_constraint + "]: " + name + "[" +
                 std::to_string(position) + "] is " + id + " after " + before +
                 ", must not be smaller";
  return Status(std::move(info));
}

}  // namespace

Status check_order(const Operation& operation, std::span<const TensorView> inputs,
                   Interruption* interruption) {
  if (operation.ascending_input < 0) return {};
  const auto input = static_cast<std::size_t>(operation.ascending_input);
  const TensorView& view = inputs[input];
  OrderedId before = 0;
  for (std::int64_t i = 0; i < view.shape[0]; ++i) {
    const auto* const at = static_cast<const std::byte*>(view.data) + i * view.strides[0];
    const OrderedId id = read_id(view.dtype, at);
    if (id < before)
      return falls(operation, operation.input_names[input], i, to_text(view.dtype, id),
                   to_text(view.dtype, before));
    before = id;
    if (is_interrupted(interruption, kIdBytes)) break;
  }
  return {};
}

}  // namespace windrow::internal
