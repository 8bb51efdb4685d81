#ifndef WINDROW_FORMATS_PROTOBUF_WIRE_H_
#define WINDROW_FORMATS_PROTOBUF_WIRE_H_

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

// The wire format of Protocol Buffers, of which ONNX's files are made:
// https://protobuf.dev/programming-guides/encoding. Names are those of its pages.
namespace windrow::internal::pb {

enum class WireType : std::uint8_t {
  kVarint = 0,
  kI64 = 1,
  kLen = 2,
  kStartGroup = 3,
  kEndGroup = 4,
  kI32 = 5
};

// Messages inside messages: deeper ones are not read, as protobuf's own parsers do it.
inline constexpr int kMostDepth = 100;

struct Tag {
  std::uint32_t number = 0;
  WireType wire = WireType::kVarint;
};

// Reads a varint of the bytes that next(byte) gives; false where it gives none, or the number does
// not end.
template <class Next>
bool read_varint_from(const Next& next, std::uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    unsigned char byte = 0;
    if (!next(byte)) return false;
    if (shift < 64) value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

// Calls append(bytes) with the bytes of a varint.
template <class Append>
void write_varint_to(std::uint64_t value, const Append& append) {
  char bytes[10];
  std::size_t count = 0;
  for (; value >= 0x80; value >>= 7) bytes[count++] = static_cast<char>(value | 0x80);
  bytes[count++] = static_cast<char>(value);
  append(std::string_view(bytes, count));
}

// Reads values from the bytes of a message. Functions return false where the bytes are no such
// value, after which the reader must not be used.
class WireReader {
 public:
  // `depth`: how many messages inside this one may be read.
  explicit WireReader(std::string_view bytes, int depth = kMostDepth) noexcept
      : at_(bytes.data()), end_(bytes.data() + bytes.size()), depth_(depth) {}

  bool is_at_end() const noexcept { return at_ == end_; }
  const char* at() const noexcept { return at_; }
  int depth() const noexcept { return depth_; }

  bool read_varint(std::uint64_t& value) noexcept {
    if (at_ != end_ && static_cast<signed char>(*at_) >= 0) {
      value = static_cast<std::uint64_t>(*at_++);
      return true;
    }
    return read_long_varint(value);
  }
  bool read_tag(Tag& tag) noexcept;
  bool read_len(std::string_view& bytes) noexcept;
  // A number of 4 or 8 bytes.
  template <class T>
  bool read_fixed(T& value) noexcept {
    if (static_cast<std::size_t>(end_ - at_) < sizeof value) return false;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return true;
  }
  // The value behind a tag, groups with all that is in them.
  bool skip(const Tag& tag) noexcept { return skip_value(tag, depth_); }

 private:
  bool read_long_varint(std::uint64_t& value) noexcept;
  bool skip_value(const Tag& tag, int depth) noexcept;

  const char* at_;
  const char* end_;
  int depth_;
};

// Writes values, into a string or piece by piece into a sink.
class WireWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  WireWriter() = default;
  explicit WireWriter(Sink sink) : sink_(std::move(sink)) {}

  void write_varint(std::uint64_t value) {
    write_varint_to(value, [this](std::string_view bytes) { write_bytes(bytes); });
  }
  void write_tag(std::uint32_t number, WireType wire) {
    write_varint(std::uint64_t{number} << 3 | static_cast<std::uint64_t>(wire));
  }
  void write_bytes(std::string_view bytes);
  template <class T>
  void write_fixed(T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    write_bytes({bytes, sizeof value});
  }
  // Gives the sink what it does not have yet.
  void flush();
  // What was written, where there is no sink.
  std::string take() { return std::move(bytes_); }

 private:
  Sink sink_;
  std::string bytes_;
};

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t varint_size(std::uint64_t value) noexcept {
  return static_cast<std::size_t>(std::bit_width(value | 1) + 6) / 7;
}
constexpr std::size_t tag_size(std::uint32_t number) noexcept {
  return varint_size(std::uint64_t{number} << 3);
}

}  // namespace windrow::internal::pb

#endif  // WINDROW_FORMATS_PROTOBUF_WIRE_H_
