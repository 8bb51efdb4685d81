#include "src/formats/onnx/proto_file.h"

#include <google/protobuf/io/zero_copy_stream_impl.h>

#include <limits>
#include <system_error>

#include "src/models/text.h"

namespace windrow::internal {
namespace {

using google::protobuf::MessageLite;

constexpr std::int64_t kMaxBytes = std::numeric_limits<int>::max();

Status not_a_message() {
  return format_error("not a valid protobuf message: cut, damaged or of another format");
}

// Hands protobuf's output to an AsideFile.
class AsideStream final : public google::protobuf::io::CopyingOutputStream {
 public:
  explicit AsideStream(AsideFile& file) : file_(file) {}
  bool Write(const void* buffer, int size) override {
    if (status_) status_ = file_.write(buffer, size);
    return status_.ok();
  }
  const Status& status() const { return status_; }

 private:
  AsideFile& file_;
  Status status_;
};

}  // namespace

Status check_message_size(std::int64_t bytes) {
  if (bytes == 0) return format_error("the file is empty");
  if (bytes > kMaxBytes)
    return unsupported_error(
        "a protobuf file ends before 2 GiB; larger models keep their tensors in external data");
  return {};
}

Status parse_message(const FileSource& file, MessageLite& message) {
  if (Status status = check_message_size(file.size()); !status) return status;
  google::protobuf::io::FileInputStream stream(file.fd());
  const bool parsed = message.ParsePartialFromZeroCopyStream(&stream);
  if (stream.GetErrno() != 0)
    return io_error("cannot read: ", std::generic_category().message(stream.GetErrno()));
  // A message that was cut between two fields still parses.
  if (Status status = file.check_size_is_the_same(); !status) return status;
  return parsed ? Status() : not_a_message();
}

Status parse_message(std::string_view bytes, MessageLite& message) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  if (Status status = check_message_size(size); !status) return status;
  return message.ParsePartialFromArray(bytes.data(), static_cast<int>(size)) ? Status()
                                                                             : not_a_message();
}

Status write_message(const MessageLite& message, AsideFile& file) {
  const std::size_t bytes = message.ByteSizeLong();
  if (Status status = check_message_size(static_cast<std::int64_t>(bytes)); !status) return status;
  AsideStream target(file);
  google::protobuf::io::CopyingOutputStreamAdaptor stream(&target);
  const bool written = message.SerializePartialToZeroCopyStream(&stream) && stream.Flush();
  if (!target.status()) return target.status();
  return written ? Status() : Status(ErrorCode::kInternal, "protobuf did not write the message");
}

}  // namespace windrow::internal
