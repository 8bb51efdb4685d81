#include "src/formats/onnx/onnx_files.h"

#include <google/protobuf/arena.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>

#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "src/formats/onnx/model_read.h"
#include "src/formats/onnx/tensor_proto.h"
#include "src/models/types.h"
#include "src/models/value_info.h"

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

namespace {

constexpr std::size_t kArenaBlockBytes = std::size_t{1} << 20;

Result<NamedTensor> read_named(const pb::TensorProto& proto, const ExternalFolder& folder) {
  ExternalData external(folder);
  Result<Tensor> tensor = read_tensor(proto, external);
  if (!tensor) return tensor.error();
  return NamedTensor{proto.name(), *std::move(tensor)};
}

Status check_external_name(const std::string& name, const std::filesystem::path& model) {
  const std::filesystem::path path(name);
  if (path.filename() == path && name != "." && name != ".." && path != model.filename()) return {};
  return argument_error("external data needs a file name of its own without folders, not '", name,
                        "'");
}

Result<Model> read_model_file(const FileSource& file, ExternalFolder folder) {
  if (Status status = check_message_size(file.size()); !status) return status;
  // An arena for the many small objects of a message makes reading a model of a million nodes 10 %
  // faster.
  google::protobuf::ArenaOptions options;
  options.max_block_size = kArenaBlockBytes;
  google::protobuf::Arena arena(options);
  auto& proto = *google::protobuf::Arena::CreateMessage<pb::ModelProto>(&arena);
  Result<std::optional<ElidedFile>> elided = ElidedFile::read(file);
  if (!elided) return elided.error();
  if (!*elided) {
    if (Status status = parse_message(file, proto); !status) return status;
    return read_model(proto, ExternalData(std::move(folder)));
  }
  // A message that was cut between two fields still parses.
  if (Status status = file.check_size_is_the_same(); !status) return status;
  if (Status status = parse_message((*elided)->bytes(), proto); !status) return status;
  (*elided)->drop_bytes();
  return read_model(proto, ExternalData(std::move(folder), file, **elided));
}

}  // namespace

Result<Model> parse_onnx(std::string_view bytes, const std::filesystem::path& folder) {
  pb::ModelProto proto;
  if (Status status = parse_message(bytes, proto); !status) return status;
  return read_model(proto, ExternalData(ExternalFolder(folder)));
}

Result<NamedTensor> read_tensor_file(const FileSource& file, const std::filesystem::path& path) {
  pb::TensorProto proto;
  if (Status status = parse_message(file, proto); !status) return status;
  return read_named(proto, ExternalFolder::of(path));
}

Result<NamedTensor> parse_tensor(std::string_view bytes, const std::filesystem::path& folder) {
  pb::TensorProto proto;
  if (Status status = parse_message(bytes, proto); !status) return status;
  return read_named(proto, ExternalFolder(folder));
}

Status write_tensor_file(const TensorView& tensor, const std::string& name, AsideFile& file) {
  pb::TensorProto proto;
  Status status = write_tensor_proto(tensor, name, proto);
  return status ? write_message(proto, file) : status;
}

Status stage_onnx(const Model& model, const std::filesystem::path& path,
                  const std::string& external_data, const std::filesystem::path& folder,
                  std::vector<AsideFile>& files) {
  ConstantWriter constants;
  std::optional<AsideFile> data;
  if (!external_data.empty()) {
    if (Status status = check_external_name(external_data, path); !status) return status;
    Result<AsideFile> created = AsideFile::create(path.parent_path() / external_data, folder);
    if (!created) return created.error();
    data.emplace(*std::move(created));
    constants = ConstantWriter(*data, external_data);
  }
  const Result<pb::ModelProto> proto = make_model_proto(model, constants);
  if (!proto) return proto.error();
  Result<AsideFile> file = AsideFile::create(path, folder);
  if (!file) return file.error();
  if (Status status = write_message(*proto, *file); !status) return status;
  if (data) files.push_back(*std::move(data));
  files.push_back(*std::move(file));
  return {};
}

Result<Model> read_onnx(const std::filesystem::path& path) {
  const Result<FileSource> file = FileSource::open(path);
  if (!file) return file.error();
  return with_context(read_model_file(*file, ExternalFolder::of(path)), quoted(path));
}

}  // namespace windrow::internal
