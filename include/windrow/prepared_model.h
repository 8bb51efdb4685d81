#ifndef WINDROW_PREPARED_MODEL_H_
#define WINDROW_PREPARED_MODEL_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "windrow/export.h"
#include "windrow/models.h"
#include "windrow/options.h"
#include "windrow/plan.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow {

namespace internal {
struct PreparedState;
}

struct PrepareOptions {
  CallOptions call = {};
  // The most bytes kept between runs besides the constants: the memory of inner values and the
  // plans of the steps, for all runs together. What does not fit is made again by each run.
  std::size_t most_kept_bytes = std::size_t{64} << 20;
};

// A model that is ready for many runs. Immutable and cheap to copy; many threads may run one at the
// same time, and none waits for another. In the library windrow::models.
//
// The first run with inputs of given types, shapes and strides compiles the plans of the nodes;
// later runs with such inputs reuse them and the memory of inner values (for the last 16 kinds of
// inputs). A scatter overwrites its data with its result if nothing else reads the data. Constant
// indices are checked by the first run. The elements of constants must not change.
class WINDROW_EXPORT PreparedModel {
 public:
  using OnNote = std::function<void(const std::string&)>;

  // As Model::run: the same results, notes (each distinct one once per run) and errors.
  Result<NamedTensors> run(const NamedViews& inputs, const RunOptions& options = {},
                           const OnNote& on_note = {}) const;

  // Runs the model by position. `inputs` has a tensor per input in the order of Model::inputs, then
  // of Model::default_inputs, of which those at the end may be left out; an absent one takes its
  // default. Returns a tensor per output in the order of Model::outputs.
  Result<std::vector<Tensor>> run(std::span<const TensorView> inputs,
                                  const RunOptions& options = {}, const OnNote& on_note = {}) const;

  // The model that was prepared.
  const Model& model() const noexcept;

  explicit PreparedModel(std::shared_ptr<const internal::PreparedState> state) noexcept
      : state_(std::move(state)) {}

 private:
  std::shared_ptr<const internal::PreparedState> state_;
};

}  // namespace windrow

#endif  // WINDROW_PREPARED_MODEL_H_
