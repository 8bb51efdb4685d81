#ifndef WINDROW_REFERENCE_TESTING_H_
#define WINDROW_REFERENCE_TESTING_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "src/reference/call.h"

// Short forms for the tests of the reference.
namespace windrow::internal::reference {

template <class Operator>
Result<Tensor> call(const Operator& op, std::initializer_list<TensorView> inputs,
                    const CallOptions& options = {}) {
  return run(op, std::span<const TensorView>(inputs.begin(), inputs.size()), options);
}

inline Tensor floats(const Shape& shape, std::initializer_list<float> values) {
  return Tensor::of<float>(shape, values);
}

inline Tensor int64s(const Shape& shape, std::initializer_list<std::int64_t> values) {
  return Tensor::of<std::int64_t>(shape, values);
}

// A tensor of any type from the bits of its elements (or bytes).
template <class Bits>
Tensor from_bits(DType dtype, const Shape& shape, std::initializer_list<Bits> bits) {
  return Tensor::copy_of(TensorView(dtype, shape, bits.begin())).value();
}

inline Tensor empty(DType dtype, const Shape& shape) { return Tensor::zeros(dtype, shape).value(); }

template <class Bits>
std::vector<Bits> bits_of(const Tensor& tensor) {
  const auto* first = static_cast<const Bits*>(tensor.data());
  return {first, first + static_cast<std::size_t>(tensor.byte_count()) / sizeof(Bits)};
}

// The result has this shape and these elements, bit for bit.
template <class Bits>
void expect_result(const Result<Tensor>& result, const Shape& shape,
                   std::type_identity_t<std::vector<Bits>> elements) {
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->shape(), shape);
  EXPECT_EQ(bits_of<Bits>(*result), elements);
}

// The call failed with this code, breaking the rule with this label.
inline void expect_error(const Result<Tensor>& result, ErrorCode code, std::string_view label) {
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), code) << result.error().message();
  EXPECT_EQ(result.error().constraint(), label) << result.error().message();
  EXPECT_EQ(result.error().index_fault() != nullptr, code == ErrorCode::kIndexOutOfRange);
}

inline CallOptions with(OutOfRange policy) {
  CallOptions options;
  options.out_of_range = policy;
  return options;
}

inline CallOptions strictly() {
  CallOptions options;
  options.strict = true;
  return options;
}

inline CallOptions no_duplicates() {
  CallOptions options;
  options.duplicates = Duplicates::kError;
  return options;
}

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_TESTING_H_
