#include "tests/random/call_plan.h"

#include <stdexcept>
#include <string>

namespace windrow::tests {
namespace {

constexpr const char* kReductions[] = {"none", "add", "mul", "max", "min"};

}  // namespace

DType random_dtype(Rng& rng, const OperatorInfo& info, std::size_t input) {
  return rng.pick(info.inputs[input].dtypes);
}

bool has_attribute(const OperatorInfo& info, std::string_view name) {
  for (const OperatorAttribute& attribute : info.attributes) {
    if (attribute.name == name) return true;
  }
  return false;
}

void add_reduction(Rng& rng, const OperatorInfo& info, Attributes& attributes) {
  if (!has_attribute(info, "reduction") || rng.chance(15)) return;
  attributes["reduction"] = std::string(rng.pick(kReductions));
}

CallPlan generate_call(Rng& rng, const OperatorInfo& info) {
  if (info.dialect == "openvino") return generate_openvino_call(rng, info);
  if (info.dialect == "tensorrt") return generate_tensorrt_call(rng, info);
  if (info.dialect == "array") return generate_array_call(rng, info);
  if (info.name == "Gather") return generate_gather(rng, info);
  if (info.name == "GatherElements") return generate_gather_elements(rng, info);
  if (info.name == "GatherND") return generate_gather_nd(rng, info);
  if (info.name == "Scatter" || info.name == "ScatterElements")
    return generate_scatter_elements(rng, info);
  if (info.name == "ScatterND") return generate_scatter_nd(rng, info);
  if (info.name == "TensorScatter") return generate_tensor_scatter(rng, info);
  if (info.name == "OneHot") return generate_one_hot(rng, info);
  if (info.name == "ArrayFeatureExtractor") return generate_array_feature_extractor(rng, info);
  if (info.name == "GatherBlockQuantized") return generate_quantised(rng, info);
  throw std::logic_error("no random calls for operator " + info.name);
}

}  // namespace windrow::tests
