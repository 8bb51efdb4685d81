#include "src/operators/plan_cache.h"

#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <string>

namespace windrow::internal {
namespace {

struct Entry {
  std::string key;
  Plan plan;
};

// A plan takes some 10 KiB.
constexpr std::size_t kSlots = 512;

// Never destroyed: threads may still compile when the process ends. Only who takes an entry out
// may look at it.
constinit std::array<std::atomic<Entry*>, kSlots> slots{};

std::atomic<Entry*>& slot_of(const PlanKey& key) noexcept { return slots[key.hash() % kSlots]; }

}  // namespace

std::optional<Plan> find_plan(const PlanKey& key) noexcept {
  if (!key.fits()) return std::nullopt;
  std::atomic<Entry*>& slot = slot_of(key);
  std::unique_ptr<Entry> entry(slot.exchange(nullptr, std::memory_order_acquire));
  if (entry == nullptr) return std::nullopt;
  std::optional<Plan> plan;
  if (entry->key == key.bytes()) plan = entry->plan;
  // Unless another thread has put one there meanwhile.
  Entry* none = nullptr;
  if (slot.compare_exchange_strong(none, entry.get(), std::memory_order_release,
                                   std::memory_order_relaxed))
    static_cast<void>(entry.release());  // the slot owns it
  return plan;
}

void keep_plan(const PlanKey& key, const Plan& plan) noexcept {
  if (!key.fits()) return;
  try {
    auto entry = std::make_unique<Entry>(Entry{std::string(key.bytes()), plan});
    entry.reset(slot_of(key).exchange(entry.release(), std::memory_order_acq_rel));
  } catch (const std::bad_alloc&) {  // then it is compiled again
  }
}

}  // namespace windrow::internal
