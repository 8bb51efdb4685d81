#include <memory>
#include <utility>
#include <vector>

#include "src/models/check_inputs.h"
#include "src/models/first_run.h"
#include "src/models/program.h"
#include "windrow/models.h"

namespace windrow {

Result<NamedTensors> Model::run(const NamedViews& inputs, const ModelRunOptions& options) const {
  // The model outlives the run, so this pointer need not own it.
  const std::shared_ptr<const Model> model(std::shared_ptr<void>(), this);
  const auto program = internal::Program::of(model);
  if (!program) return program.error();
  const Result<NamedViews> named = internal::with_value_names(*this, inputs);
  if (!named) return named.error();
  if (Status status = internal::check_inputs(*this, *named); !status) return status;
  std::vector<TensorView> given;
  for (const internal::GivenInput& input : (*program)->given()) {
    const auto found = named->find(input.name);
    given.push_back(found == named->end() ? TensorView() : found->second);
  }
  Result<internal::RanModel> ran = internal::run_first(**program, given,
                                                       {.call = options.call,
                                                        .run = options.run,
                                                        .on_note = options.on_note,
                                                        .reference = options.reference});
  if (!ran) return ran.error();
  NamedTensors named_outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    named_outputs.emplace_back(outputs[i].name, std::move(ran->outputs[i]));
  return named_outputs;
}

}  // namespace windrow
