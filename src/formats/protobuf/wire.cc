#include "src/formats/protobuf/wire.h"

namespace windrow::internal::pb {

bool WireReader::read_long_varint(std::uint64_t& value) noexcept {
  const auto next = [this](unsigned char& byte) {
    if (at_ == end_) return false;
    byte = static_cast<unsigned char>(*at_++);
    return true;
  };
  return read_varint_from(next, value);
}

bool WireReader::read_tag(Tag& tag) noexcept {
  std::uint64_t value = 0;
  if (!read_varint(value) || value > UINT32_MAX) return false;
  tag = {static_cast<std::uint32_t>(value >> 3), static_cast<WireType>(value & 7)};
  return tag.number != 0;
}

bool WireReader::read_len(std::string_view& bytes) noexcept {
  std::uint64_t size = 0;
  if (!read_varint(size) || size > static_cast<std::uint64_t>(end_ - at_)) return false;
  bytes = {at_, static_cast<std::size_t>(size)};
  at_ += size;
  return true;
}

bool WireReader::skip_value(const Tag& tag, int depth) noexcept {
  std::uint64_t number = 0;
  std::uint32_t half = 0;
  std::string_view bytes;
  switch (tag.wire) {
    case WireType::kVarint:
      return read_varint(number);
    case WireType::kI64:
      return read_fixed(number);
    case WireType::kI32:
      return read_fixed(half);
    case WireType::kLen:
      return read_len(bytes);
    case WireType::kStartGroup:
      break;
    default:
      return false;
  }
  if (depth == 0) return false;
  for (Tag inner; read_tag(inner);) {
    if (inner.wire == WireType::kEndGroup) return inner.number == tag.number;
    if (!skip_value(inner, depth - 1)) return false;
  }
  return false;
}

void WireWriter::write_bytes(std::string_view bytes) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  if (!sink_ || bytes_.size() + bytes.size() <= kPiece) {
    bytes_ += bytes;
    return;
  }
  flush();
  sink_(bytes);
}

void WireWriter::flush() {
  if (sink_ && !bytes_.empty()) sink_(bytes_);
  if (sink_) bytes_.clear();
}

}  // namespace windrow::internal::pb
