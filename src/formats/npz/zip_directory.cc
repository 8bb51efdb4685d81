#include "src/formats/npz/zip_directory.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "src/formats/archive.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

// Flags for encryption, strong encryption and a directory whose values are masked.
constexpr std::uint64_t kEncrypted = 1 | 1 << 6 | 1 << 13;
constexpr std::int64_t kLongestComment = 0xffff;
// Bytes that one byte of a deflated member can become: 258 for every two bits.
constexpr std::int64_t kMostGrowth = 1032;

Status zip_error(const std::string& what) { return format_error("bad zip archive: ", what); }

Status member_error(const ZipEntry& entry, const std::string& what) {
  return zip_error("member '" + entry.name + "' " + what);
}

// Reads fields of fixed sizes one after another.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}
  // The next number; 0 after the end.
  std::uint64_t take(std::size_t size) {
    if (size > bytes_.size()) {
      bytes_ = {};
      return 0;
    }
    const std::uint64_t value = little_endian(bytes_.data(), size);
    bytes_.remove_prefix(size);
    return value;
  }
  std::string_view take_text(std::size_t size) {
    const std::string_view text = bytes_.substr(0, size);
    bytes_.remove_prefix(text.size());
    return text;
  }
  std::size_t left() const noexcept { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

// Where the directory is.
struct Place {
  std::uint64_t members = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
  std::int64_t end = 0;  // where the record behind the directory begins
};

// The position of the archive's last record, after which only its comment follows.
Result<std::int64_t> find_end(const ByteSource& source) {
  const std::int64_t looked_at = std::min(source.size(), kDirectoryEndBytes + kLongestComment);
  const Result<std::string> tail = source.read_bytes(source.size() - looked_at, looked_at);
  if (!tail) return tail.error();
  for (std::int64_t at = looked_at - kDirectoryEndBytes; at >= 0; --at) {
    const char* const record = tail->data() + at;
    const auto comment = static_cast<std::int64_t>(little_endian(record + 20, 2));
    if (little_endian(record, 4) == kDirectoryEnd && at + kDirectoryEndBytes + comment == looked_at)
      return source.size() - looked_at + at;
  }
  return zip_error("it has no directory; it was cut, or is not a zip archive");
}

// The record of 64-bit values before the archive's last one.
Result<Place> find_directory64(const ByteSource& source, std::int64_t end) {
  if (end < kLocatorBytes + kDirectoryEnd64Bytes) return zip_error("no 64-bit directory");
  const Result<std::string> locator = source.read_bytes(end - kLocatorBytes, kLocatorBytes);
  if (!locator) return locator.error();
  const std::int64_t at = end - kLocatorBytes - kDirectoryEnd64Bytes;
  if (little_endian(locator->data(), 4) != kDirectoryEnd64Locator ||
      little_endian(locator->data() + 8, 8) != static_cast<std::uint64_t>(at))
    return zip_error("no 64-bit directory");
  const Result<std::string> record = source.read_bytes(at, kDirectoryEnd64Bytes);
  if (!record) return record.error();
  if (little_endian(record->data(), 4) != kDirectoryEnd64) return zip_error("no 64-bit directory");
  return Place{little_endian(record->data() + 32, 8), little_endian(record->data() + 40, 8),
               little_endian(record->data() + 48, 8), at};
}

Result<Place> find_directory(const ByteSource& source) {
  const Result<std::int64_t> end = find_end(source);
  if (!end) return end.error();
  const Result<std::string> record = source.read_bytes(*end, kDirectoryEndBytes);
  if (!record) return record.error();
  const char* const fields = record->data();
  if (little_endian(fields + 4, 2) != 0 || little_endian(fields + 6, 2) != 0)
    return unsupported_error("zip archives of several disks are not supported");
  Place place = {little_endian(fields + 10, 2), little_endian(fields + 12, 4),
                 little_endian(fields + 16, 4), *end};
  if (place.members == kCountIn64Bits || place.size == kIn64Bits || place.offset == kIn64Bits) {
    const Result<Place> wide = find_directory64(source, *end);
    if (!wide) return wide.error();
    place = *wide;
  }
  const auto before = static_cast<std::uint64_t>(place.end);
  if (place.size > before || place.offset != before - place.size)
    return zip_error("the directory is not where its end says");
  return place;
}

// Replaces the values that did not fit by those of the extra field. Returns false if the extra
// field lacks them.
bool widen(std::string_view extra, std::uint64_t& size, std::uint64_t& stored_size,
           std::uint64_t& header) {
  if (size != kIn64Bits && stored_size != kIn64Bits && header != kIn64Bits) return true;
  Fields fields(extra);
  while (fields.left() >= 4) {
    const std::uint64_t id = fields.take(2);
    Fields values(fields.take_text(fields.take(2)));
    if (id != kExtra64) continue;
    for (std::uint64_t* const value : {&size, &stored_size, &header}) {
      if (*value != kIn64Bits) continue;
      if (values.left() < 8) return false;
      *value = values.take(8);
    }
    return true;
  }
  return false;
}

Status check_entry(const ZipEntry& entry) {
  if (entry.method == ZipMethod::kStored && entry.size != entry.stored_size)
    return member_error(entry, "is stored, and its two sizes differ");
  if (entry.size / kMostGrowth > entry.stored_size)
    return member_error(entry, "cannot have " + std::to_string(entry.size) + " bytes in " +
                                   std::to_string(entry.stored_size) + " that are deflated");
  return {};
}

// One entry of the directory, which ends at `limit`.
Result<ZipEntry> take_entry(Fields& fields, std::int64_t limit) {
  if (fields.left() < kDirectoryEntryBytes || fields.take(4) != kDirectoryEntry)
    return zip_error("the directory has fewer members than its end says");
  ZipEntry entry;
  fields.take(4);  // versions
  const std::uint64_t flags = fields.take(2);
  const std::uint64_t method = fields.take(2);
  fields.take(4);  // time and date
  entry.crc = static_cast<std::uint32_t>(fields.take(4));
  std::uint64_t stored_size = fields.take(4);
  std::uint64_t size = fields.take(4);
  const std::size_t name_bytes = fields.take(2);
  const std::size_t extra_bytes = fields.take(2);
  const std::size_t comment_bytes = fields.take(2);
  fields.take(8);  // disk, attributes
  std::uint64_t header = fields.take(4);
  if (fields.left() < name_bytes + extra_bytes + comment_bytes)
    return zip_error("the directory is cut");
  entry.name = fields.take_text(name_bytes);
  const bool is_whole = widen(fields.take_text(extra_bytes), size, stored_size, header);
  fields.take_text(comment_bytes);
  const auto most = static_cast<std::uint64_t>(limit);
  if (!is_whole || stored_size > most || header > most || size / kMostGrowth > most)
    return member_error(entry, "has sizes or a place beyond the archive");
  if ((flags & kEncrypted) != 0)
    return unsupported_error("member '", entry.name, "' is encrypted, which is not supported");
  if (method != 0 && method != 8)
    return unsupported_error("member '", entry.name, "' has compression method ", method,
                             "; only stored and deflated ones are supported");
  entry.method = static_cast<ZipMethod>(method);
  entry.stored_size = static_cast<std::int64_t>(stored_size);
  entry.size = static_cast<std::int64_t>(size);
  entry.header = static_cast<std::int64_t>(header);
  if (Status status = check_entry(entry); !status) return status;
  return entry;
}

// Finds where the stored bytes begin, from the header before them, and that they end before
// `limit`.
Status place_data(const ByteSource& source, std::int64_t limit, ZipEntry& entry) {
  const auto name_bytes = static_cast<std::int64_t>(entry.name.size());
  if (entry.header + kLocalHeaderBytes + name_bytes > limit)
    return member_error(entry, "begins after the members");
  const Result<std::string> header =
      source.read_bytes(entry.header, kLocalHeaderBytes + name_bytes);
  if (!header) return header.error();
  if (little_endian(header->data(), 4) != kLocalHeader ||
      little_endian(header->data() + 8, 2) != static_cast<std::uint64_t>(entry.method) ||
      little_endian(header->data() + 26, 2) != entry.name.size() || !header->ends_with(entry.name))
    return member_error(entry, "is not where the directory says");
  const auto extra_bytes = static_cast<std::int64_t>(little_endian(header->data() + 28, 2));
  entry.data = entry.header + kLocalHeaderBytes + name_bytes + extra_bytes;
  if (entry.data > limit || entry.stored_size > limit - entry.data)
    return member_error(entry, "ends after the members");
  return {};
}

// Checks that no members overlap: together they could be any number of times as large as the file.
Status check_apart(const std::vector<ZipEntry>& entries) {
  std::vector<const ZipEntry*> in_place;
  for (const ZipEntry& entry : entries) in_place.push_back(&entry);
  std::sort(in_place.begin(), in_place.end(),
            [](const ZipEntry* a, const ZipEntry* b) { return a->header < b->header; });
  for (std::size_t i = 1; i < in_place.size(); ++i)
    if (in_place[i]->header < in_place[i - 1]->data + in_place[i - 1]->stored_size)
      return member_error(*in_place[i], "shares bytes with another member");
  return {};
}

}  // namespace

Result<std::vector<ZipEntry>> read_zip_directory(const ByteSource& source) {
  if (source.size() == 0) return format_error("the file is empty");
  const Result<Place> place = find_directory(source);
  if (!place) return place.error();
  const auto begin = static_cast<std::int64_t>(place->offset);
  const Result<std::string> directory = source.read_bytes(begin, place->end - begin);
  if (!directory) return directory.error();
  Fields fields(*directory);
  std::vector<ZipEntry> entries;
  for (std::uint64_t i = 0; i < place->members; ++i) {
    Result<ZipEntry> entry = take_entry(fields, begin);
    if (!entry) return entry.error();
    if (Status status = place_data(source, begin, *entry); !status) return status;
    entries.push_back(*std::move(entry));
  }
  if (fields.left() > 0) return zip_error("the directory has more members than its end says");
  if (Status status = check_apart(entries); !status) return status;
  return entries;
}

namespace {

constexpr std::int64_t kInflatedBlock = 1 << 14;
constexpr std::int64_t kMostAtOnce = 1 << 30;  // zlib counts in 32 bits

}  // namespace

struct ZipMember::Inflater {
  z_stream stream = {};
  bool is_open = false;
  bool has_ended = false;  // the deflated bytes have ended
  std::array<unsigned char, kInflatedBlock> input;

  ~Inflater() {
    if (is_open) inflateEnd(&stream);
  }
};

ZipMember::ZipMember(const ByteSource& archive, const ZipEntry& entry)
    : archive_(archive), entry_(entry) {}
ZipMember::~ZipMember() = default;

Status ZipMember::restart() const {
  position_ = 0;
  taken_ = 0;
  crc_ = 0;
  inflater_.reset();
  if (entry_.method == ZipMethod::kStored) return {};
  inflater_ = std::make_unique<Inflater>();
  inflater_->is_open = inflateInit2(&inflater_->stream, -MAX_WBITS) == Z_OK;
  return inflater_->is_open ? Status() : Status(ErrorCode::kOutOfMemory, "not enough memory");
}

Status ZipMember::refill() const {
  z_stream& stream = inflater_->stream;
  const std::int64_t bytes = std::min(kInflatedBlock, entry_.stored_size - taken_);
  if (bytes == 0) return format_error("the deflated bytes end early");
  if (Status status = archive_.read(entry_.data + taken_, inflater_->input.data(), bytes); !status)
    return status;
  stream.next_in = inflater_->input.data();
  stream.avail_in = static_cast<uInt>(bytes);
  taken_ += bytes;
  return {};
}

Status ZipMember::inflate_some() const {
  z_stream& stream = inflater_->stream;
  if (stream.avail_in == 0)
    if (Status status = refill(); !status) return status;
  const int code = ::inflate(&stream, Z_NO_FLUSH);
  if (code == Z_MEM_ERROR) return {ErrorCode::kOutOfMemory, "not enough memory"};
  if (code != Z_OK && code != Z_STREAM_END) return format_error("the deflated bytes are damaged");
  inflater_->has_ended = code == Z_STREAM_END;
  return {};
}

Status ZipMember::inflate(void* to, std::int64_t bytes) const {
  z_stream& stream = inflater_->stream;
  stream.next_out = static_cast<unsigned char*>(to);
  stream.avail_out = static_cast<uInt>(bytes);
  while (stream.avail_out > 0) {
    if (inflater_->has_ended)
      return format_error("the deflated bytes are fewer than the directory says");
    if (Status status = inflate_some(); !status) return status;
  }
  return {};
}

// The next `bytes` bytes.
Status ZipMember::produce(void* to, std::int64_t bytes) const {
  auto* target = static_cast<unsigned char*>(to);
  while (bytes > 0) {
    const std::int64_t part = std::min(bytes, kMostAtOnce);
    Status status = entry_.method == ZipMethod::kStored
                        ? archive_.read(entry_.data + position_, target, part)
                        : inflate(target, part);
    if (!status) return status;
    crc_ = static_cast<std::uint32_t>(crc32(crc_, target, static_cast<uInt>(part)));
    position_ += part;
    target += part;
    bytes -= part;
  }
  return {};
}

Status ZipMember::skip(std::int64_t bytes) const {
  std::array<unsigned char, kInflatedBlock> dropped;
  for (; bytes > 0; bytes -= kInflatedBlock)
    if (Status status = produce(dropped.data(), std::min(bytes, kInflatedBlock)); !status)
      return status;
  return {};
}

Status ZipMember::read(std::int64_t offset, void* to, std::int64_t bytes) const {
  if (Status status = check_range(offset, bytes, size()); !status) return status;
  if (offset < position_ || (inflater_ == nullptr && position_ == 0))
    if (Status status = restart(); !status) return status;
  if (Status status = skip(offset - position_); !status) return status;
  return produce(to, bytes);
}

Status ZipMember::check_whole() const {
  if (Status status = read(size(), nullptr, 0); !status) return status;
  if (entry_.method == ZipMethod::kDeflated) {
    // The mark of the end may follow the last byte.
    z_stream& stream = inflater_->stream;
    while (!inflater_->has_ended) {
      unsigned char beyond = 0;
      stream.next_out = &beyond;
      stream.avail_out = 1;
      if (Status status = inflate_some(); !status) return status;
      if (stream.avail_out == 0)
        return format_error("the deflated bytes are more than the directory says");
    }
    if (stream.avail_in > 0 || taken_ < entry_.stored_size)
      return format_error("there are bytes after the end of the deflated ones");
  }
  if (crc_ == entry_.crc) return {};
  return format_error("the checksum differs from the archive's: the file is damaged");
}

}  // namespace windrow::internal
