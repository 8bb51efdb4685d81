#include "src/formats/onnx/onnx_files.h"

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

using pb::Message;

constexpr std::int64_t kMaxBytes = std::numeric_limits<int>::max();

Status not_a_message() {
  return format_error("not a valid protobuf message: cut, damaged or of another format");
}

}  // namespace

Status check_message_size(std::int64_t bytes) {
  if (bytes == 0) return format_error("the file is empty");
  if (bytes > kMaxBytes)
    return unsupported_error(
        "a protobuf file ends before 2 GiB; larger models keep their tensors in external data");
  return {};
}

Status parse_message(const FileSource& file, pb::Message& message) {
  if (Status status = check_message_size(file.size()); !status) return status;
  std::string bytes(static_cast<std::size_t>(file.size()), '\0');
  if (Status status = file.read(0, bytes.data(), file.size()); !status) return status;
  // A message that was cut between two fields still parses.
  if (Status status = file.check_size_is_the_same(); !status) return status;
  return message.parse(bytes) ? Status() : not_a_message();
}

Status parse_message(std::string_view bytes, pb::Message& message) {
  Status status = check_message_size(static_cast<std::int64_t>(bytes.size()));
  if (status && !message.parse(bytes)) return not_a_message();
  return status;
}

Status write_message(const pb::Message& message, AsideFile& file) {
  Status status = check_message_size(static_cast<std::int64_t>(message.byte_size()));
  if (!status) return status;
  pb::WireWriter out([&](std::string_view bytes) {
    if (status) status = file.write(bytes);
  });
  message.serialize_to(out);
  return status;
}

namespace {

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
  pb::ModelProto proto;
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
