#ifndef WINDROW_PLUGINS_OPENVINO_CALL_INPUTS_H_
#define WINDROW_PLUGINS_OPENVINO_CALL_INPUTS_H_

#include <cstdint>
#include <list>
#include <openvino/runtime/tensor.hpp>
#include <vector>

#include "plugins/openvino/operator_row.h"
#include "windrow/call_cache.h"

namespace windrow::openvino_plugin {

// The type in which an operator takes an input: the tensor's own type, or int64 for narrower signed
// indices if the operator takes no others, because the host narrows 64-bit inputs. WINDROW_ABSENT
// if there is none.
windrow_dtype accepted_type(const windrow_operator_input& input, const ov::element::Type& type);

// The host's tensors as the C interface takes them. Refers to the host's tensors, which must
// outlive it.
class CallInputs {
 public:
  CallInputs(const OperatorRow& row, const ov::TensorVector& tensors);
  CallInputs(const CallInputs&) = delete;
  CallInputs& operator=(const CallInputs&) = delete;

  const std::vector<windrow_tensor>& tensors() const { return tensors_; }
  // Types, shapes, and the values that the plan depends on.
  CallKey key() const;

 private:
  void add(const windrow_operator_input& input, const ov::Tensor& tensor);
  void widen(const ov::Tensor& tensor);

  const OperatorRow& row_;
  std::vector<windrow_tensor> tensors_;
  // Memory for values that are not in the required form.
  std::list<std::vector<std::int64_t>> numbers_;
};

// The extents of a shape as the C interface takes them.
const std::int64_t* extents_of(const ov::Shape& shape);

}  // namespace windrow::openvino_plugin

#endif  // WINDROW_PLUGINS_OPENVINO_CALL_INPUTS_H_
