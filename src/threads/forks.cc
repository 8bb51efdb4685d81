#include "src/threads/forks.h"

#include <pthread.h>

#include <atomic>

namespace windrow::internal {
namespace {

std::atomic<unsigned> forks = 0;

// Registered when the library is loaded: a fork before the first pool has none to break.
[[maybe_unused]] const int kRegistered =
    pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });

}  // namespace

unsigned fork_count() noexcept { return forks.load(std::memory_order_relaxed); }

}  // namespace windrow::internal
