#include "src/formats/onnx/elided.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "src/formats/constant_blobs.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kBufferBytes = std::int64_t{1} << 18;
// As deep as protobuf goes itself.
constexpr int kMostDepth = 100;

// The messages on the way to an initializer's elements.
enum class Message : std::uint8_t { kModel, kGraph, kNode, kAttribute, kTensor };

// A field by which one leads to another. From ONNX's schema, whose numbers never change.
struct Step {
  Message from;
  std::uint32_t field;
  Message to;
};
constexpr Step kSteps[] = {
    {Message::kModel, 7, Message::kGraph},       // graph
    {Message::kGraph, 1, Message::kNode},        // node
    {Message::kGraph, 5, Message::kTensor},      // initializer
    {Message::kNode, 5, Message::kAttribute},    // attribute
    {Message::kAttribute, 6, Message::kGraph},   // g
    {Message::kAttribute, 11, Message::kGraph},  // graphs
};
constexpr std::uint32_t kRawData = 9;  // of a tensor

const Step* find_step(Message from, std::uint32_t field) {
  const auto* const found =
      std::find_if(std::begin(kSteps), std::end(kSteps),
                   [&](const Step& step) { return step.from == from && step.field == field; });
  return found == std::end(kSteps) ? nullptr : found;
}

std::string draw_token() {
  std::random_device device;
  std::string token;
  while (token.size() < 16) {
    const std::uint32_t word = device();
    token.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  return token;
}

// Reads a source from front to back, through a buffer.
class Reader {
 public:
  explicit Reader(const ByteSource& source) : source_(source) {}

  std::int64_t position() const { return start_ + at_; }
  const Status& status() const { return status_; }

  // False at the end, and after an error.
  bool get(std::uint8_t& byte) {
    if (at_ == static_cast<std::int64_t>(buffer_.size()) && !fill()) return false;
    byte = static_cast<std::uint8_t>(buffer_[static_cast<std::size_t>(at_++)]);
    return true;
  }

  // The next bytes go to the end of `out`.
  bool copy(std::int64_t bytes, std::string& out) {
    while (bytes > 0) {
      if (at_ == static_cast<std::int64_t>(buffer_.size()) && !fill()) return false;
      const std::int64_t some = std::min(bytes, static_cast<std::int64_t>(buffer_.size()) - at_);
      out.append(buffer_, static_cast<std::size_t>(at_), static_cast<std::size_t>(some));
      at_ += some;
      bytes -= some;
    }
    return true;
  }

  void skip(std::int64_t bytes) {
    const std::int64_t buffered = static_cast<std::int64_t>(buffer_.size()) - at_;
    if (bytes <= buffered) {
      at_ += bytes;
      return;
    }
    start_ = position() + bytes;
    at_ = 0;
    buffer_.clear();
  }

 private:
  bool fill() {
    start_ += at_;
    at_ = 0;
    buffer_.resize(static_cast<std::size_t>(
        std::clamp<std::int64_t>(source_.size() - start_, 0, kBufferBytes)));
    if (buffer_.empty()) return false;
    status_ = source_.read(start_, buffer_.data(), static_cast<std::int64_t>(buffer_.size()));
    if (!status_) buffer_.clear();
    return status_.ok();
  }

  const ByteSource& source_;
  Status status_;
  std::string buffer_;
  std::int64_t start_ = 0;  // of the buffer, in the source
  std::int64_t at_ = 0;     // in the buffer
};

void put_varint(std::uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

}  // namespace

ElidedFile::ElidedFile() : token_(draw_token()) {}

// Goes through the fields of messages. False: they are not what protobuf writes.
class ElidedFile::Scanner {
 public:
  Scanner(const ByteSource& source, ElidedFile& file) : reader_(source), file_(file) {}

  bool scan(Message message, std::int64_t end, int depth) {
    if (depth > kMostDepth) return false;
    while (reader_.position() < end) {
      std::uint64_t tag = 0;
      if (!copy_varint(tag)) return false;
      if (!scan_field(message, tag, end, depth)) return false;
    }
    return reader_.position() == end;
  }

  const Status& status() const { return reader_.status(); }

 private:
  enum WireType : std::uint8_t { kVarint = 0, k64Bit = 1, kBytes = 2, k32Bit = 5 };

  bool scan_field(Message message, std::uint64_t tag, std::int64_t end, int depth) {
    std::uint64_t value = 0;
    if (tag >> 3 == 0) return false;
    switch (tag & 7) {
      case kVarint:
        return copy_varint(value);
      case k64Bit:
        return reader_.copy(8, file_.bytes_);
      case k32Bit:
        return reader_.copy(4, file_.bytes_);
      case kBytes:
        break;
      default:  // groups, which ONNX never had
        return false;
    }
    if (!get_varint(value)) return false;
    if (value > static_cast<std::uint64_t>(end - reader_.position())) return false;
    const auto bytes = static_cast<std::int64_t>(value);
    const auto field = static_cast<std::uint32_t>(tag >> 3);
    if (bytes >= kLeastUnreadBytes && message == Message::kTensor && field == kRawData)
      return elide(bytes);
    const Step* const step = bytes >= kLeastUnreadBytes ? find_step(message, field) : nullptr;
    if (step != nullptr) return scan_message(step->to, bytes, depth);
    put_varint(value, file_.bytes_);
    return reader_.copy(bytes, file_.bytes_);
  }

  bool elide(std::int64_t bytes) {
    std::string place = file_.token_;
    put_varint(file_.ranges_.size(), place);
    file_.ranges_.push_back({reader_.position(), bytes});
    reader_.skip(bytes);
    put_varint(place.size(), file_.bytes_);
    file_.bytes_ += place;
    return true;
  }

  // The length is known behind the message only, so that it gets all the bytes that one may have.
  bool scan_message(Message message, std::int64_t bytes, int depth) {
    constexpr std::size_t kLengthBytes = 5;
    const std::size_t length_at = file_.bytes_.size();
    file_.bytes_.append(kLengthBytes, '\0');
    if (!scan(message, reader_.position() + bytes, depth + 1)) return false;
    std::size_t length = file_.bytes_.size() - length_at - kLengthBytes;
    for (std::size_t i = 0; i < kLengthBytes; ++i, length >>= 7) {
      const bool last = i + 1 == kLengthBytes;
      file_.bytes_[length_at + i] = static_cast<char>((length & 0x7f) | (last ? 0 : 0x80));
    }
    return length == 0;
  }

  bool get_varint(std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      std::uint8_t byte = 0;
      if (!reader_.get(byte)) return false;
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80) == 0) return true;
    }
    return false;
  }

  bool copy_varint(std::uint64_t& value) {
    if (!get_varint(value)) return false;
    put_varint(value, file_.bytes_);
    return true;
  }

  Reader reader_;
  ElidedFile& file_;
};

Result<std::optional<ElidedFile>> ElidedFile::read(const ByteSource& file) {
  ElidedFile elided;
  Scanner scanner(file, elided);
  const bool whole = scanner.scan(Message::kModel, file.size(), 0);
  if (!scanner.status()) return scanner.status();
  if (!whole) return std::optional<ElidedFile>();
  return std::optional<ElidedFile>(std::move(elided));
}

std::optional<ElidedFile::Range> ElidedFile::find(std::string_view raw_data) const {
  if (!raw_data.starts_with(token_)) return std::nullopt;
  std::uint64_t number = 0;
  unsigned shift = 0;
  for (const char byte : raw_data.substr(token_.size())) {
    number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    shift = std::min(shift + 7, 63U);
  }
  if (number >= ranges_.size()) return std::nullopt;
  return ranges_[static_cast<std::size_t>(number)];
}

}  // namespace windrow::internal
