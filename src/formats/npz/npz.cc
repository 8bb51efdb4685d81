#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/formats/archive.h"
#include "src/formats/npy/npy.h"
#include "src/formats/npz/zip_directory.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

constexpr std::string_view kEnding = ".npy";

class NpzReader final : public ArchiveReader {
 public:
  NpzReader(std::shared_ptr<const ByteSource> source, std::vector<ZipEntry> entries)
      : source_(std::move(source)), entries_(std::move(entries)) {
    for (const ZipEntry& entry : entries_)
      names_.push_back(entry.name.substr(0, entry.name.size() - kEnding.size()));
  }

  Result<Tensor> load(std::size_t position, DType expected) const override {
    const ZipMember member(*source_, entries_[position]);
    Result<Tensor> tensor = read_npy(member, expected);
    if (tensor)
      if (Status status = member.check_whole(); !status) tensor = status;
    return with_context(std::move(tensor), "array '" + names_[position] + "'");
  }

  // The checksum, which is that of all bytes, is not compared.
  Result<TensorPlace> place(std::size_t position, DType expected) const override {
    return with_context(place_member(position, expected), "array '" + names_[position] + "'");
  }

 private:
  Result<TensorPlace> place_member(std::size_t position, DType expected) const {
    const ZipEntry& entry = entries_[position];
    if (entry.method != ZipMethod::kStored)
      return unsupported_error(
          "it is deflated, so that its elements are not in the file as they are; write the "
          "archive by np.savez, not by np.savez_compressed");
    Result<TensorPlace> place = place_npy(ZipMember(*source_, entry), expected);
    if (!place) return place;
    place->name = names_[position];
    place->first_byte += entry.data;
    return place;
  }

  std::shared_ptr<const ByteSource> source_;
  std::vector<ZipEntry> entries_;
};

}  // namespace

Archive open_npz(std::shared_ptr<const ByteSource> source) {
  Result<std::vector<ZipEntry>> entries = read_zip_directory(*source);
  if (!entries) return entries.error();
  std::erase_if(*entries, [](const ZipEntry& entry) { return !entry.name.ends_with(kEnding); });
  std::set<std::string_view> names;
  for (const ZipEntry& entry : *entries)
    if (!names.insert(entry.name).second)
      return format_error("two members are called '", entry.name, "'");
  return std::unique_ptr<ArchiveReader>(
      std::make_unique<NpzReader>(std::move(source), *std::move(entries)));
}

namespace {

constexpr std::uint64_t kVersion = 20;       // of the format that a reader must know
constexpr std::uint64_t kVersion64 = 45;     // the same, for 64-bit values
constexpr std::uint64_t kDate = 1 << 5 | 1;  // the first of January 1980

// Measures size and checksum of what would be written.
class Measure final : public ByteSink {
 public:
  using ByteSink::write;
  Status write(const void* bytes, std::int64_t count) override {
    crc_ = static_cast<std::uint32_t>(
        crc32_z(crc_, static_cast<const unsigned char*>(bytes), static_cast<std::size_t>(count)));
    size_ += static_cast<std::uint64_t>(count);
    return {};
  }
  std::uint32_t crc() const noexcept { return crc_; }
  std::uint64_t size() const noexcept { return size_; }

 private:
  std::uint32_t crc_ = 0;
  std::uint64_t size_ = 0;
};

struct Member {
  std::string name;
  std::uint64_t size;
  std::uint64_t crc;
  std::uint64_t header;  // where its local header begins
};

// The fields of a record, one after another.
class Record {
 public:
  explicit Record(std::uint32_t signature) { add(4, signature); }
  template <class... Values>
  void add(std::size_t size, Values... values) {
    (append_little_endian(static_cast<std::uint64_t>(values), size, bytes_), ...);
  }
  // Version, flags, method, time, date and checksum, which local headers and directory entries
  // share.
  void add_start(const Member& member, bool wide) {
    const bool ascii = std::all_of(member.name.begin(), member.name.end(),
                                   [](char c) { return static_cast<signed char>(c) >= 0; });
    add(2, wide ? kVersion64 : kVersion, ascii ? 0 : kNameIsUtf8, 0, 0, kDate);
    add(4, member.crc);
  }
  std::string& bytes() noexcept { return bytes_; }

 private:
  std::string bytes_;
};

std::string local_header(const Member& member) {
  const bool wide = member.size >= kIn64Bits;
  const std::uint64_t size = wide ? kIn64Bits : member.size;
  Record record(kLocalHeader);
  record.add_start(member, wide);
  record.add(4, size, size);
  record.add(2, member.name.size(), wide ? 20 : 0);
  record.bytes() += member.name;
  if (wide) {
    record.add(2, kExtra64, 16);
    record.add(8, member.size, member.size);
  }
  return record.bytes();
}

std::string directory_entry(const Member& member) {
  const bool wide = member.size >= kIn64Bits || member.header >= kIn64Bits;
  const auto narrow = [wide](std::uint64_t value) { return wide ? kIn64Bits : value; };
  Record record(kDirectoryEntry);
  record.add(2, wide ? kVersion64 : kVersion);
  record.add_start(member, wide);
  record.add(4, narrow(member.size), narrow(member.size));
  record.add(2, member.name.size(), wide ? 28 : 0, 0, 0, 0);
  record.add(4, 0, narrow(member.header));
  record.bytes() += member.name;
  if (wide) {
    record.add(2, kExtra64, 24);
    record.add(8, member.size, member.size, member.header);
  }
  return record.bytes();
}

// The records after the directory.
std::string directory_end(std::uint64_t members, std::uint64_t size, std::uint64_t offset) {
  std::string wide;
  if (members >= kCountIn64Bits || size >= kIn64Bits || offset >= kIn64Bits) {
    Record record(kDirectoryEnd64);
    record.add(8, kDirectoryEnd64Bytes - 12);
    record.add(2, kVersion64, kVersion64);
    record.add(4, 0, 0);
    record.add(8, members, members, size, offset);
    Record locator(kDirectoryEnd64Locator);
    locator.add(4, 0);
    locator.add(8, offset + size);
    locator.add(4, 1);
    wide = record.bytes() + locator.bytes();
    members = kCountIn64Bits;
    size = offset = kIn64Bits;
  }
  Record record(kDirectoryEnd);
  record.add(2, 0, 0, members, members);
  record.add(4, size, offset);
  record.add(2, 0);
  return wide + record.bytes();
}

Status write_member(const Tensor& tensor, Member& member, AsideFile& file) {
  if (member.name.size() > std::numeric_limits<std::uint16_t>::max())
    return unsupported_error("a name of ", member.name.size(), " bytes, which .npz can't hold");
  Measure measure;
  if (Status status = write_npy(tensor, measure); !status) return status;
  member.size = measure.size();
  member.crc = measure.crc();
  if (Status status = file.write(local_header(member)); !status) return status;
  return write_npy(tensor, file);
}

}  // namespace

Status write_npz(const NamedTensors& tensors, AsideFile& file) {
  if (Status status = check_names_differ(tensors); !status) return status;
  std::string directory;
  for (const auto& [name, tensor] : tensors) {
    Member member = {name + ".npy", 0, 0, static_cast<std::uint64_t>(file.size())};
    if (Status status = write_member(tensor, member, file); !status)
      return status.with_context("array '" + name + "'");
    directory += directory_entry(member);
  }
  const auto offset = static_cast<std::uint64_t>(file.size());
  if (Status status = file.write(directory); !status) return status;
  return file.write(directory_end(tensors.size(), directory.size(), offset));
}

}  // namespace windrow::internal
