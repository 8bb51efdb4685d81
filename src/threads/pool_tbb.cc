#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <memory>
#include <mutex>

#include "src/threads/pool.h"

namespace windrow::internal {
namespace {

// oneTBB keeps no more workers than there are cores unless somebody allows more; of several limits
// it takes the lowest, and says on standard error that a pool asks for more. So there is one for
// all pools, which only rises. It is never destroyed: at the end of a process oneTBB may go first.
void allow_workers(int count) {
  using oneapi::tbb::global_control;
  static std::mutex mutex;
  static int allowed = oneapi::tbb::info::default_concurrency();
  static auto& limit = *new std::unique_ptr<global_control>;
  const std::lock_guard lock(mutex);
  if (count <= allowed) return;
  limit = std::make_unique<global_control>(global_control::max_allowed_parallelism,
                                           static_cast<std::size_t>(count));
  allowed = count;
}

class TbbPool final : public Threads {
 public:
  explicit TbbPool(int count) : count_(count), arena_(count) {
    allow_workers(count);
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
  oneapi::tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<Threads> make_pool(int count) { return std::make_unique<TbbPool>(count); }

}  // namespace windrow::internal
