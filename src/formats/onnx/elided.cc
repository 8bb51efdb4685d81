#include "src/formats/onnx/elided.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "src/formats/byte_source.h"
#include "src/formats/onnx/graph_write.h"
#include "src/formats/onnx/model_read.h"
#include "src/formats/onnx/tensor_proto.h"
#include "src/models/check_inputs.h"
#include "src/models/value_info.h"
#include "windrow/models.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kBufferBytes = 1 << 18;

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
constexpr Step kAttributeTensor = {Message::kAttribute, 5, Message::kTensor};  // t
constexpr std::uint32_t kRawData = 9;                                          // of a tensor

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

// Reads a source from front to back. Functions return false at its end, and after an error.
class SourceReader {
 public:
  explicit SourceReader(const ByteSource& source)
      : source_(source), buffer_(static_cast<std::size_t>(kBufferBytes)) {}

  const Status& status() const { return status_; }
  std::int64_t position() const { return begin_ + at_; }

  bool read_varint(std::uint64_t& value) {
    const auto next = [this](unsigned char& byte) {
      if (at_ == filled_ && !fill()) return false;
      byte = static_cast<unsigned char>(buffer_[static_cast<std::size_t>(at_++)]);
      return true;
    };
    return pb::read_varint_from(next, value);
  }
  bool read(char* to, std::int64_t bytes) {
    while (bytes > 0) {
      if (at_ == filled_ && !fill()) return false;
      const std::int64_t part = std::min(bytes, filled_ - at_);
      std::copy_n(buffer_.data() + at_, part, to);
      at_ += part;
      to += part;
      bytes -= part;
    }
    return true;
  }
  bool skip(std::int64_t bytes) {
    if (bytes > source_.size() - position()) return false;
    if (bytes <= filled_ - at_) {
      at_ += bytes;
    } else {
      begin_ = position() + bytes;
      at_ = filled_ = 0;
    }
    return true;
  }

 private:
  bool fill() {
    begin_ += filled_;
    at_ = 0;
    filled_ = std::min(kBufferBytes, source_.size() - begin_);
    status_ = source_.read(begin_, buffer_.data(), filled_);
    if (!status_) filled_ = 0;
    return filled_ > 0;
  }

  const ByteSource& source_;
  Status status_;
  std::vector<char> buffer_;
  std::int64_t begin_ = 0;  // of the buffer in the source
  std::int64_t at_ = 0;     // in the buffer
  std::int64_t filled_ = 0;
};

void put_varint(std::uint64_t value, std::string& out) {
  pb::write_varint_to(value, [&out](std::string_view bytes) { out += bytes; });
}

}  // namespace

ElidedFile::ElidedFile() : token_(draw_token()) {}

// Goes through the fields of messages. Its functions return false where the bytes are not what
// protobuf writes.
class ElidedFile::Scanner {
 public:
  Scanner(const ByteSource& source, Elements elements, ElidedFile& file)
      : stream_(source), elements_(elements), file_(file) {}

  // Scans a message that ends at byte `end`.
  bool scan(Message message, std::int64_t end, int depth) {
    if (depth > pb::kMostDepth) return false;
    while (stream_.position() < end) {
      std::uint64_t tag = 0;
      if (!copy_varint(tag)) return false;
      if (!scan_field(message, tag, end, depth)) return false;
    }
    return stream_.position() == end;
  }

  const Status& status() const { return stream_.status(); }

 private:
  bool scan_field(Message message, std::uint64_t tag, std::int64_t end, int depth) {
    std::uint64_t value = 0;
    if (tag >> 3 == 0) return false;
    switch (static_cast<pb::WireType>(tag & 7)) {
      case pb::WireType::kVarint:
        return copy_varint(value);
      case pb::WireType::kI64:
        return copy(8);
      case pb::WireType::kI32:
        return copy(4);
      case pb::WireType::kLen:
        break;
      default:  // groups, which ONNX never had
        return false;
    }
    if (!stream_.read_varint(value)) return false;
    if (value > static_cast<std::uint64_t>(end - stream_.position())) return false;
    const auto bytes = static_cast<std::int64_t>(value);
    const auto field = static_cast<std::uint32_t>(tag >> 3);
    const bool counts = bytes >= (elements_ == Elements::kAll ? 1 : kLeastUnreadBytes);
    if (counts && message == Message::kTensor && field == kRawData) return elide(bytes);
    const Step* const step = counts ? step_of(message, field) : nullptr;
    if (step != nullptr) return scan_message(step->to, bytes, depth);
    put_varint(value, file_.bytes_);
    return copy(bytes);
  }

  const Step* step_of(Message message, std::uint32_t field) const {
    const bool is_tensor = elements_ == Elements::kAll && message == kAttributeTensor.from &&
                           field == kAttributeTensor.field;
    return is_tensor ? &kAttributeTensor : find_step(message, field);
  }

  bool elide(std::int64_t bytes) {
    std::string place = file_.token_;
    put_varint(file_.ranges_.size(), place);
    file_.ranges_.push_back({stream_.position(), bytes});
    put_varint(place.size(), file_.bytes_);
    file_.bytes_ += place;
    return stream_.skip(bytes);
  }

  // The length is known only after the message is written, so it gets as many bytes as any length
  // takes.
  bool scan_message(Message message, std::int64_t bytes, int depth) {
    constexpr std::size_t kLengthBytes = 5;
    const std::size_t length_at = file_.bytes_.size();
    file_.bytes_.append(kLengthBytes, '\0');
    if (!scan(message, stream_.position() + bytes, depth + 1)) return false;
    std::size_t length = file_.bytes_.size() - length_at - kLengthBytes;
    for (std::size_t i = 0; i < kLengthBytes; ++i, length >>= 7) {
      const bool last = i + 1 == kLengthBytes;
      file_.bytes_[length_at + i] = static_cast<char>((length & 0x7f) | (last ? 0 : 0x80));
    }
    return length == 0;
  }

  bool copy(std::int64_t bytes) {
    const std::size_t at = file_.bytes_.size();
    file_.bytes_.resize(at + static_cast<std::size_t>(bytes));
    return stream_.read(file_.bytes_.data() + at, bytes);
  }

  bool copy_varint(std::uint64_t& value) {
    if (!stream_.read_varint(value)) return false;
    put_varint(value, file_.bytes_);
    return true;
  }

  SourceReader stream_;
  Elements elements_;
  ElidedFile& file_;
};

Result<std::optional<ElidedFile>> ElidedFile::read(const ByteSource& file, Elements elements) {
  ElidedFile elided;
  Scanner scanner(file, elements, elided);
  const bool whole = scanner.scan(Message::kModel, file.size(), 0);
  if (!scanner.status()) return scanner.status();
  if (!whole) return std::optional<ElidedFile>();
  return std::optional<ElidedFile>(std::move(elided));
}

std::optional<ElidedFile::Range> ElidedFile::find(std::string_view raw_data) const {
  if (!raw_data.starts_with(token_)) return std::nullopt;
  const std::string_view place = raw_data.substr(token_.size());
  std::uint64_t number = 0;
  if (!pb::WireReader(place).read_varint(number) || number >= ranges_.size()) return std::nullopt;
  return ranges_[static_cast<std::size_t>(number)];
}

}  // namespace windrow::internal

namespace windrow {
namespace {

// Constants of fewer bytes, such as shapes and axes, keep their elements.
constexpr std::int64_t kMinElidedBytes = 1024;
constexpr std::size_t kMostBytes = std::size_t{50} << 20;

// Makes a tensor whose elements are in a file that does not exist.
Status elide(const std::string& name, DType type, const Shape& shape,
             internal::pb::TensorProto& proto) {
  Status status = internal::write_tensor_header(type, shape, name, proto);
  internal::set_external({{"location", "elided"}}, proto);
  return status;
}

// Makes a copy of each graph of a model without claims and large constants. The copy can be
// written: what a Graph has no place for goes into what it keeps of the file.
class SkeletonMaker {
 public:
  explicit SkeletonMaker(const Model& model) {
    model.visit_nodes([this](const NodePlace& place) { paths_.push_back(place.path); });
  }

  // Copies `from` except what is left out. `is_body`: whether the types of its inputs are claims
  // too.
  Status make(const Graph& from, bool is_body, Graph& to) {
    internal::pb::GraphProto kept;
    if (Status status = internal::parse_kept(from.kept, kept); !status) return status;
    kept.clear_value_info();
    kept.clear_output();
    kept.clear_doc_string();
    kept.clear_sparse_initializer();
    for (auto& opaque : *kept.mutable_initializer()) opaque.clear_raw_data();
    if (is_body) {
      for (auto& input : *kept.mutable_input()) input.clear_type();
    }
    to.name = from.name;
    to.inputs = is_body ? untyped(from.inputs) : from.inputs;
    to.default_inputs = is_body ? untyped(from.default_inputs) : from.default_inputs;
    to.outputs = untyped(from.outputs);
    to.opaque_constants = from.opaque_constants;
    for (const auto& [name, constant] : from.constants) {
      if (constant.byte_count() < kMinElidedBytes) {
        to.constants.emplace(name, constant);
        continue;
      }
      to.opaque_constants.emplace(name, OpaqueConstant{"its elements are left out", {}});
      Status status = elide(name, constant.dtype(), constant.shape(), *kept.add_initializer());
      if (!status) return status.with_context("initializer '" + name + "'");
    }
    to.kept = kept.serialize();
    return make_nodes(from, to);
  }

  Status make_function(const ModelFunction& from, ModelFunction& to) {
    to.domain = from.domain;
    to.opset_imports = from.opset_imports;
    to.attributes = from.attributes;
    to.graph.name = from.graph.name;
    to.graph.inputs = untyped(from.graph.inputs);
    to.graph.outputs = untyped(from.graph.outputs);
    internal::pb::FunctionProto kept;
    if (Status status = internal::parse_kept(from.graph.kept, kept); !status) return status;
    kept.mutable_unknown_fields()->clear();  // newer versions of ONNX have claims there
    to.graph.kept = kept.serialize();
    return make_nodes(from.graph, to.graph);
  }

 private:
  static std::vector<ValueInfo> untyped(const std::vector<ValueInfo>& values) {
    std::vector<ValueInfo> names;
    names.reserve(values.size());
    for (const ValueInfo& value : values)
      names.push_back({value.name, DType::kAbsent, std::nullopt});
    return names;
  }

  Status make_nodes(const Graph& from, Graph& to) {
    to.nodes.reserve(from.nodes.size());
    for (const ModelNode& node : from.nodes) {
      ModelNode& made = to.nodes.emplace_back();
      made.name = std::move(paths_[next_path_++]);
      made.domain = node.domain;
      made.op_type = node.op_type;
      made.inputs = node.inputs;
      made.outputs = node.outputs;
      made.kept = node.kept;
      if (Status status = make_attributes(node, made); !status)
        return status.with_context("node '" + node.name + "'");
      for (const NodeBody& body : node.bodies) {
        auto graph = std::make_shared<Graph>();
        if (Status status = make(*body.graph, true, *graph); !status) return status;
        made.bodies.push_back({body.attribute, std::move(graph)});
      }
    }
    return {};
  }

  static Status make_attributes(const ModelNode& from, ModelNode& to) {
    internal::pb::NodeProto kept;
    for (const auto& [name, value] : from.attributes) {
      const auto* const tensor = std::get_if<std::shared_ptr<const Tensor>>(&value);
      if (tensor == nullptr || (*tensor)->byte_count() < kMinElidedBytes) {
        to.attributes.emplace(name, value);
        continue;
      }
      if (kept.attribute().empty()) {
        if (Status status = internal::parse_kept(from.kept, kept); !status) return status;
      }
      internal::pb::AttributeProto& attribute = *kept.add_attribute();
      attribute.set_name(name);
      attribute.set_type(internal::pb::AttributeProto::kTensor);
      Status status = elide({}, (*tensor)->dtype(), (*tensor)->shape(), *attribute.mutable_t());
      if (!status) return status;
    }
    if (!kept.attribute().empty()) to.kept = kept.serialize();
    return {};
  }

  std::vector<std::string> paths_;  // of all nodes, in the order in which they are made
  std::size_t next_path_ = 0;
};

// Keeps only the version of the format of what the file says about the model.
Result<std::string> kept_version(const std::string& kept_model) {
  if (kept_model.empty()) return std::string();
  internal::pb::ModelProto kept;
  if (Status status = internal::parse_kept(kept_model, kept); !status) return status;
  internal::pb::ModelProto version;
  version.set_ir_version(kept.ir_version());
  return version.serialize();
}

}  // namespace

Result<std::string> onnx_skeleton(const Model& model) {
  if (model.dialect != "onnx")
    return internal::unsupported_error("a model of dialect '", model.dialect,
                                       "' is not one of ONNX");
  Model skeleton;
  skeleton.opset_imports = model.opset_imports;
  Result<std::string> version = kept_version(model.kept_model);
  if (!version) return version.error();
  skeleton.kept_model = *std::move(version);
  SkeletonMaker maker(model);
  if (Status status = maker.make(model, false, skeleton); !status) return status;
  for (const ModelFunction& function : model.functions) {
    Status status = maker.make_function(function, skeleton.functions.emplace_back());
    if (!status) return status;
  }
  internal::ConstantWriter constants;
  const Result<internal::pb::ModelProto> proto = internal::make_model_proto(skeleton, constants);
  if (!proto) return proto.error();
  if (proto->byte_size() > kMostBytes)
    return internal::unsupported_error("without its constants the model has ", proto->byte_size(),
                                       " bytes, more than the ", kMostBytes,
                                       " that are given to other programs");
  return proto->serialize();
}

}  // namespace windrow
