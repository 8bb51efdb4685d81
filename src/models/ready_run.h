#ifndef WINDROW_MODELS_READY_RUN_H_
#define WINDROW_MODELS_READY_RUN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/models/program.h"
#include "src/operators/known_run.h"
#include "windrow/models.h"
#include "windrow/tensor.h"

// A run of a model whose inputs have types and shapes that no run had before.
namespace windrow::internal {

// An input of a step whose value its plan was compiled for, which the node may leave out, and the
// value.
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

// Where a value is during a run.
struct ValuePlace {
  enum class Kind : std::uint8_t { kNone, kGiven, kConstant, kOutput, kBuffer };
  Kind kind = Kind::kNone;
  std::size_t number = 0;  // of the input that is given, the output, the buffer
};

// Memory that several values use one after another.
struct BufferKind {
  std::size_t bytes = 0;
  Shape strings;  // of string elements, whose buffer is not shared
  bool is_strings = false;
};

struct ValuePlaces {
  std::vector<ValuePlace> values;   // by value
  std::vector<ValuePlace> results;  // by step: also of steps whose result nothing reads
  std::vector<BufferKind> buffers;
};

// The result of each step, dense and without an address, in a run with these inputs.
std::vector<MutableTensorView> result_views(const Program& program,
                                            std::span<const TensorView> given,
                                            std::span<const RanStep> steps);

// Gives every value its place. Results that are outputs are written there directly, others into
// buffers that are reused as soon as nothing reads them any more. A result that was written over an
// input stays there.
ValuePlaces place_values(const Program& program, std::span<const RanStep> steps,
                         std::span<const MutableTensorView> results);

// A model's run for inputs of certain types, shapes and strides, with its plans, the views that
// they run on, and the memory of inner values. From run to run only the addresses of inputs and
// outputs change. Belongs to one thread at a time.
class ReadyRun {
 public:
  // Made from what run_first() recorded of a run with `given`. `program` must outlive it.
  ReadyRun(const Program& program, std::span<const TensorView> given, RanModel ran);
  ReadyRun(const ReadyRun&) = delete;
  ReadyRun& operator=(const ReadyRun&) = delete;

  // Whether the inputs have the layout that this is ready for.
  bool fits(std::span<const TensorView* const> given) const noexcept;

  // Runs. Returns nothing if a value that a plan was compiled for has changed, so that the model
  // must be compiled again. Errors: as for run_first(). Precondition: fits().
  std::optional<Result<std::vector<Tensor>>> run(std::span<const TensorView* const> given,
                                                 const RunOptions& options);

  const std::vector<std::string>& notes() const noexcept { return notes_; }

  // The bytes that it takes, including the memory of inner values. drop_buffers() frees that
  // memory, which is allocated again when it is needed.
  std::size_t byte_count() const noexcept { return step_bytes_ + buffer_bytes_; }
  void drop_buffers() noexcept;

 private:
  struct ReadyStep {
    const Step* step = nullptr;
    std::optional<Plan> plan;  // of an operator
    RunKnowledge knowledge;
    std::optional<std::size_t> fresh_output;  // the large output of the model that it writes
    std::vector<TensorView> inputs;
    MutableTensorView output;
    std::vector<CompiledValue> values;
  };
  using Addresses = std::vector<const void**>;  // in views of steps and outputs

  void add_steps(RanModel& ran, const ValuePlaces& places,
                 const std::vector<MutableTensorView>& results);
  void add_values(const ValuePlaces& places, std::size_t position,
                  std::vector<CompiledValue> values);
  template <class Views>
  void add_outputs(const ValuePlaces& places, const Views& views);
  void attach(const void** address, const ValuePlace& place);
  Status allocate_buffers();
  Result<std::vector<Tensor>> allocate_outputs();
  Result<std::vector<Tensor>> copy_outputs(std::vector<Tensor> outputs) const;
  Status output_error(std::size_t position, const Status& status) const;
  RunOptions with_scratch(const RunOptions& options);
  static bool has_compiled_value(const ReadyStep& step, const CompiledValue& value);
  static Status run_step(const ReadyStep& step, RunOptions& options);

  const Program& program_;
  std::vector<TensorView> given_;  // their layouts; absent for defaults
  std::vector<std::shared_ptr<const Tensor>> defaults_;
  std::vector<ReadyStep> steps_;
  std::vector<std::string> notes_;

  // Where the addresses of given tensors, of outputs and of buffers are stored.
  std::vector<Addresses> given_addresses_;
  std::vector<Addresses> output_addresses_;
  std::vector<Addresses> buffer_addresses_;
  std::vector<TensorView> outputs_;
  // Of each output, whether it is a copy of its view, not a step's own result.
  std::vector<bool> is_copied_;
  // Inputs for whose values plans were compiled: given tensors must have these values.
  std::vector<CompiledValue> given_values_;

  std::vector<BufferKind> buffers_;
  std::vector<Tensor> memory_;  // of the buffers; empty: none has been allocated
  std::size_t buffer_bytes_ = 0;
  std::size_t step_bytes_ = 0;
  Tensor scratch_;
  int scratch_threads_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_READY_RUN_H_
