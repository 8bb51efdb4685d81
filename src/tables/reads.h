#ifndef WINDROW_TABLES_READS_H_
#define WINDROW_TABLES_READS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "src/tables/block_file.h"
#include "windrow/status.h"

// How blocks of files get into memory. Each engine is a source of its own; choose_engine() names
// all of them.
namespace windrow::internal {

// Bytes of a file that are read together. Offset and length are multiples of the file's block.
struct BlockRead {
  const BlockFile* file = nullptr;
  std::int64_t offset = 0;
  std::int64_t bytes = 0;  // at most the engine's slot
  std::int64_t least = 0;  // of these, how many must be there: the file's last block may be short
  std::uint64_t tag = 0;   // the source's own
};

// What a run of an engine reads. An engine calls it from one thread at a time.
class ReadSource {
 public:
  virtual ~ReadSource() = default;
  // The next read; false if there is none left.
  virtual bool next(BlockRead& read) = 0;
  // The bytes of a read, until the call returns. They come in any order.
  virtual void deliver(const BlockRead& read, const std::byte* bytes) = 0;
  // Called between two deliveries. Returns true to end the run early.
  virtual bool is_ended() = 0;
};

// Reads blocks for one thread at a time.
class ReadEngine {
 public:
  virtual ~ReadEngine() = default;
  // Asks `source` for reads and delivers them until none is left, one fails, or the source ends the
  // run. No read is under way afterwards. After an error the engine must not run again. Errors:
  // kIo, kFormat (the file was cut). Throws std::bad_alloc; the engine must then be destroyed.
  virtual Status run(ReadSource& source) = 0;
};

struct EngineOptions {
  int depth = 0;                // the number of reads under way
  std::int64_t slot_bytes = 0;  // the longest read; a multiple of kLargestBlock
};

using Engine = Result<std::unique_ptr<ReadEngine>>;

// Many reads under way by io_uring. Errors: kUnsupported (this build, or the kernel, has none),
// kIo (no file number is left), kOutOfMemory.
Engine make_ring_engine(const EngineOptions& options);
// Whether make_ring_engine() works here; asked once per process.
bool has_ring_engine();

// Through the page cache, which is told of the next reads. For files that are not read past it.
Engine make_read_ahead_engine(const EngineOptions& options);

// As many threads as reads under way, each of which waits for its own.
Engine make_thread_engine(const EngineOptions& options);

// Reads a block into `to`. Errors: kIo, kFormat (the file was cut).
Status read_block(const BlockRead& read, std::byte* to);
// The error of a read that got `got` bytes, or failed with an errno: -got. Success if it got
// enough.
Status check_read(const BlockRead& read, std::int64_t got);

// Memory for `count` slots, aligned to kLargestBlock. Errors: kOutOfMemory.
class Slots {
 public:
  static Result<Slots> allocate(const EngineOptions& options);
  std::byte* slot(int number) const noexcept { return first_ + number * bytes_; }
  // Keeps the memory from ever being freed.
  void keep() noexcept { (void)memory_.release(); }

 private:
  struct Free {
    std::int64_t bytes;
    void operator()(std::byte* memory) const noexcept;
  };
  Slots(std::unique_ptr<std::byte, Free> memory, std::int64_t bytes) noexcept
      : first_(memory.get()), bytes_(bytes), memory_(std::move(memory)) {}

  std::byte* first_;
  std::int64_t bytes_;
  std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace windrow::internal

#endif  // WINDROW_TABLES_READS_H_
