#include "src/formats/onnx/onnx_files.h"

#include <optional>
#include <utility>

#include "src/formats/onnx/model_proto.h"
#include "src/formats/onnx/proto_file.h"
#include "src/formats/onnx/tensor_proto.h"
#include "src/formats/onnx/tensor_type.h"

namespace windrow::internal {
namespace {

// Initializers of fewer bytes stay in the model file.
constexpr std::int64_t kMinExternalBytes = 1024;
// Where external tensors begin, so that they can be mapped.
constexpr std::int64_t kPageBytes = 4096;

Result<NamedTensor> read_named(const pb::TensorProto& proto, const ExternalFolder& folder) {
  ExternalData external(folder);
  Result<Tensor> tensor = read_tensor(proto, external);
  if (!tensor) return tensor.error();
  return NamedTensor{proto.name(), *std::move(tensor)};
}

// Puts a tensor's bytes at the end of `data` and says so in its header.
Status write_external(const Tensor& tensor, const std::string& location, AsideFile& data,
                      pb::TensorProto& header) {
  const std::string padding(static_cast<std::size_t>(-data.size() & (kPageBytes - 1)), '\0');
  if (Status status = data.write(padding); !status) return status;
  header.set_data_location(pb::TensorProto::EXTERNAL);
  const std::pair<std::string, std::string> entries[] = {
      {"location", location},
      {"offset", std::to_string(data.size())},
      {"length", std::to_string(tensor.byte_count())}};
  for (const auto& [key, value] : entries) {
    auto& entry = *header.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
  return data.write(tensor.data(), tensor.byte_count());
}

Status write_constants(const Model& model, const std::string& location, AsideFile* data,
                       pb::GraphProto& graph) {
  for (const auto& [name, constant] : model.constants) {
    const bool external = data != nullptr && constant.dtype() != DType::kString &&
                          constant.byte_count() >= kMinExternalBytes;
    Status known = check_onnx_type(constant.dtype());
    const auto tensor = known ? constant.tensor() : known;
    if (!tensor) return tensor.error().with_context("initializer '" + name + "'");
    if (external) {
      pb::TensorProto& proto = *graph.add_initializer();
      proto = make_tensor_header(**tensor, name);
      if (Status status = write_external(**tensor, location, *data, proto); !status) return status;
    } else {
      Result<pb::TensorProto> proto = make_tensor_proto(**tensor, name);
      if (!proto) return proto.error();
      *graph.add_initializer() = *std::move(proto);
    }
  }
  return {};
}

Status check_external_name(const std::string& name, const std::filesystem::path& model) {
  const std::filesystem::path path(name);
  if (path.filename() == path && name != "." && name != ".." && path != model.filename()) return {};
  return {ErrorCode::kInvalidArgument,
          "external data needs a file name of its own without folders, not '" + name + "'"};
}

Result<Model> read_model_file(const FileSource& file, ExternalFolder folder) {
  pb::ModelProto proto;
  const Result<std::optional<ElidedFile>> elided = ElidedFile::read(file);
  if (!elided) return elided.error();
  if (!*elided) {
    if (Status status = parse_message(file, proto); !status) return status;
    return read_model(proto, ExternalData(std::move(folder)));
  }
  // A message that is cut between two fields is a message, too.
  if (Status status = file.check_size_is_the_same(); !status) return status;
  if (Status status = parse_message((*elided)->bytes(), proto); !status) return status;
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
  const Result<pb::TensorProto> proto = make_tensor_proto(tensor, name);
  return proto ? write_message(*proto, file) : proto.error();
}

Status write_onnx(const Model& model, const std::filesystem::path& path,
                  const std::string& external_data) {
  Result<pb::ModelProto> proto = make_model_proto(model);
  if (!proto) return proto.error();
  std::optional<AsideFile> data;
  if (!external_data.empty()) {
    if (Status status = check_external_name(external_data, path); !status) return status;
    Result<AsideFile> created = AsideFile::create(path.parent_path() / external_data);
    if (!created) return created.error();
    data.emplace(*std::move(created));
  }
  Status status =
      write_constants(model, external_data, data ? &*data : nullptr, *proto->mutable_graph());
  if (!status) return status;
  Result<AsideFile> file = AsideFile::create(path);
  if (!file) return file.error();
  if (status = write_message(*proto, *file); !status) return status;
  if (!data) return file->commit();
  AsideFile* const both[] = {&*data, &*file};
  return commit_all(both);
}

Result<Model> read_onnx(const std::filesystem::path& path) {
  const Result<FileSource> file = FileSource::open(path);
  if (!file) return file.error();
  Result<Model> model = read_model_file(*file, ExternalFolder::of(path));
  if (!model) return model.error().with_context(quoted(path));
  return model;
}

}  // namespace windrow::internal
