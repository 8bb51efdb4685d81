#include "src/reference/loops.h"

#include <cstdint>
#include <new>
#include <string>
#include <unordered_map>

namespace windrow::internal::reference {
namespace {

// What was written into a cell; positions as flat indices.
struct Writes {
  std::int64_t first = 0;
  std::int64_t count = 0;
};
using WritesByCell = std::unordered_map<std::int64_t, Writes>;

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

// Writes one update into its cell, which `writes` tells of.
void fold_update(Tensor& result, const Position& cell, const Element& update, const Fold& fold,
                 const Writes& writes) {
  const bool fresh = writes.count == 1 && !fold.use_init_val;
  const Element old = fresh && fold.reduction != Reduction::kNone
                          ? neutral_element(update.dtype, fold.reduction)
                          : read_element(result, cell);
  write_element(result, cell, combine(fold.reduction, old, update));
}

Status fold_all(const Call& call, Tensor& result, const TensorView& updates,
                std::string_view updates_name, const Fold& fold, const Address& address) {
  WritesByCell by_cell;
  Status status;
  for_each_position(updates.shape, [&](const Position& i) {
    const auto cell = address(i);
    if (!cell) return true;
    Writes& writes = by_cell[flat_index(result.shape(), *cell)];
    if (writes.count++ == 0) {
      writes.first = flat_index(updates.shape, i);
    } else if (call.refuses_duplicates(fold.reduction)) {
      status = duplicate(call, updates_name, i, position_of(updates.shape, writes.first), *cell);
      return false;
    }
    fold_update(result, *cell, read_element(updates, i), fold, writes);
    return true;
  });
  if (fold.reduction != Reduction::kMean) return status;
  for (const auto& [cell, writes] : by_cell) {
    const Position place = position_of(result.shape(), cell);
    const bool counts = fold.use_init_val && fold.counts_init_val;
    const std::int64_t count = writes.count + (counts ? 1 : 0);
    write_element(result, place, divide(read_element(result, place), count));
  }
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

Result<Tensor> filled(const Call& call, const Element& element, const Shape& shape) {
  auto result = allocate(element.dtype, shape);
  if (!result) return result.error().with_context(call.operator_name());
  for_each_position(shape, [&](const Position& i) {
    write_element(*result, i, element);
    return true;
  });
  return result;
}

Result<Tensor> scatter(const Call& call, const TensorView& data, const TensorView& updates,
                       std::string_view updates_name, const Fold& fold, const Address& address) {
  auto result = gather(call, data, data.shape, [](const Position& i) { return i; });
  if (!result) return result;
  try {
    if (Status status = fold_all(call, *result, updates, updates_name, fold, address); !status)
      return status;
  } catch (const std::bad_alloc&) {
    return out_of_memory(call);
  }
  return result;
}

Result<int> check_batch_count(const Call& call, const BatchCount& names, std::int64_t count,
                              int most) {
  if (count >= 0 && count <= most) return static_cast<int>(count);
  return call.invalid(names.rule, std::string(names.name) + " is " + std::to_string(count) +
                                      ", must be in [0, " + std::to_string(most) + "]");
}

Status check_batches(const Call& call, Batches batches, int batch) {
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  for (int d = 0; d < batch; ++d) {
    const bool repeats = batches == Batches::kRepeated && (data[d] == 1 || indices[d] == 1);
    if (data[d] == indices[d] || repeats) continue;
    return call.shape("C2", "data of shape " + to_string(data) + " and indices of shape " +
                                to_string(indices) + " do not fit together in axis " +
                                std::to_string(d));
  }
  return {};
}

Shape batch_shape(const Shape& data, const Shape& indices, int batch) {
  Shape extents = slice(data, 0, batch);
  for (int axis = 0; axis < batch; ++axis)
    if (extents[axis] == 1) extents[axis] = indices[axis];
  return extents;
}

Position batch_position(const Shape& shape, const Position& p, int batch) {
  Position place = slice(p, 0, batch);
  for (int axis = 0; axis < batch; ++axis)
    if (shape[axis] == 1) place[axis] = 0;
  return place;
}

}  // namespace windrow::internal::reference
