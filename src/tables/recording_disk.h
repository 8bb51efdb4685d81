#ifndef WINDROW_TABLES_RECORDING_DISK_H_
#define WINDROW_TABLES_RECORDING_DISK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/tables/write_file.h"

namespace windrow::internal {

using Contents = std::vector<std::string>;  // of every file

// Files in memory that remember what was done to them in which order, and tell what a loss of power
// may leave of them.
class RecordingDisk {
 public:
  static constexpr std::int64_t kSector = 512;

  struct Operation {
    enum Kind { kWrite, kResize, kSync } kind;
    std::size_t file;
    std::int64_t offset = 0;  // of a resize: the new size
    std::string bytes = {};
  };

  explicit RecordingDisk(Contents contents) : first_(contents), now_(std::move(contents)) {}

  // Asked before each operation by its number; true: it fails, a write after half of its bytes.
  std::function<bool(std::size_t)> fails = nullptr;
  // A file whose syncs do nothing.
  std::optional<std::size_t> unsynced = std::nullopt;

  const std::vector<Operation>& operations() const { return operations_; }
  const Contents& now() const { return now_; }

  bool run(Operation operation) {
    const bool failed = fails && fails(count_++);
    if (failed) {
      if (operation.kind != Operation::kWrite) return false;
      operation.bytes.resize(operation.bytes.size() / 2);
    }
    apply(now_[operation.file], operation);
    const bool is_lost = operation.kind == Operation::kSync && operation.file == unsynced;
    if (!is_lost) operations_.push_back(std::move(operation));
    return !failed;
  }

  // What the process sees after `count` operations and `bytes` bytes of the next one.
  Contents killed(std::size_t count, std::size_t bytes) const {
    Contents contents = first_;
    for (std::size_t i = 0; i < count; ++i) apply(contents[operations_[i].file], operations_[i]);
    if (bytes == 0) return contents;
    Operation part = operations_[count];
    part.bytes.resize(bytes);
    apply(contents[part.file], part);
    return contents;
  }

  // Calls see(contents) for what a loss of power after `count` operations may leave: all
  // possibilities if they are at most `most`, else that many random ones.
  template <class See>
  void lose_power(std::size_t count, std::uint64_t most, std::mt19937_64& random,
                  const See& see) const {
    std::vector<Loss> losses;
    std::uint64_t possibilities = 1;
    for (std::size_t file = 0; file < first_.size(); ++file) {
      losses.push_back(loss_of(file, count));
      possibilities *= losses.back().possibilities();
      if (possibilities > most) possibilities = most + 1;
    }
    for (std::uint64_t i = 0; i < std::min(possibilities, most); ++i) {
      std::uint64_t choice = i;
      Contents contents;
      for (const Loss& loss : losses) {
        const std::uint64_t states = loss.possibilities();
        contents.push_back(loss.left(possibilities > most ? random() % states : choice % states));
        choice /= states;
      }
      see(contents);
    }
  }

 private:
  // What of a file is safe, and what may be lost: sectors in any combination, changes of the size
  // from some point on. Bytes of a file that was cut and grew again are zeros or what stood there.
  struct Loss {
    std::string safe;
    std::vector<Operation> unsafe = {};  // writes inside of one sector, and resizes
    std::uint64_t writes = 0;
    std::uint64_t resizes = 0;

    static constexpr std::uint64_t kCounted = 40;

    std::uint64_t possibilities() const {
      return (std::uint64_t{1} << std::min(writes, kCounted)) * (resizes + 1) *
             (resizes > 0 ? 2 : 1);
    }

    std::string left(std::uint64_t choice) const {
      bool keeps_old = false;
      std::uint64_t sizes = choice % (resizes + 1);
      choice /= resizes + 1;
      if (resizes > 0) {
        keeps_old = choice % 2 != 0;
        choice /= 2;
      }
      std::mt19937_64 more(choice);  // for the writes behind those
      std::uint64_t number = 0;
      std::string medium = safe;
      std::size_t size = safe.size();
      for (const Operation& operation : unsafe) {
        const auto offset = static_cast<std::size_t>(operation.offset);
        if (operation.kind == Operation::kWrite) {
          if ((number++ < kCounted ? choice : more()) % 2 != 0) {
            medium.resize(std::max(medium.size(), offset + operation.bytes.size()), '\0');
            medium.replace(offset, operation.bytes.size(), operation.bytes);
          }
          choice /= 2;
        } else if (sizes > 0) {
          sizes -= 1;
          if (!keeps_old && offset < size) medium.resize(offset);
          size = offset;
        }
      }
      medium.resize(size, '\0');
      return medium;
    }
  };

  Loss loss_of(std::size_t file, std::size_t count) const {
    std::size_t synced = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (operations_[i].file == file && operations_[i].kind == Operation::kSync) synced = i;
    Loss loss{first_[file]};
    for (std::size_t i = 0; i < count; ++i) {
      const Operation& operation = operations_[i];
      if (operation.file != file || operation.kind == Operation::kSync) continue;
      if (i < synced) {
        apply(loss.safe, operation);
      } else if (operation.kind == Operation::kResize) {
        loss.unsafe.push_back(operation);
        loss.resizes += 1;
      } else {
        tear(operation, loss);
      }
    }
    return loss;
  }

  static void tear(const Operation& write, Loss& loss) {
    const auto bytes = static_cast<std::int64_t>(write.bytes.size());
    for (std::int64_t at = 0; at < bytes;) {
      const std::int64_t end = std::min(bytes, at + kSector - (write.offset + at) % kSector);
      loss.unsafe.push_back(
          {Operation::kWrite, write.file, write.offset + at,
           write.bytes.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(end - at))});
      loss.writes += 1;
      at = end;
    }
  }

  static void apply(std::string& content, const Operation& operation) {
    const auto offset = static_cast<std::size_t>(operation.offset);
    if (operation.kind == Operation::kResize) content.resize(offset, '\0');
    if (operation.kind != Operation::kWrite) return;
    content.resize(std::max(content.size(), offset + operation.bytes.size()), '\0');
    content.replace(offset, operation.bytes.size(), operation.bytes);
  }

  Contents first_;
  Contents now_;
  std::vector<Operation> operations_;
  std::size_t count_ = 0;
};

// A file of such a disk.
class RecordingFile final : public WriteFile {
 public:
  RecordingFile(RecordingDisk& disk, std::size_t number) : disk_(disk), number_(number) {}

  std::string name() const override { return "'file" + std::to_string(number_) + "'"; }
  Result<std::int64_t> size() override { return static_cast<std::int64_t>(content().size()); }
  Status read(std::int64_t offset, std::span<std::byte> to) override {
    if (static_cast<std::size_t>(offset) + to.size() > content().size())
      return Status(ErrorCode::kIo, name() + " ends");
    std::memcpy(to.data(), content().data() + offset, to.size());
    return {};
  }
  Status write(std::int64_t offset, std::span<const std::byte> from) override {
    return run({RecordingDisk::Operation::kWrite, number_, offset,
                std::string(reinterpret_cast<const char*>(from.data()), from.size())});
  }
  Status reserve(std::int64_t bytes) override {
    return bytes > static_cast<std::int64_t>(content().size()) ? resize(bytes) : Status();
  }
  Status resize(std::int64_t bytes) override {
    return run({RecordingDisk::Operation::kResize, number_, bytes});
  }
  Status sync() override { return run({RecordingDisk::Operation::kSync, number_}); }
  Status check_limit(std::int64_t) override { return {}; }

 private:
  const std::string& content() const { return disk_.now()[number_]; }
  Status run(RecordingDisk::Operation operation) {
    if (disk_.run(std::move(operation))) return {};
    return Status(ErrorCode::kIo, name() + " failed");
  }

  RecordingDisk& disk_;
  std::size_t number_;
};

}  // namespace windrow::internal

#endif  // WINDROW_TABLES_RECORDING_DISK_H_
