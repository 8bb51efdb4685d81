
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>

#include "src/base/memory.h"
#include "src/kernels/registry.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace windrow::internal {

#if defined(__x86_64__)

namespace {

constexpr std::size_t kElements = 1024;
constexpr int kTrials = 8;
// Gathers must win by this.
constexpr double kGain = 1.1;

struct Trial {
  alignas(64) std::array<std::int32_t, kElements> table{};
  alignas(64) std::array<std::int32_t, kElements> indices{};
  alignas(64) std::array<std::int32_t, kElements> out{};
};

__attribute__((noinline)) void take_singly(Trial& trial) {
  const auto* table = trial.table.data();
  for (std::size_t j = 0; j < kElements; ++j) {
    trial.out[j] = table[trial.indices[j]];
    asm volatile("" ::: "memory");  // one by one
  }
}

__attribute__((noinline, target("avx2"))) void take_gathered(Trial& trial) {
  for (std::size_t j = 0; j < kElements; j += 8) {
    const auto indices = _mm256_load_si256(reinterpret_cast<const __m256i*>(&trial.indices[j]));
    _mm256_store_si256(reinterpret_cast<__m256i*>(&trial.out[j]),
                       _mm256_i32gather_epi32(trial.table.data(), indices, 4));
  }
}

double fastest(void (*take)(Trial&), Trial& trial) {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < kTrials; ++i) {
    const auto start = Clock::now();
    take(trial);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

bool time_gathers() {
  if (!__builtin_cpu_supports("avx2")) return false;
  Trial trial;
  for (std::size_t j = 0; j < kElements; ++j)
    trial.indices[j] = static_cast<std::int32_t>(j * 389 % kElements);
  return fastest(&take_gathered, trial) * kGain < fastest(&take_singly, trial);
}

}  // namespace

bool has_fast_gathers() noexcept {
  static const bool fast = time_gathers();
  return fast;
}

[[maybe_unused]] static const bool kForkSafe = fill_before_fork([] { has_fast_gathers(); });

#else

bool has_fast_gathers() noexcept { return false; }

#endif

}  // namespace windrow::internal
