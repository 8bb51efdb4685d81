#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "src/tables/reads.h"

namespace windrow::internal {
namespace {

// Threads live as long as a run, so that a fork leaves none behind.
class ThreadEngine final : public ReadEngine {
 public:
  ThreadEngine(const EngineOptions& options, Slots slots)
      : depth_(options.depth), slots_(std::move(slots)) {}

  Status run(ReadSource& source) override {
    Run run{source, {}, {}};
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(depth_));
    // Where there is no memory or no room for more threads, those that there are do the reads.
    try {
      for (int slot = 1; slot < depth_ && run.may_need_more(); ++slot)
        threads.emplace_back([this, slot, &run] { work(run, slots_.slot(slot)); });
    } catch (const std::exception&) {  // NOLINT: as said above
    }
    work(run, slots_.slot(0));
    for (std::thread& thread : threads) thread.join();
    if (run.lacked_memory) throw std::bad_alloc();
    return run.status;
  }

 private:
  struct Run {
    ReadSource& source;
    std::mutex mutex;  // for everything here
    Status status;
    bool is_asked = false;  // whether the source has no more reads
    bool is_over = false;   // whether a read failed or the source ended the run
    bool lacked_memory = false;

    bool may_need_more() {
      const std::lock_guard lock(mutex);
      return !is_over && !is_asked;
    }
  };

  // Nothing may leave a thread's first function.
  static void work(Run& run, std::byte* slot) noexcept {
    try {
      read_all(run, slot);
    } catch (const std::bad_alloc&) {
      const std::lock_guard lock(run.mutex);
      run.is_over = run.lacked_memory = true;
    }
  }

  static void read_all(Run& run, std::byte* slot) {
    std::unique_lock lock(run.mutex);
    BlockRead read;
    while (!run.is_over && !run.is_asked) {
      if (!run.source.next(read)) {
        run.is_asked = true;
        return;
      }
      lock.unlock();
      Status status = read_block(read, slot);
      lock.lock();
      if (run.is_over) return;
      if (status) run.source.deliver(read, slot);
      run.is_over = !status || run.source.is_ended();
      run.status = std::move(status);
    }
  }

  int depth_;
  Slots slots_;
};

}  // namespace

Engine make_thread_engine(const EngineOptions& options) {
  auto slots = Slots::allocate(options);
  if (!slots) return slots.error();
  return std::unique_ptr<ReadEngine>(std::make_unique<ThreadEngine>(options, *std::move(slots)));
}

}  // namespace windrow::internal
