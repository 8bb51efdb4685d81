#ifndef WINDROW_TESTS_ATTACK_WATCHED_MEMORY_H_
#define WINDROW_TESTS_ATTACK_WATCHED_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace windrow::tests {

// Memory that changes while a call reads it, at a moment of the test's choice. Each instruction
// that reads it faults, runs alone by the processor's trap flag, and is counted; behind a chosen
// one the contents are replaced. So every gap between two reads can be tried, also gaps between two
// loads that the compiler made of one. For x86-64 Linux; one object at a time, and only the thread
// that calls run() may read the memory then.
class WatchedMemory {
 public:
  // `bytes` >= 1 of zeros, followed by memory that faults. Throws std::runtime_error where the
  // system refuses.
  explicit WatchedMemory(std::size_t bytes);
  WatchedMemory(const WatchedMemory&) = delete;
  WatchedMemory& operator=(const WatchedMemory&) = delete;
  ~WatchedMemory();

  // The memory as the call under test sees it; its end is aligned to 64 bytes.
  std::byte* data() const noexcept { return data_; }

  // What the memory becomes, as the test chooses.
  struct Changes {
    std::int64_t first = -1;  // number of the read behind which it changes; < 0: never
    std::int64_t every = 0;   // and again after every N further reads; 0: only once
    std::span<const std::byte> contents = {};  // what it becomes, as long as the memory
    std::span<const std::byte> others = {};    // where it changes again: in turn with `contents`
  };

  // Calls `call` once and returns how many instructions read the memory, up to the only change
  // where there is one: what comes behind it is not watched.
  std::int64_t run(const Changes& changes, const std::function<void()>& call);

  // Replaces the contents, outside of run().
  void fill(std::span<const std::byte> contents);

 private:
  struct Watch;
  static Watch watch;
  static void on_fault(int signal, void* info, void* context);
  static void on_step(void* context);
  void step();

  std::size_t mapped_ = 0;  // bytes, without the page behind
  std::size_t bytes_ = 0;
  std::byte* watched_ = nullptr;
  std::byte* alias_ = nullptr;  // the same pages, always accessible
  std::byte* data_ = nullptr;
};

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_ATTACK_WATCHED_MEMORY_H_
