#ifndef WINDROW_FIX_H_
#define WINDROW_FIX_H_

#include <cstdint>
#include <span>
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

struct SampleOptions {
  std::uint64_t seed = 1;
  // Whether integers may lie outside of what contracts say.
  bool breaks_contracts = false;
};

// Random values for every input of a model that has no default. Extents that are not fixed are at
// most 4, and equal where their symbols are; integers lie within their contract (of odd seeds where
// it is near to 0), others are 0 and 1. Errors: kUnsupported (an input of more than 2^26 elements),
// kOutOfMemory.
WINDROW_EXPORT Result<NamedTensors> sample_inputs(const Model& model,
                                                  std::span<const InputContract> contracts,
                                                  const SampleOptions& options = {});

// How the runs of a model before and after a change compare.
struct FixVerification {
  int equal = 0;    // gave the same bits, NaN equal to NaN
  int refused = 0;  // both ended with an error
  int gained = 0;   // gave a value where there was an error
  // The first run that speaks against the change, as a sentence; empty: none does.
  std::string failure;
};

struct VerifyOptions {
  int samples = 16;  // drawn by sample_inputs(), every third one breaks contracts
  std::uint64_t seed = 1;
  std::vector<NamedViews> inputs;  // not empty: the runs, in the place of samples
};

// Runs a model before and after its change. A change fails if a result differs, if an error takes
// the place of a result, if a result takes that of an index out of range though every change is
// safe, and if no run gave a result. Errors: kUnsupported (a node that does not run here), those of
// sample_inputs().
WINDROW_EXPORT Result<FixVerification> verify_fix(const Model& before, const FixedModel& after,
                                                  std::span<const InputContract> contracts,
                                                  const VerifyOptions& options = {});

}  // namespace windrow

#endif  // WINDROW_FIX_H_
