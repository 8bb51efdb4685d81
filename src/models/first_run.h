#ifndef WINDROW_MODELS_FIRST_RUN_H_
#define WINDROW_MODELS_FIRST_RUN_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/models/program.h"
#include "windrow/models.h"

// A run of a model whose inputs have types and shapes that no run had before.
namespace windrow::internal {

// An input of a step whose value its plan was compiled for, and the value.
using CompiledValue = std::pair<std::size_t, std::shared_ptr<const Tensor>>;

// What a run found out about a step.
struct RanStep {
  std::optional<Plan> plan;  // of an operator
  bool in_place = false;     // the result lies where the plan's in_place_input was
  std::vector<CompiledValue> values;
};

struct FirstRunOptions {
  const CallOptions& call;
  const RunOptions& run;
  const std::function<void(const std::string&)>& on_note;
  bool reference = false;  // by call_reference instead of plans
  bool record = false;     // keep what is found out
};

struct RanModel {
  std::vector<Tensor> outputs;
  // The rest is filled in with FirstRunOptions::record only.
  std::vector<RanStep> steps;
  std::vector<std::string> notes;
  std::vector<std::shared_ptr<const Tensor>> defaults;  // of inputs that were not given, else null
};

// `given`: a tensor per Program::given(), absent for defaults. Scatters run in place where nothing
// else reads what they overwrite. Errors: kUnsupported (a default that can't be represented),
// kInterrupted, and a step's own with the node before it.
Result<RanModel> run_first(const Program& program, std::span<const TensorView> given,
                           const FirstRunOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_FIRST_RUN_H_
