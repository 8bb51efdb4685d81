#include "src/formats/npz/zip_member.h"

#include <zlib.h>

#include <algorithm>
#include <array>

#include "src/models/text.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kBlock = 1 << 14;
constexpr std::int64_t kMostAtOnce = 1 << 30;  // zlib counts in 32 bits

}  // namespace

struct ZipMember::Inflater {
  z_stream stream = {};
  bool is_open = false;
  bool has_ended = false;  // the deflated bytes have ended
  std::array<unsigned char, kBlock> input;

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
  const std::int64_t bytes = std::min(kBlock, entry_.stored_size - taken_);
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
  std::array<unsigned char, kBlock> dropped;
  for (; bytes > 0; bytes -= kBlock)
    if (Status status = produce(dropped.data(), std::min(bytes, kBlock)); !status) return status;
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
