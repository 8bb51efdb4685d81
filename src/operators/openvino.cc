#include "windrow/openvino.h"

#include <array>

#include "src/dialects/openvino/schema.h"
#include "src/operators/call_struct.h"

namespace windrow {

Result<Plan> compile(const openvino::Gather& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("openvino", op, inputs, options);
}
Result<Plan> compile(const openvino::GatherElements& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("openvino", op, inputs, options);
}
Result<Plan> compile(const openvino::GatherND& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("openvino", op, inputs, options);
}
Result<Plan> compile(const openvino::ScatterUpdate& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("openvino", op, inputs, options);
}
Result<Plan> compile(const openvino::ScatterElementsUpdate& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("openvino", op, inputs, options);
}
Result<Plan> compile(const openvino::ScatterNDUpdate& op, std::span<const TensorSpec> inputs,
                     const CallOptions& options) {
  return internal::compile_struct("openvino", op, inputs, options);
}

namespace openvino {

Result<Tensor> gather(const TensorView& data, const TensorView& indices, const TensorView& axis,
                      const Gather& op, const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("openvino", op, std::array{data, indices, axis}, options, run);
}

Result<Tensor> gather_elements(const TensorView& data, const TensorView& indices,
                               const GatherElements& op, const CallOptions& options,
                               const RunOptions& run) {
  return internal::call_struct("openvino", op, std::array{data, indices}, options, run);
}

Result<Tensor> gather_nd(const TensorView& data, const TensorView& indices, const GatherND& op,
                         const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("openvino", op, std::array{data, indices}, options, run);
}

Result<Tensor> scatter_update(const TensorView& data, const TensorView& indices,
                              const TensorView& updates, const TensorView& axis,
                              const ScatterUpdate& op, const CallOptions& options,
                              const RunOptions& run) {
  return internal::call_struct("openvino", op, std::array{data, indices, updates, axis}, options,
                               run);
}

Result<Tensor> scatter_elements_update(const TensorView& data, const TensorView& indices,
                                       const TensorView& updates, const TensorView& axis,
                                       const ScatterElementsUpdate& op, const CallOptions& options,
                                       const RunOptions& run) {
  return internal::call_struct("openvino", op, std::array{data, indices, updates, axis}, options,
                               run);
}

Result<Tensor> scatter_nd_update(const TensorView& data, const TensorView& indices,
                                 const TensorView& updates, const ScatterNDUpdate& op,
                                 const CallOptions& options, const RunOptions& run) {
  return internal::call_struct("openvino", op, std::array{data, indices, updates}, options, run);
}

}  // namespace openvino
}  // namespace windrow
