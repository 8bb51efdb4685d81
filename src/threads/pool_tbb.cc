#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <memory>
#include <optional>

#include "src/threads/pool.h"

namespace windrow::internal {
namespace {

class TbbPool final : public Threads {
 public:
  explicit TbbPool(int count) : count_(count), arena_(count) {
    // oneTBB keeps no more workers than there are cores unless somebody allows more.
    if (count > oneapi::tbb::info::default_concurrency())
      oversubscribed_.emplace(oneapi::tbb::global_control::max_allowed_parallelism,
                              static_cast<std::size_t>(count));
    arena_.initialize();
  }

  int count() const noexcept override { return count_; }

  void parallel(int tasks, void (*task)(void*, int), void* context) noexcept override {
    if (tasks <= 1 || count_ == 1) return run_serially(tasks, task, context);
    arena_.execute([&] {
      oneapi::tbb::parallel_for(
          0, tasks, [&](int index) { task(context, index); }, oneapi::tbb::static_partitioner());
    });
  }

 private:
  const int count_;
  std::optional<oneapi::tbb::global_control> oversubscribed_;
  oneapi::tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<Threads> make_pool(int count) { return std::make_unique<TbbPool>(count); }

}  // namespace windrow::internal
