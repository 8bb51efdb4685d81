#include "windrow/onnx.h"

#include <array>

#include "src/operators/operator_row.h"
#include "src/operators/parse_attributes.h"
#include "windrow/operators.h"

namespace windrow {
namespace {

template <class Op>
Result<Plan> compile_struct(const Op& op, std::span<const TensorSpec> inputs,
                            const CallOptions& options) {
  const auto row = internal::find_row("onnx", internal::Schema<Op>::kName, op.version);
  if (!row) return row.error();
  return compile(OperatorId{"onnx", std::string((*row)->name), op.version},
                 internal::name_attributes(**row, op), inputs, options);
}

template <class Op, std::size_t kInputs>
Result<Tensor> call_struct(const Op& op, const std::array<TensorView, kInputs>& inputs,
                           const CallOptions& options, const RunOptions& run) {
  std::array<TensorSpec, kInputs> specs;
  for (std::size_t i = 0; i < kInputs; ++i) specs[i] = inputs[i].spec();
  const Result<Plan> plan = compile_struct(op, specs, options);
  if (!plan) return plan.error();
  return plan->run(inputs, run);
}

}  // namespace

Result<Plan> compile(const onnx::Gather& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return compile_struct(op, inputs, options);
}
Result<Plan> compile(const onnx::GatherElements& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return compile_struct(op, inputs, options);
}
Result<Plan> compile(const onnx::GatherND& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return compile_struct(op, inputs, options);
}
Result<Plan> compile(const onnx::Scatter& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return compile_struct(op, inputs, options);
}
Result<Plan> compile(const onnx::ScatterElements& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return compile_struct(op, inputs, options);
}
Result<Plan> compile(const onnx::ScatterND& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return compile_struct(op, inputs, options);
}
Result<Plan> compile(const onnx::TensorScatter& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return compile_struct(op, inputs, options);
}
Result<Plan> compile(const onnx::ArrayFeatureExtractor& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return compile_struct(op, inputs, options);
}

namespace onnx {

Result<Tensor> gather(const TensorView& data, const TensorView& indices, const Gather& op,
                      const CallOptions& options, const RunOptions& run) {
  return call_struct(op, std::array{data, indices}, options, run);
}

Result<Tensor> gather_elements(const TensorView& data, const TensorView& indices,
                               const GatherElements& op, const CallOptions& options,
                               const RunOptions& run) {
  return call_struct(op, std::array{data, indices}, options, run);
}

Result<Tensor> gather_nd(const TensorView& data, const TensorView& indices, const GatherND& op,
                         const CallOptions& options, const RunOptions& run) {
  return call_struct(op, std::array{data, indices}, options, run);
}

Result<Tensor> scatter(const TensorView& data, const TensorView& indices, const TensorView& updates,
                       const Scatter& op, const CallOptions& options, const RunOptions& run) {
  return call_struct(op, std::array{data, indices, updates}, options, run);
}

Result<Tensor> scatter_elements(const TensorView& data, const TensorView& indices,
                                const TensorView& updates, const ScatterElements& op,
                                const CallOptions& options, const RunOptions& run) {
  return call_struct(op, std::array{data, indices, updates}, options, run);
}

Result<Tensor> scatter_nd(const TensorView& data, const TensorView& indices,
                          const TensorView& updates, const ScatterND& op,
                          const CallOptions& options, const RunOptions& run) {
  return call_struct(op, std::array{data, indices, updates}, options, run);
}

Result<Tensor> tensor_scatter(const TensorView& past_cache, const TensorView& update,
                              const TensorView& write_indices, const TensorScatter& op,
                              const CallOptions& options, const RunOptions& run) {
  return call_struct(op, std::array{past_cache, update, write_indices}, options, run);
}

Result<Tensor> array_feature_extractor(const TensorView& x, const TensorView& y,
                                       const ArrayFeatureExtractor& op, const CallOptions& options,
                                       const RunOptions& run) {
  return call_struct(op, std::array{x, y}, options, run);
}

}  // namespace onnx
}  // namespace windrow
