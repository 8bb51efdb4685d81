#include "windrow/array.h"

#include <array>

#include "src/dialects/array/schema.h"
#include "src/operators/call_struct.h"

namespace windrow {

Result<Plan> compile(const array::Take& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("array", op, inputs, options);
}
Result<Plan> compile(const array::TakeAlongAxis& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("array", op, inputs, options);
}
Result<Plan> compile(const array::PutAlongAxis& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("array", op, inputs, options);
}
Result<Plan> compile(const array::IndexAdd& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("array", op, inputs, options);
}
Result<Plan> compile(const array::IndexReduce& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("array", op, inputs, options);
}
Result<Plan> compile(const array::SegmentReduce& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("array", op, inputs, options);
}

namespace array {

Result<Tensor> take(const TensorView& data, const TensorView& indices, const Take& op,
                    const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("array", op, std::array{data, indices}, options, run);
}

Result<Tensor> take_along_axis(const TensorView& data, const TensorView& indices,
                               const TakeAlongAxis& op, const CallOptions& options,
                               const RunOptions& run) {
  return internal::call_struct("array", op, std::array{data, indices}, options, run);
}

Result<Tensor> put_along_axis(const TensorView& data, const TensorView& indices,
                              const TensorView& values, const PutAlongAxis& op,
                              const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("array", op, std::array{data, indices, values}, options, run);
}

Result<Tensor> index_add(const TensorView& data, const TensorView& indices,
                         const TensorView& updates, const IndexAdd& op, const CallOptions& options,
                         const RunOptions& run) {
  return internal::call_struct("array", op, std::array{data, indices, updates}, options, run);
}

Result<Tensor> index_reduce(const TensorView& data, const TensorView& indices,
                            const TensorView& updates, const IndexReduce& op,
                            const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("array", op, std::array{data, indices, updates}, options, run);
}

Result<Tensor> segment_reduce(const TensorView& data, const TensorView& segment_ids,
                              const SegmentReduce& op, const CallOptions& options,
                              const RunOptions& run) {
  return internal::call_struct("array", op, std::array{data, segment_ids}, options, run);
}

}  // namespace array
}  // namespace windrow
