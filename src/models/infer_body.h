#ifndef WINDROW_MODELS_INFER_BODY_H_
#define WINDROW_MODELS_INFER_BODY_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "src/models/inferred_graph.h"
#include "src/models/knowledge.h"
#include "windrow/models.h"

// How the values of ONNX's If, Loop and Scan follow from those of their bodies, and vice versa.
namespace windrow::internal {

// Fills in what is known of a body's values, given what is known of its inputs.
using InferBody = std::function<Status(InferredGraph& body, std::span<const Knowledge> inputs)>;

// How much may be spent on finding which shapes stay the same from one iteration to the next. A
// loop goes through its body at most three times, and so does each loop in it.
struct LoopBudget {
  std::size_t looked_at = 0;  // nodes of bodies of loops, in all passes
  std::size_t depth = 0;      // loops around what is looked at
  bool was_spent = false;     // whether a loop went without it
};

// The next three functions return what is known about the node's outputs, by position. `inputs` are
// those of the node. Errors: those of `infer`.
Result<std::vector<Knowledge>> infer_if(std::span<const std::unique_ptr<InferredGraph>> branches,
                                        const InferBody& infer);
Result<std::vector<Knowledge>> infer_loop(InferredGraph& body, std::vector<Knowledge> inputs,
                                          LoopBudget& budget, const InferBody& infer);
// For opset 9 and later.
Result<std::vector<Knowledge>> infer_scan(const ModelNode& node, InferredGraph& body,
                                          const std::vector<Knowledge>& inputs, LoopBudget& budget,
                                          const InferBody& infer);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_INFER_BODY_H_
