#include "src/tables/redo_log.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "src/tables/checksum.h"

namespace windrow::internal {
namespace {

// "wndrlog1" as its bytes stand in the file. Numbers are little-endian.
constexpr std::uint64_t kLogMagic = 0x31676f6c72646e77;
// A log is read and written in pieces of at most this number of bytes.
constexpr std::int64_t kMostChunkBytes = std::int64_t{1} << 20;

// Behind the head: the identity, `writes` of these, and the bytes of all of them.
struct LogEntry {
  std::uint64_t target;
  std::int64_t offset;
  std::int64_t bytes;
};

// Memory for the pieces of `bytes` bytes.
std::vector<std::byte> make_chunk(std::int64_t bytes) {
  return std::vector<std::byte>(static_cast<std::size_t>(std::min(bytes, kMostChunkBytes)));
}

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_bytes(std::span(&value, 1));
}

// Appends `bytes` bytes, at least 1, to a file in chunks. The memory is allocated at once.
class ChunkWriter {
 public:
  ChunkWriter(WriteFile& file, std::int64_t at, std::int64_t bytes)
      : file_(file), at_(at), chunk_(make_chunk(bytes)) {}

  Status append(std::span<const std::byte> bytes) {
    sum_.add(bytes);
    while (!bytes.empty()) {
      const std::size_t count = std::min(bytes.size(), chunk_.size() - used_);
      std::copy_n(bytes.begin(), count, chunk_.begin() + static_cast<std::ptrdiff_t>(used_));
      used_ += count;
      bytes = bytes.subspan(count);
      if (used_ < chunk_.size()) continue;
      if (Status status = flush(); !status) return status;
    }
    return {};
  }

  Status flush() {
    Status status = file_.write(at_, std::span(chunk_.data(), used_));
    at_ += static_cast<std::int64_t>(used_);
    used_ = 0;
    return status;
  }

  std::uint64_t sum() const { return sum_.value(); }

 private:
  WriteFile& file_;
  std::int64_t at_;
  std::vector<std::byte> chunk_;
  std::size_t used_ = 0;
  Checksum sum_;
};

// Passes bytes [at, end) of a file to `take`, in pieces that fit into `chunk`.
template <class Take>
Status for_each_chunk(WriteFile& file, std::int64_t at, std::int64_t end,
                      std::span<std::byte> chunk, const Take& take) {
  while (at < end) {
    const auto count = std::min(static_cast<std::int64_t>(chunk.size()), end - at);
    const std::span<std::byte> part = chunk.first(static_cast<std::size_t>(count));
    if (Status status = file.read(at, part); !status) return status;
    if (Status status = take(std::span<const std::byte>(part)); !status) return status;
    at += count;
  }
  return {};
}

}  // namespace

// The first bytes of a log, written last.
struct RedoLog::Head {
  std::uint64_t magic = kLogMagic;
  std::int64_t identity_bytes = 0;
  std::int64_t writes = 0;
  std::int64_t rest = 0;  // bytes behind the head
  std::uint64_t sum_of_rest = 0;
  std::uint64_t sum_of_head = 0;  // of the numbers before it

  std::uint64_t sum() const {
    Checksum checksum;
    checksum.add(bytes_of(*this).first(sizeof(Head) - sizeof sum_of_head));
    return checksum.value();
  }
};

RedoLog::RedoLog(WriteFile& log, std::vector<RedoTarget> targets, std::string identity, bool syncs)
    : log_(log), targets_(std::move(targets)), identity_(std::move(identity)), syncs_(syncs) {}

Result<bool> RedoLog::read_head(WriteFile& log, Head& head) {
  const auto size = log.size();
  if (!size) return size.error();
  const auto head_bytes = static_cast<std::int64_t>(sizeof(Head));
  if (*size < head_bytes) return false;
  if (Status status = log.read(0, std::as_writable_bytes(std::span(&head, 1))); !status)
    return status;
  if (head.magic != kLogMagic || head.sum_of_head != head.sum()) return false;
  if (head.rest < 0 || head.rest > *size - head_bytes) return false;
  Checksum checksum;
  std::vector<std::byte> chunk = make_chunk(head.rest);
  const Status status = for_each_chunk(log, head_bytes, head_bytes + head.rest, chunk,
                                       [&](std::span<const std::byte> part) {
                                         checksum.add(part);
                                         return Status();
                                       });
  if (!status) return status;
  return checksum.value() == head.sum_of_rest;
}

Result<bool> RedoLog::has_identity(WriteFile& log, const Head& head, const std::string& identity) {
  if (head.identity_bytes != static_cast<std::int64_t>(identity.size())) return false;
  if (head.identity_bytes > head.rest) return false;
  std::string there(identity.size(), '\0');
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(there));
  if (Status status = log.read(sizeof(Head), bytes); !status) return status;
  return there == identity;
}

Result<bool> RedoLog::holds_call(WriteFile& log, const std::string* identity) {
  Head head;
  auto is_whole = read_head(log, head);
  if (!is_whole || !*is_whole || identity == nullptr) return is_whole;
  return has_identity(log, head, *identity);
}

Status RedoLog::recover() {
  Head head;
  const auto is_whole = read_head(log_, head);
  if (!is_whole) return is_whole.error();
  if (*is_whole) {
    if (Status status = replay(head); !status) return status;
  }
  is_pending_ = false;
  if (Status status = cut(); !status) return status;
  return log_.sync();
}

Status RedoLog::foreign() const {
  return Status(ErrorCode::kUnsupported,
                log_.name() +
                    " holds a call that was ended in between, for another table or for files that "
                    "were replaced since; it is not applied, and the table is not written to as "
                    "long as that file is there");
}

// The log may be anybody's work: nothing outside the targets is written, and nothing at all before
// every entry has been checked.
Status RedoLog::replay(const Head& head) {
  const auto is_own = has_identity(log_, head, identity_);
  if (!is_own) return is_own.error();
  if (!*is_own) return foreign();
  const auto nothing = [](const RedoTarget&, std::int64_t, std::int64_t, std::int64_t) {
    return Status();
  };
  if (Status status = for_each_entry(head, nothing); !status) return status;
  std::vector<std::byte> chunk = make_chunk(head.rest);
  const auto put = [&](const RedoTarget& target, std::int64_t to, std::int64_t from,
                       std::int64_t bytes) {
    return for_each_chunk(log_, from, from + bytes, chunk, [&](std::span<const std::byte> part) {
      const std::int64_t here = to;
      to += static_cast<std::int64_t>(part.size());
      return target.file->write(here, part);
    });
  };
  if (Status status = for_each_entry(head, put); !status) return status;
  // A call of a process that was killed has not been synced, whatever it was to survive.
  return sync_targets();
}

// Calls visit(target, byte of its file, byte of the log, number of bytes) for every entry.
template <class Visit>
Status RedoLog::for_each_entry(const Head& head, const Visit& visit) {
  constexpr auto kEntryBytes = static_cast<std::int64_t>(sizeof(LogEntry));
  std::int64_t left = head.rest - head.identity_bytes;
  if (head.writes < 0 || head.writes > left / kEntryBytes) return foreign();
  left -= head.writes * kEntryBytes;
  const std::int64_t entries_at = static_cast<std::int64_t>(sizeof(Head)) + head.identity_bytes;
  std::int64_t at = entries_at + head.writes * kEntryBytes;
  for (std::int64_t i = 0; i < head.writes; ++i) {
    LogEntry entry = {};
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(&entry, 1));
    if (Status status = log_.read(entries_at + i * kEntryBytes, bytes); !status) return status;
    if (entry.target >= targets_.size() || entry.bytes < 0 || entry.bytes > left) return foreign();
    const RedoTarget& target = targets_[entry.target];
    if (entry.offset < target.low || entry.offset > target.high) return foreign();
    if (entry.bytes > target.high - entry.offset) return foreign();
    if (Status status = visit(target, entry.offset, at, entry.bytes); !status) return status;
    at += entry.bytes;
    left -= entry.bytes;
  }
  return left == 0 ? Status() : foreign();
}

Status RedoLog::write(std::span<const RedoWrite> writes) {
  if (is_pending_ || !is_cut_) {
    if (Status status = recover(); !status) return status;
  }
  if (writes.empty()) return {};
  if (Status status = check_writes(writes); !status) return status;
  std::int64_t bytes = static_cast<std::int64_t>(sizeof(Head) + identity_.size());
  for (const RedoWrite& write : writes)
    bytes += static_cast<std::int64_t>(sizeof(LogEntry) + write.bytes.size());
  if (Status status = fill(writes, bytes); !status) return drop(status);
  is_pending_ = true;
  if (Status status = apply(writes); !status)
    return status.with_context("the call stands in " + log_.name() +
                               " and is completed when the table is next written to or opened");
  is_pending_ = false;
  // The call is made. A log that stays would only be applied again.
  is_cut_ = cut().ok();
  return {};
}

Status RedoLog::check_writes(std::span<const RedoWrite> writes) const {
  for (const RedoWrite& write : writes) {
    const RedoTarget& target = targets_[write.target];
    const auto end = write.offset + static_cast<std::int64_t>(write.bytes.size());
    if (write.offset < target.low || end > target.high)
      return Status(ErrorCode::kInternal, "a write outside of " + target.file->name());
    // A limit that only the table's files exceed would fail when the log is whole.
    if (Status status = target.file->check_limit(end); !status) return status;
  }
  return {};
}

Status RedoLog::fill(std::span<const RedoWrite> writes, std::int64_t bytes) {
  const std::int64_t rest_bytes = bytes - static_cast<std::int64_t>(sizeof(Head));
  ChunkWriter rest(log_, sizeof(Head), rest_bytes);
  if (Status status = log_.reserve(bytes); !status) return status;
  if (Status status = rest.append(std::as_bytes(std::span(identity_))); !status) return status;
  for (const RedoWrite& write : writes) {
    const LogEntry entry{write.target, write.offset, static_cast<std::int64_t>(write.bytes.size())};
    if (Status status = rest.append(bytes_of(entry)); !status) return status;
  }
  for (const RedoWrite& write : writes)
    if (Status status = rest.append(write.bytes); !status) return status;
  if (Status status = rest.flush(); !status) return status;
  Head head;
  head.identity_bytes = static_cast<std::int64_t>(identity_.size());
  head.writes = static_cast<std::int64_t>(writes.size());
  head.rest = rest_bytes;
  head.sum_of_rest = rest.sum();
  head.sum_of_head = head.sum();
  if (Status status = log_.write(0, bytes_of(head)); !status) return status;
  return syncs_ ? log_.sync() : Status();
}

// Gives up a call of which nothing has been applied.
Status RedoLog::drop(Status reason) {
  // An empty log that is not synced might come back whole.
  if (cut() && (!syncs_ || log_.sync())) return reason;
  // A whole log would be applied by the next recover().
  is_cut_ = false;
  is_pending_ = true;
  const auto is_whole = holds_call(log_);
  is_pending_ = !is_whole || *is_whole;
  if (!is_pending_) return reason;
  return reason.with_context("the call may stand in " + log_.name() +
                             " and be completed when the table is next written to or opened");
}

Status RedoLog::apply(std::span<const RedoWrite> writes) {
  for (const RedoWrite& write : writes)
    if (Status status = targets_[write.target].file->write(write.offset, write.bytes); !status)
      return status;
  return syncs_ ? sync_targets() : Status();
}

Status RedoLog::sync_targets() {
  for (const RedoTarget& target : targets_)
    if (Status status = target.file->sync(); !status) return status;
  return {};
}

Status RedoLog::cut() {
  Status status = log_.resize(0);
  is_cut_ = status.ok();
  return status;
}

}  // namespace windrow::internal
