#include "src/distributed/error_text.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "windrow/shape.h"

namespace windrow::internal {
namespace {

class TextWriter {
 public:
  void add(std::int64_t number) {
    text_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void add(std::string_view text) {
    add(static_cast<std::int64_t>(text.size()));
    text_.append(text);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// Gives zeros and empty strings once the bytes have ended too early.
class TextReader {
 public:
  explicit TextReader(std::string_view text) : rest_(text) {}

  std::int64_t number() {
    std::int64_t number = 0;
    const std::string_view bytes = cut(sizeof number);
    if (is_good_) std::memcpy(&number, bytes.data(), sizeof number);
    return number;
  }
  std::string text() {
    const std::int64_t size = number();
    return std::string(cut(size < 0 ? rest_.size() + 1 : static_cast<std::size_t>(size)));
  }
  bool is_whole() const { return is_good_ && rest_.empty(); }

 private:
  std::string_view cut(std::size_t bytes) {
    is_good_ = is_good_ && bytes <= rest_.size();
    if (!is_good_) return {};
    const std::string_view part = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return part;
  }

  std::string_view rest_;
  bool is_good_ = true;
};

void add_fault(TextWriter& writer, const IndexFault& fault) {
  writer.add(fault.input);
  writer.add(static_cast<std::int64_t>(fault.position.size()));
  for (const std::int64_t at : fault.position) writer.add(at);
  writer.add(fault.value);
  writer.add(fault.value_text);
  writer.add(fault.axis);
  writer.add(fault.extent);
  writer.add(fault.count);
}

IndexFault read_fault(TextReader& reader) {
  IndexFault fault;
  fault.input = reader.text();
  const std::int64_t rank = reader.number();
  for (std::int64_t i = 0; i < rank && i < kMaxRank; ++i) fault.position.push_back(reader.number());
  fault.value = reader.number();
  fault.value_text = reader.text();
  fault.axis = reader.number();
  fault.extent = reader.number();
  fault.count = reader.number();
  return fault;
}

}  // namespace

std::string encode_error(const Status& error) {
  TextWriter writer;
  const ErrorInfo& info = error.info();
  writer.add(static_cast<std::int64_t>(info.code));
  writer.add(info.message);
  writer.add(info.operator_name);
  writer.add(info.constraint);
  writer.add(info.index_fault == nullptr ? 0 : 1);
  if (info.index_fault != nullptr) add_fault(writer, *info.index_fault);
  return writer.take();
}

Status decode_error(std::string_view bytes) {
  TextReader reader(bytes);
  ErrorInfo info;
  const std::int64_t code = reader.number();
  info.message = reader.text();
  info.operator_name = reader.text();
  info.constraint = reader.text();
  if (reader.number() != 0)
    info.index_fault = std::make_shared<const IndexFault>(read_fault(reader));
  if (!reader.is_whole() || code <= 0 || code > static_cast<std::int64_t>(ErrorCode::kInterrupted))
    return Status(ErrorCode::kInternal, "an error that cannot be read");
  info.code = static_cast<ErrorCode>(code);
  return Status(std::move(info));
}

}  // namespace windrow::internal
