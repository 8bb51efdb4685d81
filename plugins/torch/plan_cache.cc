#include "plugins/torch/plan_cache.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>
#include <vector>

namespace windrow::torch_plugin {
namespace {

struct Slot {
  std::vector<int64_t> key;
  Plan plan;
};

struct Slots {
  std::mutex mutex;
  std::array<Slot, 512> slots;

  Slot& of(const PlanKey& key) noexcept { return slots[key.hash() % slots.size()]; }
};

// Never destroyed: threads of torch may still run when the process ends. A fork waits until nobody
// holds the mutex, which its child could never free.
Slots& all() {
  static auto* slots = [] {
    pthread_atfork([] { all().mutex.lock(); }, [] { all().mutex.unlock(); },
                   [] { all().mutex.unlock(); });
    return new Slots;
  }();
  return *slots;
}

}  // namespace

void PlanKey::add(const View& view) noexcept {
  add(view.dtype);
  add(view.rank);
  for (int32_t axis = 0; axis < view.rank; ++axis) {
    add(view.shape[axis]);
    add(view.strides[axis]);
  }
}

std::size_t PlanKey::hash() const noexcept {
  uint64_t mixed = 0;
  for (const int64_t word : words()) {
    mixed = (mixed ^ static_cast<uint64_t>(word)) * 0x9E3779B97F4A7C15U;
    mixed ^= mixed >> 29U;
  }
  return mixed;
}

Plan find_plan(const PlanKey& key) {
  Slots& slots = all();
  const std::lock_guard lock(slots.mutex);
  const Slot& slot = slots.of(key);
  return std::ranges::equal(slot.key, key.words()) ? slot.plan : nullptr;
}

void keep_plan(const PlanKey& key, Plan plan) {
  Slots& slots = all();
  Slot fresh{{key.words().begin(), key.words().end()}, std::move(plan)};
  const std::lock_guard lock(slots.mutex);
  std::swap(slots.of(key), fresh);
}

}  // namespace windrow::torch_plugin
