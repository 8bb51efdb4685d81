#ifndef WINDROW_FIX_H_
#define WINDROW_FIX_H_

#include <string>
#include <vector>

#include "windrow/check.h"
#include "windrow/export.h"
#include "windrow/inference.h"
#include "windrow/models.h"
#include "windrow/status.h"

// Changes of a model after which runtimes differ less on it (docs/design/portability.md). In the
// library windrow::models.
namespace windrow {

// A change of one node for one rule, or why there is none.
struct ModelFix {
  std::string rule;  // the label
  std::string node;  // its path in the model before the change
  // A sentence: what was changed; of a change that was not made, why.
  std::string what;
  // Whether the results are equal wherever the specification defines one, errors included. A change
  // that is not safe gives a value where there was an error.
  bool safe = true;
};

struct FixOptions {
  // Also makes changes that are not safe, and those that keep to the report's contracts.
  bool unsafe = false;
  InferOptions infer;
};

// A changed copy of a model, which shares its constants.
struct FixedModel {
  Model model;
  // Both in the order of nodes; of one node and rule at most one is in either.
  std::vector<ModelFix> applied;
  std::vector<ModelFix> left;  // findings for which nothing was changed
};

// Changes a model where a finding of `report` that is not kCannot asks for it. `report` is that of
// check() on this model; paths of nodes that the model does not have are ignored. New nodes and
// values get names that nothing in the model begins with. Errors: those of Model::infer and of
// reading constants; kUnsupported (a network of TensorRT, which no file holds).
WINDROW_EXPORT Result<FixedModel> fix_model(const Model& model, const CheckReport& report,
                                            const FixOptions& options = {});

}  // namespace windrow

#endif  // WINDROW_FIX_H_
