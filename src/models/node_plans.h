#ifndef WINDROW_MODELS_NODE_PLANS_H_
#define WINDROW_MODELS_NODE_PLANS_H_

#include <map>
#include <memory>
#include <span>
#include <string>

#include "src/models/node_operator.h"
#include "windrow/models.h"

namespace windrow::internal {

// The plans of a model's nodes during one walk over them. Nodes of the same operator whose
// attributes and inputs are equal share one plan: models repeat themselves.
class NodePlans {
 public:
  struct Entry {
    Result<Plan> plan;
    // Plan::description(), once find_described() has been asked for the plan.
    std::shared_ptr<const PlanDescription> description;
  };

  explicit NodePlans(const CallOptions& options) : options_(options) {}

  // The plan, or the error of compile(). Valid until the next call.
  const Result<Plan>& find(const NodeOperator& op, const Attributes& attributes,
                           std::span<const TensorSpec> inputs) {
    return find_entry(op, attributes, inputs).plan;
  }
  // The same with its description, which is null beside an error.
  const Entry& find_described(const NodeOperator& op, const Attributes& attributes,
                              std::span<const TensorSpec> inputs);

 private:
  Entry& find_entry(const NodeOperator& op, const Attributes& attributes,
                    std::span<const TensorSpec> inputs);

  const CallOptions& options_;
  std::string key_;  // of the call that is under way; keeps its memory
  std::map<std::string, Entry> entries_;
};

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_NODE_PLANS_H_
