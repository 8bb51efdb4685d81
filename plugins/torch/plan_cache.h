#ifndef WINDROW_PLUGINS_TORCH_PLAN_CACHE_H_
#define WINDROW_PLUGINS_TORCH_PLAN_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "plugins/torch/view.h"
#include "windrow/c.h"

namespace windrow::torch_plugin {

using Plan = std::shared_ptr<const windrow_plan>;

// Everything that a plan depends on, as numbers: two calls with one key have one plan.
class PlanKey {
 public:
  // At most kMostInputs views and kMostNumbers others; more is a fault of the caller.
  static constexpr std::size_t kMostInputs = 3;
  static constexpr std::size_t kMostNumbers = 8;

  void add(int64_t number) noexcept { words_[count_++] = number; }
  void add(const View& view) noexcept;
  std::span<const int64_t> words() const noexcept { return {words_, count_}; }
  std::size_t hash() const noexcept;

 private:
  std::size_t count_ = 0;
  int64_t words_[kMostInputs * (2 + 2 * kMostAxes) + kMostNumbers];
};

// Plans of the last calls, a bounded number: a new plan takes the place of one that has the same
// slot. Any thread may call. Null if there is none.
Plan find_plan(const PlanKey& key);
void keep_plan(const PlanKey& key, Plan plan);

}  // namespace windrow::torch_plugin

#endif  // WINDROW_PLUGINS_TORCH_PLAN_CACHE_H_
