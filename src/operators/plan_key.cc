#include "src/operators/plan_key.h"

#include <cstring>

namespace windrow::internal {
namespace {

// Packs small numbers into one word.
template <class... Numbers>
std::uint64_t packed(Numbers... numbers) noexcept {
  std::uint64_t word = 0;
  ((word = word << 8U | static_cast<std::uint8_t>(numbers)), ...);
  return word;
}

}  // namespace

KnownElement read_element(const TensorView& view) noexcept {
  KnownElement element;
  if (view.is_absent() || view.data == nullptr || view.dtype == DType::kString) return element;
  if (element_count(view.shape) != 1) return element;
  element.size = static_cast<std::size_t>(dtype_bits(view.dtype) + 7) / 8;
  std::memcpy(element.bytes.data(), view.data, element.size);
  return element;
}

PlanKey::PlanKey(const OperatorCall& call, const CallOptions& options,
                 std::string_view kernels) noexcept {
  add(reinterpret_cast<std::uintptr_t>(&call.row));
  add(packed(options.out_of_range.has_value(), options.out_of_range.value_or(OutOfRange::kError),
             options.strict, options.duplicates, kernels.empty()));
  if (!kernels.empty()) add(kernels);
  call.row.add_to_key(call.op, *this);
}

void PlanKey::add_layout(DType dtype, const Shape& shape, const Strides* strides,
                         bool has_value) noexcept {
  add(packed(dtype, shape.rank(), strides == nullptr ? 0 : strides->rank() + 1, has_value));
  add(shape);
  if (strides != nullptr) add(*strides);
}

void PlanKey::add_value(DType dtype, const Shape& shape, std::string_view bytes) noexcept {
  add(packed(dtype, shape.rank()));
  add(shape);
  add(bytes);
}

void PlanKey::add_input(const TensorSpec& spec) noexcept {
  const Tensor* value = spec.value.get();
  add_layout(spec.dtype, spec.shape, spec.strides ? &*spec.strides : nullptr, value != nullptr);
  if (value == nullptr) return;
  if (value->dtype() == DType::kString) return refuse();  // no operator is compiled for a string
  add_value(
      value->dtype(), value->shape(),
      {static_cast<const char*>(value->data()), static_cast<std::size_t>(value->byte_count())});
}

void PlanKey::add_input(const TensorView& view, const KnownElement& value) noexcept {
  const bool has_value = value.size != 0;
  add_layout(view.dtype, view.shape, view.is_dense() ? nullptr : &view.strides, has_value);
  if (has_value)
    add_value(view.dtype, view.shape,
              {reinterpret_cast<const char*>(value.bytes.data()), value.size});
}

}  // namespace windrow::internal
