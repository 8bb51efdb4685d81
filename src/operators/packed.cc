#include "src/operators/packed.h"

#include "src/base/float_types.h"

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

std::optional<Operation> as_bytes(const Operation& operation) {
  const AccessMap& map = operation.map;
  if (map.axes.empty() || map.loops.empty()) return std::nullopt;
  const int last_loop = map.loops.rank() - 1;
  const AxisMap& last = map.axes.back();
  const bool alone = last.terms.empty() && last.base == 0 && last.loops.size() == 1 &&
                     last.loops.front().loop == last_loop && last.loops.front().coefficient == 1;
  if (!alone || last.extent != map.loops.back() || last.extent % 2 != 0 ||
      operation.result_shape.back() != last.extent)
    return std::nullopt;
  for (std::size_t a = 0; a + 1 < map.axes.size(); ++a)
    if (walks(map.axes[a], last_loop)) return std::nullopt;
  Operation bytes = operation;
  bytes.dtype = DType::kUint8;
  bytes.map.loops.back() /= 2;
  bytes.map.axes.back().extent /= 2;
  bytes.result_shape.back() /= 2;
  return bytes;
}

Result<Tensor> unpack(const TensorView& packed) {
  Result<Tensor> unpacked = Tensor::allocate(DType::kUint8, packed.shape);
  if (!unpacked) return unpacked;
  auto* bytes = static_cast<std::uint8_t*>(unpacked->data());
  const std::int64_t count = unpacked->element_count();
  for (std::int64_t i = 0; i < count; ++i) bytes[i] = get_nibble(packed.data, i);
  return unpacked;
}

void pack(const TensorView& unpacked, const MutableTensorView& packed) {
  const auto* bytes = static_cast<const std::uint8_t*>(unpacked.data);
  const std::int64_t count = element_count(unpacked.shape).value_or(0);
  auto* out = static_cast<std::uint8_t*>(packed.data);
  for (std::int64_t i = 0; i + 1 < count; i += 2)
    out[i / 2] = static_cast<std::uint8_t>(bytes[i] | (bytes[i + 1] << 4));
  if (count % 2 != 0) out[count / 2] = bytes[count - 1];
}

}  // namespace windrow::internal
