#include "src/reference/loops.h"

#include <cstdint>
#include <new>
#include <string>
#include <unordered_map>

namespace windrow::internal::reference {
namespace {

// Which update wrote a cell first; both as flat indices.
using Writers = std::unordered_map<std::int64_t, std::int64_t>;

Status out_of_memory(const Call& call) {
  return Status(ErrorCode::kOutOfMemory, "no memory for the elements")
      .with_context(call.operator_name());
}

Result<Tensor> allocate(DType dtype, const Shape& shape) {
  // A packed tensor of odd length has half a byte behind its last element: it gets a value, too.
  return is_packed(dtype) ? Tensor::zeros(dtype, shape) : Tensor::allocate(dtype, shape);
}

Status duplicate(const Call& call, std::string_view updates_name, const Position& later,
                 const Position& first, const Position& cell) {
  const std::string name(updates_name);
  return call.error(ErrorCode::kDuplicate, "D1",
                    name + to_string(later) + " writes the cell at " + to_string(cell) +
                        ", which " + name + to_string(first) + " has written already");
}

Status fold(const Call& call, Tensor& result, const TensorView& updates,
            std::string_view updates_name, Reduction reduction, const Address& address) {
  Writers writers;
  Status status;
  for_each_position(updates.shape, [&](const Position& i) {
    const auto cell = address(i);
    if (!cell) return true;
    if (call.refuses_duplicates(reduction)) {
      const auto [first, fresh] =
          writers.try_emplace(flat_index(result.shape(), *cell), flat_index(updates.shape, i));
      if (!fresh) {
        status = duplicate(call, updates_name, i, position_of(updates.shape, first->second), *cell);
        return false;
      }
    }
    const Element old = read_element(result, *cell);
    write_element(result, *cell, combine(reduction, old, read_element(updates, i)));
    return true;
  });
  return status;
}

}  // namespace

Result<Tensor> gather(const Call& call, const TensorView& data, const Shape& result_shape,
                      const Address& address) {
  auto result = allocate(data.dtype, result_shape);
  if (!result) return result.error().with_context(call.operator_name());
  try {
    for_each_position(result_shape, [&](const Position& i) {
      const auto from = address(i);
      write_element(*result, i, from ? read_element(data, *from) : zero_element(data.dtype));
      return true;
    });
  } catch (const std::bad_alloc&) {
    return out_of_memory(call);
  }
  return result;
}

Result<Tensor> scatter(const Call& call, const TensorView& data, const TensorView& updates,
                       std::string_view updates_name, Reduction reduction, const Address& address) {
  auto result = gather(call, data, data.shape, [](const Position& i) { return i; });
  if (!result) return result;
  try {
    if (Status status = fold(call, *result, updates, updates_name, reduction, address);
        !status.ok())
      return status;
  } catch (const std::bad_alloc&) {
    return out_of_memory(call);
  }
  return result;
}

}  // namespace windrow::internal::reference
