#include "src/formats/constant_blobs.h"

namespace windrow::internal {
namespace {

// How many times a file's size its constants may take.
constexpr std::int64_t kMostOverlap = 4;

}  // namespace

Status ConstantBlobs::claim(const ByteSource& source, const Range& range) {
  const auto [offset, bytes] = range;
  if (offset > source.size() || bytes > source.size() - offset)
    return {ErrorCode::kFormat, std::to_string(bytes) + " bytes from byte " +
                                    std::to_string(offset) + " are not in " + file_ +
                                    ", which has " + std::to_string(source.size())};
  // Neither sum nor product can overflow: a claim is at most as large as its file.
  if (claimed_bytes_ / kMostOverlap > source.size() - bytes / kMostOverlap)
    return {ErrorCode::kFormat, "the constants overlap in " + file_ +
                                    ": together they take more than " +
                                    std::to_string(kMostOverlap) + " times its " +
                                    std::to_string(source.size()) + " bytes"};
  claimed_bytes_ += bytes;
  return {};
}

Result<Tensor> ConstantBlobs::read(const ByteSource& source, std::int64_t offset, DType type,
                                   const Shape& shape) {
  const Range range(offset, dense_byte_count(type, shape).value_or(0));
  if (range.second == 0) return Tensor::allocate(type, shape);
  std::shared_ptr<Tensor>& blob = loaded_[range];
  if (blob == nullptr) {
    if (Status status = claim(source, range); !status) return status;
    Result<Tensor> tensor = Tensor::allocate(type, shape);
    if (!tensor) return tensor;
    if (Status status = source.read(offset, tensor->data(), range.second); !status) return status;
    blob = std::make_shared<Tensor>(*std::move(tensor));
  }
  return Tensor::adopt(type, shape, blob->data(), blob);
}

Result<std::string> ConstantBlobs::read_bytes(const ByteSource& source, std::int64_t offset,
                                              std::int64_t bytes) {
  if (Status status = claim(source, {offset, bytes}); !status) return status;
  std::string content(static_cast<std::size_t>(bytes), '\0');
  if (Status status = source.read(offset, content.data(), bytes); !status) return status;
  return content;
}

}  // namespace windrow::internal
