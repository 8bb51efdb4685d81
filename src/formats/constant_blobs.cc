#include "src/formats/constant_blobs.h"

#include "src/base/published.h"
#include "src/models/text.h"

namespace windrow::internal {
namespace {

// The constants of a file may take this many times the file's size.
constexpr std::int64_t kMostOverlap = 4;

}  // namespace

// A range of the file, which is read when it is first asked for.
struct ConstantBlobs::Blob {
  Range range;
  std::shared_ptr<const ByteSource> source;  // null: they are in memory
  Published<std::shared_ptr<Tensor>> bytes;

  Result<std::shared_ptr<Tensor>> read(const ByteSource& from) {
    if (const auto* there = bytes.get(); there != nullptr) return *there;
    Result<Tensor> made = Tensor::allocate(DType::kUint8, {range.second});
    if (!made) return made.error();
    if (Status status = from.read(range.first, made->data(), range.second); !status) return status;
    return bytes.publish(std::make_shared<Tensor>(*std::move(made)));
  }

  Result<Tensor> tensor(DType type, const Shape& shape) {
    Result<std::shared_ptr<Tensor>> memory = source != nullptr ? read(*source) : *bytes.get();
    if (!memory) return memory.error();
    return Tensor::adopt(type, shape, (*memory)->data(), *memory);
  }
};

Result<Constant> in_memory(Result<Tensor> tensor) {
  return tensor ? Result<Constant>(*std::move(tensor)) : Result<Constant>(tensor.error());
}

Status ConstantBlobs::claim(const ByteSource& source, const Range& range) {
  const auto [offset, bytes] = range;
  if (offset > source.size() || bytes > source.size() - offset)
    return format_error(bytes, " bytes from byte ", offset, " are not in ", file_, ", which has ",
                        source.size());
  // Neither the sum nor the product can overflow, since a claim is at most as large as its file.
  if (claimed_bytes_ / kMostOverlap > source.size() - bytes / kMostOverlap)
    return format_error("the constants overlap in ", file_, ": together they take more than ",
                        kMostOverlap, " times its ", source.size(), " bytes");
  claimed_bytes_ += bytes;
  return {};
}

const std::shared_ptr<const ByteSource>& ConstantBlobs::shared(const ByteSource& source) {
  if (shared_ == nullptr && !at_once_) {
    shared_ = source.share();
    at_once_ = shared_ == nullptr;
  }
  return shared_;
}

Result<Constant> ConstantBlobs::find(const ByteSource& source, std::int64_t offset, DType type,
                                     const Shape& shape) {
  const Range range(offset, dense_byte_count(type, shape).value_or(0));
  if (range.second == 0) return in_memory(Tensor::allocate(type, shape));
  std::shared_ptr<Blob>& blob = blobs_[range];
  if (blob == nullptr) {
    if (Status status = claim(source, range); !status) return status;
    auto made = std::make_shared<Blob>();
    made->range = range;
    if (range.second >= kLeastUnreadBytes) made->source = shared(source);
    if (made->source == nullptr) {
      if (Status status = made->read(source).error(); !status) return status;
    }
    blob = std::move(made);
  }
  const auto tensor = [blob, type, shape] { return blob->tensor(type, shape); };
  if (blob->source != nullptr) return Constant(type, shape, tensor);
  return in_memory(tensor());
}

Result<std::string> ConstantBlobs::read_bytes(const ByteSource& source, std::int64_t offset,
                                              std::int64_t bytes) {
  if (Status status = claim(source, {offset, bytes}); !status) return status;
  return source.read_bytes(offset, bytes);
}

}  // namespace windrow::internal
