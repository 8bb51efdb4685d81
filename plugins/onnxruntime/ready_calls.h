#ifndef WINDROW_PLUGINS_ONNXRUNTIME_READY_CALLS_H_
#define WINDROW_PLUGINS_ONNXRUNTIME_READY_CALLS_H_

#include <vector>

#include "src/base/shelf.h"
#include "windrow/plan.h"
#include "windrow/tensor.h"

namespace windrow::plugins {

// A plan with the views that it runs on; only their memory changes from call to call. Belongs to
// one thread at a time.
struct ReadyCall {
  Plan plan;
  std::vector<TensorView> inputs;
  MutableTensorView output;
};

// The latest calls of one node: enough for the shapes of a few batch sizes in a few threads.
using ReadyCalls = internal::Shelf<ReadyCall, 16>;

}  // namespace windrow::plugins

#endif  // WINDROW_PLUGINS_ONNXRUNTIME_READY_CALLS_H_
