#include "src/arrow/id_runs.h"

#include <string>

#include "src/arrow/input.h"

namespace windrow::arrow {

Result<std::vector<IdRun>> runs_of(const Ids& ids) {
  std::vector<IdRun> runs;
  if (!ids.column) {
    const TensorView& tensor = ids.tensor;
    if (!is_integer(tensor.dtype) || is_packed(tensor.dtype))
      return Status(ErrorCode::kType, "ids are of type " + std::string(dtype_name(tensor.dtype)) +
                                          ", must be integers of 8 to 64 bits");
    if (tensor.shape.rank() != 1)
      return Status(ErrorCode::kShape,
                    "ids have the shape " + to_string(tensor.shape) + ", must have one axis");
    runs.push_back({tensor.dtype, static_cast<const std::byte*>(tensor.data), tensor.strides[0],
                    tensor.shape[0], reinterpret_cast<const std::byte*>(ids.validity), 0});
    return runs;
  }
  const InputState& state = ids.column->state();
  const Format& type = state.field.type;
  if (type.layout != Layout::kNull && type.integer == DType::kAbsent)
    return Status(ErrorCode::kType, state.place.text() + " has the Arrow format '" +
                                        state.field.format + "', must be integers of 8 to 64 bits");
  if (type.layout == Layout::kNull && state.length > 0)
    return Status(ErrorCode::kType, "ids have the type null, must be integers of 8 to 64 bits");
  for (const Chunk& chunk : state.chunks)
    runs.push_back({type.integer, chunk.data + chunk.first * type.width, type.width, chunk.length,
                    chunk.validity, chunk.first});
  return runs;
}

}  // namespace windrow::arrow
