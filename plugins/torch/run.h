#ifndef WINDROW_PLUGINS_TORCH_RUN_H_
#define WINDROW_PLUGINS_TORCH_RUN_H_

#include <cstdint>
#include <span>

#include "plugins/torch/indices.h"
#include "plugins/torch/view.h"
#include "windrow/c.h"

namespace windrow::torch_plugin {

// torch's own threads; their number is the current torch.get_num_threads().
windrow_threads host_threads() noexcept;

// The operators of Windrow on which torch's are based.
enum class Operator {
  kTake,
  kTakeAlongAxis,
  kIndexAdd,
  kScatterElements,
  kOnnxScatterElements,
  kGatherNd,
  kScatterNd,
  kEmbeddingBag
};

// What a scatter does with its updates, and a bag with its rows.
enum class Reduction { kNone, kSum, kProd, kMean, kMax, kMin };

struct Call {
  Operator op;
  int64_t dim = 0;  // for operators that have one
  Reduction reduction = Reduction::kNone;
  bool include_self = true;  // only kScatterElements has a choice
  // Attributes of kEmbeddingBag.
  bool has_end = false;     // include_last_offset
  bool in_float32 = false;  // accumulate = "float32"
  IndexMeaning index;
};

// Runs the operator on inputs (data, index, and src for a scatter or offsets and weights for a bag,
// null where they are not given) on torch's threads, with a plan from the cache if there is one. In
// an in-place run the output is data itself. Throws std::runtime_error.
void run(const Call& call, std::span<const View* const> inputs, const View& output);

}  // namespace windrow::torch_plugin

#endif  // WINDROW_PLUGINS_TORCH_RUN_H_
