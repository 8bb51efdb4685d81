#include "windrow/tensorrt.h"

#include <array>

#include "src/dialects/tensorrt/schema.h"
#include "src/operators/call_struct.h"

namespace windrow {

Result<Plan> compile(const tensorrt::Gather& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("tensorrt", op, inputs, options);
}
Result<Plan> compile(const tensorrt::Scatter& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("tensorrt", op, inputs, options);
}
Result<Plan> compile(const tensorrt::OneHot& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("tensorrt", op, inputs, options);
}
Result<Plan> compile(const tensorrt::KVCacheUpdate& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("tensorrt", op, inputs, options);
}

namespace tensorrt {

Result<Tensor> gather(const TensorView& data, const TensorView& indices, const Gather& op,
                      const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("tensorrt", op, std::array{data, indices}, options, run);
}

Result<Tensor> scatter(const TensorView& data, const TensorView& indices, const TensorView& updates,
                       const Scatter& op, const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("tensorrt", op, std::array{data, indices, updates}, options, run);
}

Result<Tensor> one_hot(const TensorView& indices, const TensorView& values, const TensorView& depth,
                       const OneHot& op, const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("tensorrt", op, std::array{indices, values, depth}, options, run);
}

Result<Tensor> kv_cache_update(const TensorView& cache, const TensorView& update,
                               const TensorView& write_indices, const KVCacheUpdate& op,
                               const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("tensorrt", op, std::array{cache, update, write_indices}, options,
                               run);
}

}  // namespace tensorrt
}  // namespace windrow
