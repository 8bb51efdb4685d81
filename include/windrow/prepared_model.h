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
  // What may be kept between runs besides the constants: the memory of inner values and what is
  // known of the steps, of all runs together. What does not fit is made anew by each run.
  std::size_t most_kept_bytes = std::size_t{64} << 20;
};

// A model that is ready to run again and again. Immutable and cheap to copy; many threads may run
// one at the same time, and none waits for another. In the library windrow::models.
//
// The first run with inputs of some types, shapes and strides compiles the plans of the nodes;
// later runs with such inputs find them, and the memory of inner values, ready (of the last 16
// kinds of inputs). A scatter whose data nothing else reads writes its result over it. Constant
// indices are checked by the first run. The elements of constants must stay as they are.
class WINDROW_EXPORT PreparedModel {
 public:
  using OnNote = std::function<void(const std::string&)>;

  // As Model::run: the same results, notes (each distinct one once per run) and errors.
  Result<NamedTensors> run(const NamedViews& inputs, const RunOptions& options = {},
                           const OnNote& on_note = {}) const;

  // The same by position: a tensor per input in the order of Model::inputs, then of
  // Model::default_inputs, of which those at the end may be left out; an absent one takes its
  // default. Gives a tensor per output in the order of Model::outputs.
  Result<std::vector<Tensor>> run(std::span<const TensorView> inputs,
                                  const RunOptions& options = {}, const OnNote& on_note = {}) const;

  // What was prepared.
  const Model& model() const noexcept;

  explicit PreparedModel(std::shared_ptr<const internal::PreparedState> state) noexcept
      : state_(std::move(state)) {}

 private:
  std::shared_ptr<const internal::PreparedState> state_;
};

}  // namespace windrow

#endif  // WINDROW_PREPARED_MODEL_H_
