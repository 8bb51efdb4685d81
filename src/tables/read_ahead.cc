#include <fcntl.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "src/tables/reads.h"

namespace windrow::internal {
namespace {

class ReadAheadEngine final : public ReadEngine {
 public:
  ReadAheadEngine(const EngineOptions& options, Slots room)
      : room_(std::move(room)), queue_(static_cast<std::size_t>(options.depth)) {}

  Status run(ReadSource& source) override {
    std::size_t filled = 0;
    while (filled < queue_.size() && announce(source, filled)) ++filled;
    for (std::size_t at = 0; filled > 0; at = (at + 1) % queue_.size()) {
      const BlockRead read = queue_[at];
      if (Status status = read_block(read, room_.slot(0)); !status) return status;
      source.deliver(read, room_.slot(0));
      if (source.is_ended()) return {};
      if (filled < queue_.size() || !announce(source, at)) --filled;
    }
    return {};
  }

 private:
  // Puts the next read into the queue, and has the system fetch it meanwhile.
  bool announce(ReadSource& source, std::size_t at) {
    BlockRead& read = queue_[at];
    if (!source.next(read)) return false;
    // That it cannot be fetched early is no error.
    (void)::posix_fadvise(read.file->fd(), read.offset, read.bytes, POSIX_FADV_WILLNEED);
    return true;
  }

  Slots room_;
  std::vector<BlockRead> queue_;  // a ring
};

}  // namespace

Engine make_read_ahead_engine(const EngineOptions& options) {
  auto room = Slots::allocate({1, options.slot_bytes});
  if (!room) return room.error();
  return std::unique_ptr<ReadEngine>(std::make_unique<ReadAheadEngine>(options, *std::move(room)));
}

}  // namespace windrow::internal
