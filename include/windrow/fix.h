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

// Changes to a model that reduce the differences between runtimes (docs/design/portability.md). In
// the library windrow::models.
namespace windrow {

// A change of one node for one rule, or the reason why there is none.
struct ModelFix {
  std::string rule;  // the label
  std::string node;  // its path in the model before the change
  // A sentence: what was changed, or why nothing was changed.
  std::string what;
  // Whether the results are equal wherever the specification defines one, errors included. A change
  // that is not safe gives a value where there was an error, or rounds otherwise.
  bool safe = true;
  // Whether the results may be rounded differently; such a change is not safe.
  bool rounds = false;
};

struct FixOptions {
  // Also makes changes that are not safe, and those that rely on the report's contracts.
  bool unsafe = false;
  InferOptions infer;
};

// A changed copy of a model; the copy shares its constants.
struct FixedModel {
  Model model;
  // In the order of nodes.
  std::vector<ModelFix> applied;
  // Findings for which nothing was changed, in the order of nodes; behind them those of unsafe
  // changes that nothing proves to be enough in every run, which are among `applied`, too.
  std::vector<ModelFix> left;
};

// Changes a model where a finding of `report` that is not kCannot calls for it. `report` must be
// the result of check() for this model; paths of nodes that the model does not have are ignored.
// The changed model is checked again: a change after which its finding is still there, or that
// brings a new one, is not made.
// New nodes and values get names with which nothing in the model begins. Errors: those of
// check() and of reading constants; kUnsupported (a network of TensorRT, which no file holds).
WINDROW_EXPORT Result<FixedModel> fix_model(const Model& model, const CheckReport& report,
                                            const FixOptions& options = {});

struct SampleOptions {
  std::uint64_t seed = 1;
  // Whether integers may lie outside their contracts.
  bool breaks_contracts = false;
};

// Random values for every input of a model that has no default. Extents that are not fixed are at
// most 4, and equal where their symbols are. Integers lie within their contract (for odd seeds in
// the part of it near 0); other integers are 0 or 1. Errors: kUnsupported (an input of more than
// 2^26 elements), kOutOfMemory.
WINDROW_EXPORT Result<NamedTensors> sample_inputs(const Model& model,
                                                  std::span<const InputContract> contracts,
                                                  const SampleOptions& options = {});

// How the runs of a model before and after a change compare.
struct FixVerification {
  // Gave the same bits, NaN equal to NaN; or, if a change rounds otherwise, nearly the same
  // numbers.
  int equal = 0;
  int refused = 0;  // both ended with an error
  int gained = 0;   // gave a value where there was an error before
  // A sentence for each run that ended with an error: its number, how its inputs were drawn, why.
  std::vector<std::string> reasons;
  // The first run that speaks against the change, as a sentence; empty if none does.
  std::string failure;
};

struct VerifyOptions {
  int samples = 16;  // drawn by sample_inputs(); every third one breaks contracts
  std::uint64_t seed = 1;
  std::vector<NamedViews> inputs;  // if not empty: the inputs of the runs, instead of samples
};

// Runs a model before and after its change. The verification fails if a result differs, if an error
// replaces a result, if a result replaces an index out of range although every change is safe, or
// if no run gave a result. Errors: kUnsupported (a node that does not run here), those of
// sample_inputs().
WINDROW_EXPORT Result<FixVerification> verify_fix(const Model& before, const FixedModel& after,
                                                  std::span<const InputContract> contracts,
                                                  const VerifyOptions& options = {});

}  // namespace windrow

#endif  // WINDROW_FIX_H_
