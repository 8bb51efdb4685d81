#ifndef WINDROW_TOOLS_WINDROW_CALL_SPECS_H_
#define WINDROW_TOOLS_WINDROW_CALL_SPECS_H_

#include <memory>
#include <vector>

#include "windrow/operators.h"

namespace windrow::tool {

// What is known of the inputs of a call: the value too, where the plan depends on it. Throws Error.
inline std::vector<TensorSpec> specs_of(const OperatorInfo& info,
                                        const std::vector<TensorView>& inputs) {
  std::vector<TensorSpec> specs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    specs.push_back(inputs[i].spec());
    if (info.inputs[i].value_at_compile && !inputs[i].is_absent())
      specs.back().value = std::make_shared<const Tensor>(Tensor::copy_of(inputs[i]).value());
  }
  return specs;
}

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_CALL_SPECS_H_
