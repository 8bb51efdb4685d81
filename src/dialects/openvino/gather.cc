#include <algorithm>
#include <string>
#include <utility>

#include "src/dialects/gather_rules.h"
#include "src/dialects/maps.h"
#include "src/dialects/openvino/axis_input.h"
#include "src/dialects/openvino/build.h"

namespace windrow::internal {
namespace {

constexpr int kAxis = 2;

// A4, both ranks being known. `batch_dims` is counted from the front.
Status check_batch_dims(const Rules& rules, std::int64_t given, std::int64_t batch_dims,
                        const KnownInput& data, const KnownInput& indices,
                        std::optional<std::int64_t> axis) {
  const std::int64_t most = std::min(data.rank(), indices.rank());
  const std::int64_t last = axis.value_or(data.rank() - 1);
  if (given >= -most && given <= most && batch_dims >= 0 && batch_dims <= last) return {};
  return rules.invalid("A4", "batch_dims is " + std::to_string(given) + ", must be in [" +
                                 std::to_string(-most) + ", " + std::to_string(most) +
                                 "] and, counted from the front of indices, at most " +
                                 (axis ? "axis " : "the last axis, ") + std::to_string(last) +
                                 " (" + with_rank(data) + ", " + with_rank(indices) + ")");
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const openvino::Gather& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  const KnownInput& data = inputs[0];
  const KnownInput& indices = inputs[1];
  if (Status status = check_has_axes(rules, "C1", data); !status) return status;
  const auto axis = check_axis_input(rules, inputs[kAxis], data);
  if (!axis) return axis.error();
  if (!data.has_rank() || !indices.has_rank()) return SymbolicShape();
  const int b = normal_axis(op.batch_dims, static_cast<int>(indices.rank()));
  if (Status status = check_batch_dims(rules, op.batch_dims, b, data, indices, *axis); !status)
    return status;
  if (Status status = check_batch_axes(rules, data, indices, b, false); !status) return status;
  const std::int64_t rank = data.rank() + indices.rank() - 1 - b;
  if (Status status = check_result_rank(rules, "C3", rank); !status) return status;
  SymbolicDims result = slice_dims(data, indices, axis->value_or(data.rank() - 1), b);
  // Without the axis the extents behind the batch axes are not known.
  if (!*axis) std::fill(result.begin() + b, result.end(), Dim());
  return SymbolicShape(std::move(result));
}

Operation build(const Rules& rules, const openvino::Gather& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const Shape& indices = inputs[1].shape;
  const IndexUse use = index_use(op, options, 8);
  AccessMap map = slice_map(inputs[0].shape, indices, axis_value(inputs[kAxis], inputs[0]),
                            normal_axis(op.batch_dims, indices.rank()), use);
  Operation operation = gather_operation(rules, std::move(map), use, "C4");
  operation.fixed_inputs = {kAxis};
  return operation;
}

}  // namespace windrow::internal
