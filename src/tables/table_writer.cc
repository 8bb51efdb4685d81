#include "src/tables/table_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "src/tables/call_number.h"
#include "src/tables/checksum.h"
#include "src/tables/file_lock.h"
#include "src/tables/log_pointer.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kIdentityBytes = 4096;  // of a file's header
// How often a reader completes a call before it gives up: each time another writer was ended in
// between.
constexpr int kMostRecoveries = 3;

// Whether the log beside a table's first file holds a call. Only reads.
Result<bool> has_open_call(const BlockFile& first) {
  const std::filesystem::path path = log_path(first.path());
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error || size == 0) return false;
  auto log = SystemFile::open_for_reading(path);
  if (!log) return log.error();
  return RedoLog::holds_call(**log);
}

// The permissions of a file that stands beside another one.
Result<unsigned> mode_beside(const SystemFile& file) {
  struct stat info = {};
  if (::fstat(file.fd(), &info) != 0) return Status(ErrorCode::kIo, "cannot read " + file.name());
  return info.st_mode & 0666;
}

}  // namespace

std::int64_t TableLayout::row_bytes() const {
  Shape row = shape;
  row[0] = 1;
  return dense_byte_count(dtype, row).value_or(0);
}

Status lock_for_reading(const TableLayout& layout) {
  if (layout.pieces.empty()) return {};
  std::vector<std::filesystem::path> paths;
  for (const TablePiece& piece : layout.pieces) paths.push_back(piece.file->path());
  for (int i = 0;; ++i) {
    for (const TablePiece& piece : layout.pieces)
      if (Status status = lock_file(piece.file->fd(), piece.file->path(), FileLock::kShared);
          !status)
        return status;
    if (Status status = check_calls_of_others(paths); !status) return status;
    const auto has_call = has_open_call(*layout.pieces.front().file);
    if (!has_call) return has_call.error();
    if (!*has_call) return {};
    for (const TablePiece& piece : layout.pieces) unlock_file(piece.file->fd());
    Status status = i < kMostRecoveries
                        ? TableWriter::open(layout, TableDurability::kPower, false).error()
                        : Status(ErrorCode::kIo, "other processes begin the next one");
    if (!status)
      return status.with_context("a call that wrote to '" +
                                 layout.pieces.front().file->path().string() +
                                 "' was ended in between and must be completed first");
  }
}

// A file that is written, and the part of it that is table.
struct TableWriter::Target {
  std::unique_ptr<SystemFile> file;
  std::uint64_t device = 0;
  std::uint64_t number = 0;  // of the inode
  std::int64_t low = 0;
  std::int64_t high = 0;
};

TableWriter::TableWriter(const TableLayout& layout)
    : layout_(layout), row_bytes_(layout.row_bytes()), process_(::getpid()) {}

Result<std::unique_ptr<TableWriter>> TableWriter::open(const TableLayout& layout,
                                                       TableDurability durability, bool is_shard) {
  // The log of a call that was made before there was a call number names no file for it.
  if (is_shard)
    if (const auto before = open(layout, durability, false); !before) return before.error();
  std::unique_ptr<TableWriter> writer(new TableWriter(layout));
  if (Status status = writer->open_files(); !status) return status;
  if (Status status = writer->open_call_number_file(is_shard); !status) return status;
  if (Status status = writer->open_log(durability); !status) return status;
  return writer;
}

Status TableWriter::open_files() {
  for (const TablePiece& piece : layout_.pieces)
    if (Status status = open_file(piece); !status) return status;
  if (Status status = check_overlaps(); !status) return status;
  for (const Target& target : targets_)
    if (Status status = lock_file(target.file->fd(), target.file->path(), FileLock::kAlone);
        !status)
      return status;
  return {};
}

// A file of several pieces is opened once: its lock would exclude a second opening.
Status TableWriter::open_file(const TablePiece& piece) {
  auto file = SystemFile::open(piece.file->path());
  if (!file) return file.error();
  struct stat own = {};
  struct stat read = {};
  if (::fstat((*file)->fd(), &own) != 0 || ::fstat(piece.file->fd(), &read) != 0)
    return Status(ErrorCode::kIo, "cannot read " + (*file)->name());
  if (own.st_dev != read.st_dev || own.st_ino != read.st_ino)
    return Status(ErrorCode::kIo, (*file)->name() + " was replaced while it was opened");
  const std::int64_t low = piece.first_byte;
  const std::int64_t high = piece.first_byte + (piece.high - piece.low);
  auto target = std::find_if(targets_.begin(), targets_.end(), [&](const Target& other) {
    return other.device == own.st_dev && other.number == own.st_ino;
  });
  target_of_piece_.push_back(static_cast<std::size_t>(target - targets_.begin()));
  if (target == targets_.end()) {
    targets_.push_back({*std::move(file), own.st_dev, own.st_ino, low, high});
    return {};
  }
  target->low = std::min(target->low, low);
  target->high = std::max(target->high, high);
  return {};
}

Status TableWriter::check_overlaps() const {
  std::vector<std::array<std::int64_t, 3>> ranges;  // target, first byte, byte behind the last one
  for (std::size_t i = 0; i < layout_.pieces.size(); ++i) {
    const TablePiece& piece = layout_.pieces[i];
    ranges.push_back({static_cast<std::int64_t>(target_of_piece_[i]), piece.first_byte,
                      piece.first_byte + (piece.high - piece.low)});
  }
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i][0] == ranges[i - 1][0] && ranges[i][1] < ranges[i - 1][2])
      return Status(ErrorCode::kUnsupported,
                    "a table cannot be opened for writing that has the same bytes of " +
                        targets_[static_cast<std::size_t>(ranges[i][0])].file->name() + " twice");
  return {};
}

Status TableWriter::open_call_number_file(bool is_shard) {
  if (targets_.empty()) return {};
  const std::filesystem::path path = call_number_path(targets_.front().file->path());
  std::error_code error;
  if (!is_shard && !std::filesystem::exists(path, error)) return {};
  const auto mode = mode_beside(*targets_.front().file);
  if (!mode) return mode.error();
  auto file = open_call_number(path, *mode);
  if (!file) return file.error();
  call_number_file_ = *std::move(file);
  return {};
}

Status TableWriter::open_log(TableDurability durability) {
  if (targets_.empty()) return {};
  std::vector<std::filesystem::path> paths;
  for (const Target& target : targets_) paths.push_back(target.file->path());
  if (Status status = check_calls_of_others(paths); !status) return status;
  const auto mode = mode_beside(*targets_.front().file);
  if (!mode) return mode.error();
  auto log = SystemFile::open_or_make(log_path(paths.front()), *mode);
  if (!log) return log.error();
  log_file_ = *std::move(log);
  auto name = identity();
  if (!name) return name.error();
  std::vector<RedoTarget> targets;
  for (const Target& target : targets_)
    targets.push_back({target.file.get(), target.low, target.high});
  if (call_number_file_ != nullptr)
    targets.push_back(
        {call_number_file_.get(), 0, static_cast<std::int64_t>(call_number_text(0).size())});
  const bool syncs = durability == TableDurability::kPower;
  log_.emplace(*log_file_, std::move(targets), *name, syncs);
  Status status = log_->recover();
  // A log that was not applied stays.
  if (!status) log_.reset();
  for (std::size_t i = 1; status && i < paths.size(); ++i)
    status = make_log_pointer(paths[i], paths.front(), *name, *mode, syncs);
  return status;
}

// Type and shape, and of each file its number, its size and what stands before the table; and the
// number of the file that has the call number.
Result<std::string> TableWriter::identity() const {
  std::string text = std::string(dtype_name(layout_.dtype)) + " " + to_string(layout_.shape);
  std::vector<std::byte> header;
  for (const Target& target : targets_) {
    const auto size = target.file->size();
    if (!size) return size.error();
    header.resize(static_cast<std::size_t>(std::min(target.low, kIdentityBytes)));
    if (Status status = target.file->read(0, header); !status) return status;
    Checksum checksum;
    checksum.add(header);
    for (const std::uint64_t number :
         {target.number, static_cast<std::uint64_t>(*size), static_cast<std::uint64_t>(target.low),
          static_cast<std::uint64_t>(target.high), checksum.value()})
      text += " " + std::to_string(number);
  }
  if (call_number_file_ == nullptr) return text;
  struct stat info = {};
  if (::fstat(call_number_file_->fd(), &info) != 0)
    return Status(ErrorCode::kIo, "cannot read " + call_number_file_->name());
  return text + " calls " + std::to_string(info.st_ino);
}

TableWriter::~TableWriter() {
  // In a forked process locks and log are those of the one that opened the writer.
  if (process_ != ::getpid()) return;
  // The log has no bytes. Others look for it only while they have the locks.
  if (log_ && !log_->is_pending() && log_->recover()) {
    ::unlink(log_file_->path().c_str());
    for (std::size_t i = 1; i < targets_.size(); ++i) remove_log_pointer(targets_[i].file->path());
  }
  for (const Target& target : targets_) unlock_file(target.file->fd());
}

Result<std::unique_lock<std::mutex>> TableWriter::begin() {
  if (process_ != ::getpid())
    return Status(ErrorCode::kUnsupported,
                  "a table on disk is written to only in the process that opened it, not in one "
                  "that was forked since");
  std::unique_lock<std::mutex> lock(mutex_);
  if (!log_ || !log_->is_pending()) return lock;
  writes_.fetch_add(1);
  Status status = log_->recover();
  writes_.fetch_add(1);
  is_torn_ = log_->is_pending();
  if (!status) return status;
  return lock;
}

Status TableWriter::check_whole() const {
  if (!is_torn_) return {};
  return Status(ErrorCode::kIo, "a call wrote to " + targets_.front().file->name() +
                                    " in part and stands in " + log_file_->name() +
                                    "; the table is read again when it was completed");
}

// Rows that follow each other in a file are one write.
Status TableWriter::log_rows(std::span<const std::int64_t> rows, std::span<const std::byte> bytes,
                             std::optional<std::int64_t> call_number) {
  const std::string number = call_number ? call_number_text(*call_number) : std::string();
  std::vector<RedoWrite> writes;
  std::size_t from = 0;
  for (const std::int64_t row : rows) {
    std::int64_t at = row * row_bytes_;
    const std::int64_t end = at + row_bytes_;
    while (at < end) {
      const TablePiece& piece = piece_of(layout_.pieces, at);
      const auto count = static_cast<std::size_t>(std::min(end, piece.high) - at);
      const std::size_t target =
          target_of_piece_[static_cast<std::size_t>(&piece - layout_.pieces.data())];
      const std::int64_t offset = piece.first_byte + (at - piece.low);
      RedoWrite* const last = writes.empty() ? nullptr : &writes.back();
      if (last != nullptr && last->target == target &&
          last->offset + static_cast<std::int64_t>(last->bytes.size()) == offset)
        last->bytes = {last->bytes.data(), last->bytes.size() + count};
      else
        writes.push_back({target, offset, bytes.subspan(from, count)});
      from += count;
      at += static_cast<std::int64_t>(count);
    }
  }
  if (call_number && call_number_file_ != nullptr)
    writes.push_back({targets_.size(), 0, std::as_bytes(std::span(number))});
  if (writes.empty()) return {};
  // Also where memory ends.
  struct Note {
    TableWriter& writer;
    ~Note() { writer.is_torn_ = writer.log_->is_pending(); }
  } note{*this};
  return log_->write(writes);
}

}  // namespace windrow::internal
