#include <liburing.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "src/tables/reads.h"

namespace windrow::internal {
namespace {

class Ring {
 public:
  // Returns 0 or an errno.
  int open(unsigned entries) {
    const int failure = io_uring_queue_init(entries, &ring_, 0);
    is_open_ = failure == 0;
    return -failure;
  }
  Ring() noexcept = default;
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring() {
    if (is_open_) io_uring_queue_exit(&ring_);
  }

  io_uring* get() noexcept { return &ring_; }

 private:
  io_uring ring_ = {};
  bool is_open_ = false;
};

class RingEngine final : public ReadEngine {
 public:
  RingEngine(const EngineOptions& options, Slots slots)
      : slots_(std::move(slots)), reads_(static_cast<std::size_t>(options.depth)) {}
  RingEngine(const RingEngine&) = delete;
  RingEngine& operator=(const RingEngine&) = delete;

  Status open() {
    const int failure = ring_.open(static_cast<unsigned>(reads_.size()));
    if (failure == 0) return {};
    return Status(code_of(failure), "no io_uring: " + std::generic_category().message(failure));
  }

  ~RingEngine() override {
    // What is under way may still write to the slots, for good.
    if (is_lost_) slots_.keep();
  }

  Status run(ReadSource& source) override {
    std::vector<int> free;
    for (int slot = 0; slot < static_cast<int>(reads_.size()); ++slot) free.push_back(slot);
    Status status;
    bool asks = true;
    is_lost_ = true;  // until every read has ended, also where this throws
    while (true) {
      while (asks && !free.empty()) asks = start(source, free);
      if (free.size() == reads_.size()) break;
      if (Status waited = wait(); !waited) return waited;
      collect(source, free, status, asks);
    }
    is_lost_ = false;
    return status;
  }

 private:
  static ErrorCode code_of(int failure) {
    if (failure == ENOMEM) return ErrorCode::kOutOfMemory;
    const bool lacks_files = failure == EMFILE || failure == ENFILE;
    return lacks_files ? ErrorCode::kIo : ErrorCode::kUnsupported;
  }

  // Begins the next read in a free slot. Returns false if there is none.
  bool start(ReadSource& source, std::vector<int>& free) {
    const int slot = free.back();
    BlockRead& read = reads_[static_cast<std::size_t>(slot)];
    if (!source.next(read)) return false;
    free.pop_back();
    // There is an entry for each slot.
    io_uring_sqe* entry = io_uring_get_sqe(ring_.get());
    io_uring_prep_read(entry, read.file->fd(), slots_.slot(slot), static_cast<unsigned>(read.bytes),
                       static_cast<std::uint64_t>(read.offset));
    entry->user_data = static_cast<std::uint64_t>(slot);
    return true;
  }

  Status wait() {
    int got = 0;
    do {
      got = io_uring_submit_and_wait(ring_.get(), 1);
    } while (got == -EINTR || got == -EAGAIN || got == -EBUSY);
    if (got >= 0) return {};
    return Status(ErrorCode::kIo, "io_uring: " + std::generic_category().message(-got));
  }

  void collect(ReadSource& source, std::vector<int>& free, Status& status, bool& asks) {
    io_uring_cqe* entry = nullptr;
    while (io_uring_peek_cqe(ring_.get(), &entry) == 0) {
      const auto slot = static_cast<int>(entry->user_data);
      const std::int64_t got = entry->res;
      io_uring_cqe_seen(ring_.get(), entry);
      free.push_back(slot);
      const BlockRead& read = reads_[static_cast<std::size_t>(slot)];
      if (!status || (!asks && source.is_ended())) continue;
      // A short read is finished, or found to be short for good, by an ordinary one.
      Status read_status = got >= 0 && got < read.least ? read_block(read, slots_.slot(slot))
                                                        : check_read(read, got);
      if (read_status) source.deliver(read, slots_.slot(slot));
      if (!read_status || source.is_ended()) asks = false;
      status = std::move(read_status);
    }
  }

  Slots slots_;
  std::vector<BlockRead> reads_;  // by slot
  Ring ring_;
  bool is_lost_ = false;  // whether reads are under way of which nobody will hear
};

}  // namespace

Engine make_ring_engine(const EngineOptions& options) {
  auto slots = Slots::allocate(options);
  if (!slots) return slots.error();
  auto engine = std::make_unique<RingEngine>(options, *std::move(slots));
  if (Status status = engine->open(); !status) return status;
  return std::unique_ptr<ReadEngine>(std::move(engine));
}

bool has_ring_engine() {
  static const bool has = [] {
    io_uring_probe* const probe = io_uring_get_probe();
    const bool reads = probe != nullptr && io_uring_opcode_supported(probe, IORING_OP_READ) != 0;
    if (probe != nullptr) io_uring_free_probe(probe);
    return reads;
  }();
  return has;
}

}  // namespace windrow::internal
