#include <algorithm>

#include "src/dialects/infer_rules.h"
#include "src/dialects/onnx/infer_shape.h"
#include "src/dialects/tuple_gather.h"

namespace windrow::internal {
namespace {

// Appends dims[from:].
void append_from(SymbolicDims& result, const InferredInput& input, std::int64_t from) {
  for (std::int64_t axis = from; axis < input.rank(); ++axis) result.push_back(input[axis]);
}

}  // namespace

Result<SymbolicShape> infer_shape(const onnx::Gather& op, std::span<const SymbolicShape> inputs) {
  const Rules rules("onnx", "Gather", op.version);
  const InferredInput data("data", inputs[0]);
  const InferredInput indices("indices", inputs[1]);
  if (Status status = check_rank(rules, "C1", data, 1); !status) return status;
  if (Status status = check_axis(rules, op.axis, data); !status) return status;
  if (!data.has_rank() || !indices.has_rank()) return SymbolicShape();
  const Status status = check_result_rank(rules, "C2", data.rank() + indices.rank() - 1);
  if (!status) return status;

  const std::int64_t axis = resolve_axis(op.axis, data.rank());
  SymbolicDims result(data.dims->begin(), data.dims->begin() + axis);
  append_from(result, indices, 0);
  append_from(result, data, axis + 1);
  return SymbolicShape(std::move(result));
}

Result<SymbolicShape> infer_shape(const onnx::GatherElements& op,
                                  std::span<const SymbolicShape> inputs) {
  const Rules rules("onnx", "GatherElements", op.version);
  const InferredInput data("data", inputs[0]);
  const InferredInput indices("indices", inputs[1]);
  if (Status status = check_common_rank(rules, data, indices); !status) return status;
  for (const InferredInput* input : {&data, &indices}) {
    if (Status status = check_axis(rules, op.axis, *input); !status) return status;
  }
  if (!data.has_rank() || !indices.has_rank()) return inputs[1];

  const Status status = check_not_longer(rules, data, indices, resolve_axis(op.axis, data.rank()));
  if (!status) return status;
  return inputs[1];
}

Result<SymbolicShape> infer_shape(const onnx::GatherND& op, std::span<const SymbolicShape> inputs) {
  return infer_tuple_gather(Rules("onnx", "GatherND", op.version), {op.batch_dims},
                            InferredInput("data", inputs[0]), InferredInput("indices", inputs[1]));
}

Result<SymbolicShape> infer_shape(const onnx::ArrayFeatureExtractor& op,
                                  std::span<const SymbolicShape> inputs) {
  const Rules rules("onnx", "ArrayFeatureExtractor", op.version);
  const InferredInput x("X", inputs[0]);
  const InferredInput y("Y", inputs[1]);
  if (Status status = check_rank(rules, "C1", x, 1); !status) return status;
  if (!x.has_rank()) return SymbolicShape();

  Dim count;
  const bool all_known = y.has_rank() && std::all_of(y.dims->begin(), y.dims->end(),
                                                     [](const Dim& dim) { return dim.is_known(); });
  if (all_known) {
    count.value = 1;
    for (const Dim& dim : *y.dims) {
      if (__builtin_mul_overflow(count.value, dim.value, &count.value)) return SymbolicShape();
    }
  } else if (y.has_rank() && y.rank() == 1) {
    count = y[0];
  }
  SymbolicDims result(x.dims->begin(), x.dims->end() - 1);
  if (result.empty()) result.push_back({1, {}});
  result.push_back(count);
  return SymbolicShape(std::move(result));
}

}  // namespace windrow::internal
