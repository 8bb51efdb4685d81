#include "src/operators/packed.h"

#include <cstring>

#include "src/base/element.h"

namespace windrow::internal {
namespace {

bool walks(const AxisMap& axis, int loop) {
  for (const LoopTerm& term : axis.loops)
    if (term.loop == loop) return true;
  for (const IndexTerm& term : axis.terms)
    for (const IndexCoordinate& coordinate : term.coordinates)
      if (coordinate.loop == loop) return true;
  return false;
}

}  // namespace

DType unpacked_type(DType packed) { return packed == DType::kInt4 ? DType::kInt8 : DType::kUint8; }

std::optional<Operation> as_bytes(const Operation& operation) {
  const AccessMap& map = operation.map;
  if (map.axes.empty() || map.loops.empty() || operation.data_element >= 0) return std::nullopt;
  const int last_loop = map.loops.rank() - 1;
  const AxisMap& last = map.axes.back();
  const bool alone = last.terms.empty() && last.base == 0 && last.loops.size() == 1 &&
                     last.loops.front().loop == last_loop && last.loops.front().coefficient == 1;
  const std::int64_t per_byte = 8 / dtype_bits(operation.dtype);
  if (!alone || last.extent != map.loops.back() || last.extent % per_byte != 0 ||
      operation.result_shape.back() != last.extent)
    return std::nullopt;
  for (std::size_t a = 0; a + 1 < map.axes.size(); ++a)
    if (walks(map.axes[a], last_loop)) return std::nullopt;
  Operation bytes = operation;
  bytes.dtype = DType::kUint8;
  bytes.map.loops.back() /= per_byte;
  bytes.map.axes.back().extent /= per_byte;
  bytes.result_shape.back() /= per_byte;
  return bytes;
}

Result<Tensor> unpack(const TensorView& packed) {
  const DType byte = unpacked_type(packed.dtype);
  Result<Tensor> unpacked = Tensor::allocate(byte, packed.shape);
  if (!unpacked) return unpacked;
  auto* bytes = static_cast<std::uint8_t*>(unpacked->data());
  const std::int64_t count = unpacked->element_count();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint8_t code = get_packed(packed.dtype, packed.data, i);
    bytes[i] = static_cast<std::uint8_t>(byte == DType::kInt8 ? (code ^ 8) - 8 : code);
  }
  return unpacked;
}

void pack(const TensorView& unpacked, const MutableTensorView& packed) {
  const auto* bytes = static_cast<const std::uint8_t*>(unpacked.data);
  const std::int64_t count = element_count(unpacked.shape).value_or(0);
  std::memset(packed.data, 0,
              static_cast<std::size_t>(dense_byte_count(packed.dtype, packed.shape).value_or(0)));
  for (std::int64_t i = 0; i < count; ++i) set_packed(packed.dtype, packed.data, i, bytes[i]);
}

}  // namespace windrow::internal
