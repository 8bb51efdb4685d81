#ifndef WINDROW_TESTS_RANDOM_CALL_PLAN_H_
#define WINDROW_TESTS_RANDOM_CALL_PLAN_H_

#include <optional>
#include <vector>

#include "tests/random/random_shape.h"
#include "tests/random/random_values.h"
#include "tests/random/rng.h"
#include "windrow/attributes.h"
#include "windrow/operators.h"

namespace windrow::tests {

// One input of a random call before it has memory.
struct InputPlan {
  DType dtype = DType::kAbsent;
  Shape shape;
  std::optional<IndexRule> indices;                  // present: an index tensor
  std::optional<std::int64_t> value = std::nullopt;  // of all its elements, if they are not random
  std::vector<std::int64_t> vector =
      {};  // its elements, one after another and over again, likewise
};

// Attributes and inputs that fit each other by the operator's shape rules.
struct CallPlan {
  Attributes attributes;
  std::vector<InputPlan> inputs;
};

// A call of that row of the operator table. Throws std::logic_error for an operator without a
// generator.
CallPlan generate_call(Rng& rng, const OperatorInfo& info);

// One generator per shape rule; `info` is a row of the operators named.
CallPlan generate_gather(Rng& rng, const OperatorInfo& info);
CallPlan generate_gather_elements(Rng& rng, const OperatorInfo& info);
CallPlan generate_gather_nd(Rng& rng, const OperatorInfo& info);
CallPlan generate_scatter_elements(Rng& rng, const OperatorInfo& info);  // Scatter too
CallPlan generate_scatter_nd(Rng& rng, const OperatorInfo& info);
CallPlan generate_tensor_scatter(Rng& rng, const OperatorInfo& info);
CallPlan generate_array_feature_extractor(Rng& rng, const OperatorInfo& info);

// The same for OpenVINO's rows.
CallPlan generate_openvino_call(Rng& rng, const OperatorInfo& info);

// The same for TensorRT's rows.
CallPlan generate_tensorrt_call(Rng& rng, const OperatorInfo& info);

// The same for the rows of the array dialect.
CallPlan generate_array_call(Rng& rng, const OperatorInfo& info);

// Quantised look-ups of any dialect.
CallPlan generate_quantised(Rng& rng, const OperatorInfo& info);

// OneHot of any dialect.
CallPlan generate_one_hot(Rng& rng, const OperatorInfo& info);

// Rows and their segments' ids, in ascending order, without attributes.
CallPlan generate_segments(Rng& rng, const OperatorInfo& info);

// Shapes of data and of indices for one axis: along it the indices may be longer than the data.
struct ElementShapes {
  Shape data;
  Shape indices;
  int axis = 0;
};
ElementShapes random_element_shapes(Rng& rng);

// An element type that the row takes for input `input`.
DType random_dtype(Rng& rng, const OperatorInfo& info, std::size_t input);

// Whether the row has an attribute of that name.
bool has_attribute(const OperatorInfo& info, std::string_view name);

// A reduction that the row takes, or nothing where it has none or the default is left out.
void add_reduction(Rng& rng, const OperatorInfo& info, Attributes& attributes);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_RANDOM_CALL_PLAN_H_
