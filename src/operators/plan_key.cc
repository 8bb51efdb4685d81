#include "src/operators/plan_key.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "src/operators/chosen_tuning.h"

namespace windrow::internal {

PlanKey::PlanKey(const OperatorId& id, const Attributes& attributes,
                 std::span<const TensorSpec> inputs, const CallOptions& options) noexcept {
  add(id.dialect);
  add(id.name);
  add(id.version.has_value());
  add(id.version.value_or(0));
  add(attributes.size());
  for (const auto& [name, value] : attributes) {
    add(name);
    add_attribute(value);
  }
  add(inputs.size());
  for (const TensorSpec& spec : inputs) add_spec(spec);
  add(options.out_of_range.has_value());
  add(options.out_of_range.value_or(OutOfRange::kError));
  add(options.strict);
  add(options.duplicates);
  add(chosen_kernels(options));
}

template <class T>
void PlanKey::add_list(const T& values) noexcept {
  add(values.size());
  for (const auto& value : values) add(value);
}

void PlanKey::add(const Dims& dims) noexcept {
  add(dims.rank());
  add_bytes(dims.begin(), sizeof(std::int64_t) * static_cast<std::size_t>(dims.rank()));
}

void PlanKey::add_attribute(const AttributeValue& value) noexcept {
  add(value.index());
  std::visit(
      [this]<class T>(const T& held) {
        if constexpr (std::is_same_v<T, std::shared_ptr<const Tensor>>) {
          fits_ = false;
        } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
          add(held);
        } else {
          add_list(held);
        }
      },
      value);
}

void PlanKey::add_tensor(const Tensor& tensor) noexcept {
  add(tensor.dtype());
  add(tensor.shape());
  if (tensor.dtype() == DType::kString) {
    for (const std::string& element : tensor.values<std::string>()) add(element);
  } else {
    add_bytes(tensor.data(), static_cast<std::size_t>(tensor.byte_count()));
  }
}

void PlanKey::add_spec(const TensorSpec& spec) noexcept {
  add(spec.dtype);
  add(spec.shape);
  add(spec.strides.has_value());
  if (spec.strides) add(*spec.strides);
  add(spec.value != nullptr);
  if (spec.value != nullptr) add_tensor(*spec.value);
}

std::uint64_t PlanKey::hash() const noexcept {
  std::uint64_t mixed = size_;
  std::size_t at = 0;
  const auto mix = [&mixed](std::uint64_t word) {
    mixed = (mixed ^ word) * 0x9E3779B97F4A7C15U;
    mixed ^= mixed >> 29U;
  };
  for (; size_ - at >= sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes_ + at, sizeof(word));
    mix(word);
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, bytes_ + at, size_ - at);
  mix(rest);
  return mixed;
}

}  // namespace windrow::internal
