#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_MODEL_FIXTURE_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_MODEL_FIXTURE_H_

#include <algorithm>
#include <cstddef>
#include <vector>

#include "src/formats/test_support.h"
#include "windrow/models.h"

// Comparing models, for tests.
namespace windrow::internal {

// Whether what a file says beyond the members is compared, too.
enum class Kept { kCompared, kLeftOut };

inline bool same_values(const std::vector<ValueInfo>& a, const std::vector<ValueInfo>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ValueInfo& x, const ValueInfo& y) {
                      return x.name == y.name && x.dtype == y.dtype && x.dims == y.dims;
                    });
}

inline bool same_graph(const Graph& a, const Graph& b, Kept kept);

inline bool same_node(const ModelNode& a, const ModelNode& b, Kept kept) {
  bool same = a.name == b.name && a.op_type == b.op_type && a.inputs == b.inputs &&
              a.outputs == b.outputs && a.version == b.version && a.attributes == b.attributes &&
              a.unsupported == b.unsupported && a.bodies.size() == b.bodies.size() &&
              (kept == Kept::kLeftOut || a.kept == b.kept);
  for (std::size_t i = 0; same && i < a.bodies.size(); ++i)
    same = a.bodies[i].attribute == b.bodies[i].attribute &&
           same_graph(*a.bodies[i].graph, *b.bodies[i].graph, kept);
  return same;
}

inline bool same_graph(const Graph& a, const Graph& b, Kept kept) {
  const auto same_constant = [](const auto& x, const auto& y) {
    return x.first == y.first && same_bits(elements(x.second), elements(y.second));
  };
  const auto same_nodes = [kept](const ModelNode& x, const ModelNode& y) {
    return same_node(x, y, kept);
  };
  return same_values(a.inputs, b.inputs) && same_values(a.outputs, b.outputs) &&
         same_values(a.values, b.values) && a.opaque_constants == b.opaque_constants &&
         (kept == Kept::kLeftOut || (a.name == b.name && a.kept == b.kept)) &&
         std::equal(a.constants.begin(), a.constants.end(), b.constants.begin(), b.constants.end(),
                    same_constant) &&
         std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), same_nodes);
}

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_MODEL_FIXTURE_H_
