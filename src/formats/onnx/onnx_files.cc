#include "src/formats/onnx/onnx_files.h"

#include <google/protobuf/arena.h>

#include <optional>
#include <utility>

#include "src/formats/onnx/model_proto.h"
#include "src/formats/onnx/proto_file.h"
#include "src/formats/onnx/tensor_proto.h"
#include "src/models/onnx_types.h"
#include "src/models/text.h"

namespace windrow::internal {
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
