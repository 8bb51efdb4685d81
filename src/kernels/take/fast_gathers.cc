#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "src/base/memory.h"
#include "src/kernels/registry.h"

namespace windrow::internal {
namespace {

constexpr std::size_t kElements = 1024;
constexpr std::size_t kMostBytes = 8;
constexpr int kTrials = 8;
// Gathers must win by this.
constexpr double kGain = 1.1;

// A table in a near cache, and indices in no order.
class Trial {
 public:
  Trial() {
    for (std::size_t j = 0; j < kElements; ++j)
      indices_[j] = static_cast<std::int32_t>(j * 389 % kElements);
    run_.table = table_.data();
    run_.extents[0] = kElements;
    run_.indices = reinterpret_cast<const std::byte*>(indices_.data());
    run_.count = kElements;
    run_.out = out_.data();
  }

  double fastest(TakeFunction take) const {
    using Clock = std::chrono::steady_clock;
    double best = std::numeric_limits<double>::max();
    for (int i = 0; i < kTrials; ++i) {
      const auto start = Clock::now();
      take(run_);
      best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return best;
  }

 private:
  alignas(64) std::array<std::byte, kElements * kMostBytes> table_{};
  alignas(64) std::array<std::int32_t, kElements> indices_{};
  alignas(64) std::array<std::byte, kElements * kMostBytes> out_{};
  TakeRun run_;
};

// The loops themselves, of the set that plans use: no other measurement foretells them.
bool time_gathers(std::int64_t element_bytes) {
  const KernelTable& kernels = find_kernel_set({})->table;
  const auto gather = kernels.find<Family::kTakeGathered>(element_bytes, DType::kInt32);
  if (gather == nullptr) return false;
  const auto single = kernels.find<Family::kTake>(element_bytes, DType::kInt32);
  const Trial trial;
  return trial.fastest(gather) * kGain < trial.fastest(single);
}

}  // namespace

bool has_fast_gathers(std::int64_t element_bytes) noexcept {
  static const std::array<bool, 4> fast = {time_gathers(1), time_gathers(2), time_gathers(4),
                                           time_gathers(8)};
  return fast[static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(element_bytes)))];
}

[[maybe_unused]] static const bool kForkSafe = fill_before_fork([] { has_fast_gathers(1); });

}  // namespace windrow::internal
