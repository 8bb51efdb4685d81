#include "windrow/prepared_model.h"

#include <array>
#include <atomic>
#include <optional>
#include <utility>

#include "src/base/shelf.h"
#include "src/models/check_inputs.h"
#include "src/models/first_run.h"
#include "src/models/program.h"
#include "src/models/ready_run.h"
#include "src/models/text.h"
#include "windrow/counted.h"

namespace windrow {

namespace internal {

struct PreparedState {
  static constexpr std::size_t kMostReadyRuns = 16;

  std::shared_ptr<const Program> program;
  PrepareOptions options;
  // The positions of the caller's inputs in Program::given().
  std::vector<std::size_t> order;
  mutable Shelf<ReadyRun, kMostReadyRuns> ready_runs;
  mutable std::atomic<std::size_t> kept_bytes = 0;  // of those on the shelf
};

namespace {

// Roughly the bytes that a step of a ReadyRun takes. A model whose steps would take more than the
// limit keeps none.
constexpr std::size_t kBytesPerStep = 2048;

const TensorView kAbsentView = {};

// Pointers to one tensor per input of Program::given(), on the stack for most models.
class GivenViews {
 public:
  explicit GivenViews(std::size_t count) : count_(count) {
    if (count > few_.size()) many_.resize(count, &kAbsentView);
    few_.fill(&kAbsentView);
  }
  GivenViews(const GivenViews&) = delete;
  GivenViews& operator=(const GivenViews&) = delete;
  const TensorView*& operator[](std::size_t position) { return data()[position]; }
  std::span<const TensorView* const> views() { return {data(), count_}; }

 private:
  const TensorView** data() { return many_.empty() ? few_.data() : many_.data(); }

  std::size_t count_;
  std::array<const TensorView*, 16> few_;
  std::vector<const TensorView*> many_;
};

// Puts each tensor at the position of its name. Returns false if a name is not that of an input.
bool sort_by_name(const Program& program, const NamedViews& inputs, GivenViews& given) {
  for (std::size_t i = 0; i < program.given().size(); ++i) given[i] = &kAbsentView;
  std::size_t position = 0;
  for (const auto& [name, view] : inputs) {
    while (position < program.given().size() && program.given()[position].name < name) ++position;
    if (position == program.given().size() || program.given()[position].name != name) return false;
    given[position] = &view;
  }
  return true;
}

void put_back(const PreparedState& state, std::unique_ptr<ReadyRun> ready) {
  const std::size_t most = state.options.most_kept_bytes;
  if (state.kept_bytes + ready->byte_count() > most) ready->drop_buffers();
  if (state.kept_bytes + ready->byte_count() > most) return;
  state.kept_bytes += ready->byte_count();
  const std::unique_ptr<ReadyRun> dropped = state.ready_runs.put(std::move(ready));
  if (dropped != nullptr) state.kept_bytes -= dropped->byte_count();
}

// Runs with inputs of types and shapes that no kept run has, and keeps what it finds out.
Result<std::vector<Tensor>> run_new(const PreparedState& state,
                                    std::span<const TensorView* const> given,
                                    const RunOptions& options,
                                    const PreparedModel::OnNote& on_note) {
  const Program& program = *state.program;
  std::vector<TensorView> views;
  NamedViews named;
  for (std::size_t i = 0; i < given.size(); ++i) {
    views.push_back(*given[i]);
    if (!given[i]->is_absent()) named.emplace(program.given()[i].name, *given[i]);
  }
  if (Status status = check_inputs(program.model(), named); !status) return status;
  const bool record = program.steps().size() <= state.options.most_kept_bytes / kBytesPerStep;
  Result<RanModel> ran =
      run_first(program, views,
                {.call = state.options.call, .run = options, .on_note = on_note, .record = record});
  if (!ran) return ran.error();
  std::vector<Tensor> outputs = std::move(ran->outputs);
  if (record) put_back(state, std::make_unique<ReadyRun>(program, views, *std::move(ran)));
  return outputs;
}

Result<std::vector<Tensor>> run_given(const PreparedState& state,
                                      std::span<const TensorView* const> given,
                                      const RunOptions& options,
                                      const PreparedModel::OnNote& on_note) {
  std::unique_ptr<ReadyRun> ready =
      state.ready_runs.take([given](const ReadyRun& run) { return run.fits(given); });
  if (ready == nullptr) return run_new(state, given, options, on_note);
  state.kept_bytes -= ready->byte_count();
  std::optional<Result<std::vector<Tensor>>> outputs = ready->run(given, options);
  if (!outputs) return run_new(state, given, options, on_note);
  if (on_note)
    for (const std::string& note : ready->notes()) on_note(note);
  put_back(state, std::move(ready));
  return *std::move(outputs);
}

}  // namespace
}  // namespace internal

Result<NamedTensors> PreparedModel::run(const NamedViews& inputs, const RunOptions& options,
                                        const OnNote& on_note) const {
  const internal::Program& program = *state_->program;
  internal::GivenViews given(program.given().size());
  NamedViews renamed;
  if (!internal::sort_by_name(program, inputs, given)) {
    Result<NamedViews> names = internal::with_value_names(program.model(), inputs);
    if (!names) return names.error();
    renamed = *std::move(names);
    if (!internal::sort_by_name(program, renamed, given))
      return internal::check_inputs(program.model(), renamed);
  }
  Result<std::vector<Tensor>> tensors =
      internal::run_given(*state_, given.views(), options, on_note);
  if (!tensors) return tensors.error();
  NamedTensors outputs;
  outputs.reserve(tensors->size());
  for (std::size_t i = 0; i < tensors->size(); ++i)
    outputs.emplace_back(program.model().outputs[i].name, std::move((*tensors)[i]));
  return outputs;
}

Result<std::vector<Tensor>> PreparedModel::run(std::span<const TensorView> inputs,
                                               const RunOptions& options,
                                               const OnNote& on_note) const {
  const std::vector<std::size_t>& order = state_->order;
  if (inputs.size() > order.size())
    return internal::argument_error(counted(inputs.size(), "input is", "inputs are"),
                                    " given, the model takes ", order.size());
  internal::GivenViews given(order.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) given[order[i]] = &inputs[i];
  return internal::run_given(*state_, given.views(), options, on_note);
}

const Model& PreparedModel::model() const noexcept { return state_->program->model(); }

Result<PreparedModel> Model::prepare(const PrepareOptions& options) const {
  auto program = internal::Program::of(std::make_shared<const Model>(*this));
  if (!program) return program.error();
  auto state = std::make_shared<internal::PreparedState>();
  state->program = *std::move(program);
  state->options = options;
  for (const auto* inputs :
       {&state->program->model().inputs, &state->program->model().default_inputs})
    for (const ValueInfo& input : *inputs)
      state->order.push_back(state->program->position_of(input.name));
  return PreparedModel(std::move(state));
}

Result<PreparedModel> Model::prepare() const { return prepare(PrepareOptions()); }

}  // namespace windrow
