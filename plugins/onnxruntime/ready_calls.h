#ifndef WINDROW_PLUGINS_ONNXRUNTIME_READY_CALLS_H_
#define WINDROW_PLUGINS_ONNXRUNTIME_READY_CALLS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "windrow/plan.h"
#include "windrow/tensor.h"

namespace windrow::plugins {

// A plan with the views that it runs on: only their memory changes from call to call. Belongs to
// one thread at a time.
struct ReadyCall {
  Plan plan;
  std::vector<TensorView> inputs;
  MutableTensorView output;
};

// The calls of one node that were ready last, newest first. Threads take a call out, run it and put
// it back, so that none waits for another and none sees another's views; a thread that finds no
// call for its shapes makes one.
class ReadyCalls {
 public:
  ReadyCalls() = default;
  ReadyCalls(const ReadyCalls&) = delete;
  ReadyCalls& operator=(const ReadyCalls&) = delete;
  ~ReadyCalls() {
    for (const auto& slot : slots_) delete slot.load(std::memory_order_relaxed);
  }

  // A call for which fits(call) is true, or null: none is there, or other threads have them all.
  template <class Fits>
  std::unique_ptr<ReadyCall> take(Fits&& fits) noexcept {
    for (std::size_t place = 0; place < kMostCalls; ++place) {
      // Only its owner may look at a call.
      std::unique_ptr<ReadyCall> call(slots_[place].exchange(nullptr, std::memory_order_acq_rel));
      if (call == nullptr) continue;
      if (fits(*call)) return call;
      put(std::move(call), place);
    }
    return nullptr;
  }

  // Puts a call in front of those from `place` on, which move down to the next free place; without
  // one the last is dropped.
  void put(std::unique_ptr<ReadyCall> call, std::size_t place = 0) noexcept {
    for (; call != nullptr && place < kMostCalls; ++place)
      call.reset(slots_[place].exchange(call.release(), std::memory_order_acq_rel));
  }

 private:
  // Enough for the shapes of a few batch sizes in a few threads.
  static constexpr std::size_t kMostCalls = 16;
  std::array<std::atomic<ReadyCall*>, kMostCalls> slots_{};
};

}  // namespace windrow::plugins

#endif  // WINDROW_PLUGINS_ONNXRUNTIME_READY_CALLS_H_
