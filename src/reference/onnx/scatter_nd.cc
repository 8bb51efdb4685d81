#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/onnx.h"
#include "src/reference/onnx/reduction.h"

namespace windrow::internal::reference {
namespace {

// C1, C2, C3.
Status check(const Call& call, const Shape& data, const Shape& indices, const Shape& updates) {
  const int r = data.rank();
  const int q = indices.rank();
  if (r < 1 || q < 1) {
    return call.shape("C1", "data has rank " + std::to_string(r) + " and indices have rank " +
                                std::to_string(q) + ", must both be at least 1");
  }
  if (indices.back() > r) {
    return call.shape("C2", "indices have " + std::to_string(indices.back()) +
                                " coordinates in the last axis, must be at most " +
                                std::to_string(r) + ", the rank of data");
  }
  Shape expected = slice(indices, 0, q - 1);
  const bool fits = expected.append(data, static_cast<int>(indices.back()), r);
  if (!fits || updates != expected) {
    return call.shape("C3", "updates have shape " + to_string(updates) +
                                ", must have shape indices[:-1] ++ data[" +
                                std::to_string(indices.back()) + ":] with indices of shape " +
                                to_string(indices) + " and data of shape " + to_string(data));
  }
  return {};
}

}  // namespace

Result<Tensor> run(const onnx::ScatterND& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("onnx", "ScatterND", op.version, Direction::kScatter, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const TensorView& updates = inputs[2];
  const auto reduction = parse_reduction(call, op.reduction, op.version, data.dtype);
  if (!reduction) return reduction.error();
  Status status = check(call, data.shape, indices.shape, updates.shape);
  if (!status.ok()) return status;
  const int q = indices.shape.rank();
  const int length = static_cast<int>(indices.shape.back());

  std::vector<IndexRule> rules;
  rules.reserve(static_cast<std::size_t>(length));
  for (int k = 0; k < length; ++k)
    rules.push_back(index_rule(call.policy(), Negatives::kCountFromEnd, data.shape, k));
  status = check_indices(call, {"C4", "indices", "data"}, indices,
                         [&](const Position& p) -> const IndexRule& {
                           return rules[static_cast<std::size_t>(p.back())];
                         });
  if (!status.ok()) return status;

  const Address address = [&](const Position& i) -> std::optional<Position> {
    const Position tuple = slice(i, 0, q - 1);
    Position p;
    for (int k = 0; k < length; ++k) {
      const auto c =
          coordinate(rules[static_cast<std::size_t>(k)], read_index(indices, tuple + Position{k}));
      if (!c) return std::nullopt;
      p.push_back(*c);
    }
    return p + tail(i, q - 1);
  };
  return scatter(call, data, updates, "updates", *reduction, address);
}

}  // namespace windrow::internal::reference
