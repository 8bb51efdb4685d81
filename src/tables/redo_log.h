#ifndef WINDROW_TABLES_REDO_LOG_H_
#define WINDROW_TABLES_REDO_LOG_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/tables/write_file.h"
#include "windrow/status.h"

namespace windrow::internal {

// A file that calls write to, and the bytes [low, high) of it in which they do.
struct RedoTarget {
  WriteFile* file = nullptr;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// Bytes that a call puts into a target.
struct RedoWrite {
  std::size_t target = 0;
  std::int64_t offset = 0;  // in the file
  std::span<const std::byte> bytes;
};

// Makes all writes of a call or none, whenever the process is killed or power is lost.
//
// The log is a file beside the targets. It holds what the bytes are after the call, so that
// applying it twice is applying it once:
//
//   1. the log is made as long as it will be: a full disk fails here
//   2. the writes go into the log, with a checksum of all of it          (sync of the log)
//   3. they are made in the targets                                      (sync of the targets)
//   4. the log is cut to no bytes
//
// Until 2 is done the targets are as before, and a log whose checksum is wrong is nothing. From
// then on recover() leads to the state after the call. A log that comes back after 4, since a loss
// of power undid the cut, is that of the last call that wrote to the targets: the log of a later
// one is synced before its first write. So it changes nothing.
//
// Not thread-safe. Only one process at a time may have a log for its targets.
class RedoLog {
 public:
  // `log` and the targets' files outlive this. `identity`: bytes that tell the targets from all
  // others; a log with other ones is never applied. `syncs`: whether a call survives a loss of
  // power, and not only the end of the process.
  RedoLog(WriteFile& log, std::vector<RedoTarget> targets, std::string identity, bool syncs);

  // To be called before the first write: applies the log of a call that was ended in between, or
  // drops it if it is not whole. Afterwards the log is empty, and synced. Errors: kIo; kUnsupported
  // (the log is whole and belongs to other targets; nothing is changed).
  Status recover();

  // Makes the writes, which lie inside their targets and do not overlap. Errors: kIo, kOutOfMemory.
  // After an error the targets are as before unless is_pending().
  Status write(std::span<const RedoWrite> writes);

  // Whether a call stands in the log and was made in part. The next write() or recover() completes
  // it first.
  bool is_pending() const noexcept { return is_pending_; }

  // Whether a log holds a whole call, of any targets or of those with this identity. Errors: kIo.
  static Result<bool> holds_call(WriteFile& log, const std::string* identity = nullptr);

 private:
  struct Head;

  static Result<bool> read_head(WriteFile& log, Head& head);
  static Result<bool> has_identity(WriteFile& log, const Head& head, const std::string& identity);
  Status check_writes(std::span<const RedoWrite> writes) const;
  Status fill(std::span<const RedoWrite> writes, std::int64_t bytes);
  Status apply(std::span<const RedoWrite> writes);
  Status drop(Status reason);
  Status foreign() const;
  Status replay(const Head& head);
  template <class Visit>
  Status for_each_entry(const Head& head, const Visit& visit);
  Status sync_targets();
  Status cut();

  WriteFile& log_;
  std::vector<RedoTarget> targets_;
  std::string identity_;
  bool syncs_;
  bool is_pending_ = false;
  bool is_cut_ = true;  // false: the log of an applied call could not be cut
};

}  // namespace windrow::internal

#endif  // WINDROW_TABLES_REDO_LOG_H_
