#ifndef WINDROW_PLUGINS_TORCH_RUN_H_
#define WINDROW_PLUGINS_TORCH_RUN_H_

#include <cstdint>
#include <span>

#include "plugins/torch/indices.h"
#include "plugins/torch/view.h"

namespace windrow::torch_plugin {

// The operators of Windrow that torch's are made of.
enum class Operator {
  kTake,
  kTakeAlongAxis,
  kIndexAdd,
  kScatterElements,
  kOnnxScatterElements,
  kGatherNd,
  kScatterNd
};

// What a scatter does with its updates.
enum class Reduction { kNone, kSum, kProd, kMean, kMax, kMin };

struct Call {
  Operator op;
  int64_t dim = 0;  // of the operators that have one
  Reduction reduction = Reduction::kNone;
  bool include_self = true;  // kScatterElements alone has a choice
  IndexMeaning index;
};

// Runs the operator on inputs (data, index, and src of a scatter), the plan from the cache if it
// is there, on torch's threads. The output is data itself in place. Throws std::runtime_error.
void run(const Call& call, std::span<const View* const> inputs, const View& output);

}  // namespace windrow::torch_plugin

#endif  // WINDROW_PLUGINS_TORCH_RUN_H_
