#include "windrow/onnx.h"

#include <array>

#include "src/dialects/onnx/schema.h"
#include "src/operators/call_struct.h"

namespace windrow {

Result<Plan> compile(const onnx::Gather& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("onnx", op, inputs, options);
}
Result<Plan> compile(const onnx::GatherElements& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("onnx", op, inputs, options);
}
Result<Plan> compile(const onnx::GatherND& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("onnx", op, inputs, options);
}
Result<Plan> compile(const onnx::Scatter& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("onnx", op, inputs, options);
}
Result<Plan> compile(const onnx::ScatterElements& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("onnx", op, inputs, options);
}
Result<Plan> compile(const onnx::ScatterND& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("onnx", op, inputs, options);
}
Result<Plan> compile(const onnx::TensorScatter& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("onnx", op, inputs, options);
}
Result<Plan> compile(const onnx::OneHot& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("onnx", op, inputs, options);
}
Result<Plan> compile(const onnx::ArrayFeatureExtractor& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("onnx", op, inputs, options);
}

namespace onnx {

Result<Tensor> gather(const TensorView& data, const TensorView& indices, const Gather& op,
                      const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("onnx", op, std::array{data, indices}, options, run);
}

Result<Tensor> gather_elements(const TensorView& data, const TensorView& indices,
                               const GatherElements& op, const CallOptions& options,
                               const RunOptions& run) {
  return internal::call_struct("onnx", op, std::array{data, indices}, options, run);
}

Result<Tensor> gather_nd(const TensorView& data, const TensorView& indices, const GatherND& op,
                         const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("onnx", op, std::array{data, indices}, options, run);
}

Result<Tensor> scatter(const TensorView& data, const TensorView& indices, const TensorView& updates,
                       const Scatter& op, const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("onnx", op, std::array{data, indices, updates}, options, run);
}

Result<Tensor> scatter_elements(const TensorView& data, const TensorView& indices,
                                const TensorView& updates, const ScatterElements& op,
                                const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("onnx", op, std::array{data, indices, updates}, options, run);
}

Result<Tensor> scatter_nd(const TensorView& data, const TensorView& indices,
                          const TensorView& updates, const ScatterND& op,
                          const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("onnx", op, std::array{data, indices, updates}, options, run);
}

Result<Tensor> tensor_scatter(const TensorView& past_cache, const TensorView& update,
                              const TensorView& write_indices, const TensorScatter& op,
                              const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("onnx", op, std::array{past_cache, update, write_indices}, options,
                               run);
}

Result<Tensor> one_hot(const TensorView& indices, const TensorView& depth, const TensorView& values,
                       const OneHot& op, const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("onnx", op, std::array{indices, depth, values}, options, run);
}

Result<Tensor> array_feature_extractor(const TensorView& x, const TensorView& y,
                                       const ArrayFeatureExtractor& op, const CallOptions& options,
                                       const RunOptions& run) {
  return internal::call_struct("onnx", op, std::array{x, y}, options, run);
}

}  // namespace onnx
}  // namespace windrow
