#include "src/formats/onnx/elided.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <random>

#include "src/formats/constant_blobs.h"
#include "src/models/find_in.h"

namespace windrow::internal {
namespace {

namespace io = google::protobuf::io;

constexpr int kBufferBytes = 1 << 18;
// Protobuf itself does not parse deeper messages.
constexpr int kMostDepth = 100;

// The messages on the way to an initializer's elements.
enum class Message : std::uint8_t { kModel, kGraph, kNode, kAttribute, kTensor };

// A field of one message that holds another. The numbers are those of ONNX's schema, which never
// change.
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
  return find_where(kSteps,
                    [&](const Step& step) { return step.from == from && step.field == field; });
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

// Gives protobuf the bytes of a source from front to back.
class SourceStream final : public io::CopyingInputStream {
 public:
  explicit SourceStream(const ByteSource& source) : source_(source) {}

  const Status& status() const { return status_; }

  int Read(void* buffer, int size) override {
    const std::int64_t bytes = std::min<std::int64_t>(size, source_.size() - position_);
    status_ = source_.read(position_, buffer, bytes);
    if (!status_) return -1;
    position_ += bytes;
    return static_cast<int>(bytes);
  }
  int Skip(int count) override {
    position_ += count;
    return count;
  }

 private:
  const ByteSource& source_;
  Status status_;
  std::int64_t position_ = 0;
};

void put_varint(std::uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

}  // namespace

ElidedFile::ElidedFile() : token_(draw_token()) {}

// Goes through the fields of messages. Its functions return false where the bytes are not what
// protobuf writes.
class ElidedFile::Scanner {
 public:
  Scanner(const ByteSource& source, ElidedFile& file) : source_(source), file_(file) {}

  // Scans a message that ends at byte `end`.
  bool scan(Message message, int end, int depth) {
    if (depth > kMostDepth) return false;
    while (stream_.CurrentPosition() < end) {
      std::uint64_t tag = 0;
      if (!copy_varint(tag)) return false;
      if (!scan_field(message, tag, end, depth)) return false;
    }
    return stream_.CurrentPosition() == end;
  }

  const Status& status() const { return source_.status(); }

 private:
  enum WireType : std::uint8_t { kVarint = 0, k64Bit = 1, kBytes = 2, k32Bit = 5 };

  bool scan_field(Message message, std::uint64_t tag, int end, int depth) {
    std::uint64_t value = 0;
    if (tag >> 3 == 0) return false;
    switch (tag & 7) {
      case kVarint:
        return copy_varint(value);
      case k64Bit:
        return copy(8);
      case k32Bit:
        return copy(4);
      case kBytes:
        break;
      default:  // groups, which ONNX never had
        return false;
    }
    if (!stream_.ReadVarint64(&value)) return false;
    if (value > static_cast<std::uint64_t>(end - stream_.CurrentPosition())) return false;
    const auto bytes = static_cast<int>(value);
    const auto field = static_cast<std::uint32_t>(tag >> 3);
    if (bytes >= kLeastUnreadBytes && message == Message::kTensor && field == kRawData)
      return elide(bytes);
    const Step* const step = bytes >= kLeastUnreadBytes ? find_step(message, field) : nullptr;
    if (step != nullptr) return scan_message(step->to, bytes, depth);
    put_varint(value, file_.bytes_);
    return copy(bytes);
  }

  bool elide(int bytes) {
    std::string place = file_.token_;
    put_varint(file_.ranges_.size(), place);
    file_.ranges_.push_back({stream_.CurrentPosition(), bytes});
    put_varint(place.size(), file_.bytes_);
    file_.bytes_ += place;
    return stream_.Skip(bytes);
  }

  // The length is known only after the message is written, so it gets as many bytes as any length
  // takes.
  bool scan_message(Message message, int bytes, int depth) {
    constexpr std::size_t kLengthBytes = 5;
    const std::size_t length_at = file_.bytes_.size();
    file_.bytes_.append(kLengthBytes, '\0');
    if (!scan(message, stream_.CurrentPosition() + bytes, depth + 1)) return false;
    std::size_t length = file_.bytes_.size() - length_at - kLengthBytes;
    for (std::size_t i = 0; i < kLengthBytes; ++i, length >>= 7) {
      const bool last = i + 1 == kLengthBytes;
      file_.bytes_[length_at + i] = static_cast<char>((length & 0x7f) | (last ? 0 : 0x80));
    }
    return length == 0;
  }

  bool copy(int bytes) {
    const std::size_t at = file_.bytes_.size();
    file_.bytes_.resize(at + static_cast<std::size_t>(bytes));
    return stream_.ReadRaw(file_.bytes_.data() + at, bytes);
  }

  bool copy_varint(std::uint64_t& value) {
    if (!stream_.ReadVarint64(&value)) return false;
    put_varint(value, file_.bytes_);
    return true;
  }

  SourceStream source_;
  io::CopyingInputStreamAdaptor buffer_{&source_, kBufferBytes};
  io::CodedInputStream stream_{&buffer_};
  ElidedFile& file_;
};

Result<std::optional<ElidedFile>> ElidedFile::read(const ByteSource& file) {
  ElidedFile elided;
  Scanner scanner(file, elided);
  const bool whole = scanner.scan(Message::kModel, static_cast<int>(file.size()), 0);
  if (!scanner.status()) return scanner.status();
  if (!whole) return std::optional<ElidedFile>();
  return std::optional<ElidedFile>(std::move(elided));
}

std::optional<ElidedFile::Range> ElidedFile::find(std::string_view raw_data) const {
  if (!raw_data.starts_with(token_)) return std::nullopt;
  const std::string_view place = raw_data.substr(token_.size());
  std::uint64_t number = 0;
  io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(place.data()),
                              static_cast<int>(place.size()));
  if (!stream.ReadVarint64(&number) || number >= ranges_.size()) return std::nullopt;
  return ranges_[static_cast<std::size_t>(number)];
}

}  // namespace windrow::internal
