#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/base/checked.h"
#include "src/base/packed.h"
#include "src/formats/npy/npy.h"
#include "src/formats/npy/npy_header.h"
#include "src/formats/npy/npy_type.h"
#include "src/formats/npy/utf8.h"
#include "src/models/text.h"

namespace windrow::internal {
namespace {

// Checks that the elements are exactly the rest of the file, before anything is allocated for them.
Status check_size(const NpyHeader& header, const NpyType& type, std::int64_t file_bytes) {
  const auto count = element_count(header.shape);
  const auto bytes = count ? checked_mul(*count, type.item_bytes) : std::nullopt;
  const std::int64_t found = file_bytes - header.data_offset;
  const std::string what = to_string(header.shape) + " of type '" + header.descr + "'";
  if (!bytes) return format_error(what, " is too large");
  if (*bytes != found)
    return format_error(what, " needs ", *bytes, " bytes, the file has ", found,
                        " after its header");
  // Otherwise a small file could ask for any number of empty strings.
  if (type.item_bytes == 0 && *count > 0) return format_error(what, " has elements of zero bytes");
  return {};
}

// Decodes one text element without the zeros that pad it. Returns false if it holds a number that
// is not a Unicode character.
bool decode_text(const char* item, const NpyType& type, std::string& text) {
  std::int64_t length = type.item_bytes;
  if (type.text == NpyText::kBytes) {
    while (length > 0 && item[length - 1] == '\0') --length;
    text.assign(item, static_cast<std::size_t>(length));
    return true;
  }
  const auto code_point = [item](std::int64_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, item + at, sizeof(value));
    return value;
  };
  while (length > 0 && code_point(length - 4) == 0) length -= 4;
  for (std::int64_t at = 0; at < length; at += 4) {
    if (!append_utf8(code_point(at), text)) return false;
  }
  return true;
}

Status read_texts(const ByteSource& source, const NpyHeader& header, const NpyType& type,
                  Tensor& tensor) {
  if (tensor.element_count() == 0) return {};
  auto* const texts = static_cast<std::string*>(tensor.data());
  const std::int64_t count = tensor.element_count();
  const std::int64_t block = std::clamp<std::int64_t>((1 << 16) / type.item_bytes, 1, count);
  std::vector<char> buffer(static_cast<std::size_t>(block * type.item_bytes));
  for (std::int64_t first = 0; first < count; first += block) {
    const std::int64_t items = std::min(block, count - first);
    Status status = source.read(header.data_offset + first * type.item_bytes, buffer.data(),
                                items * type.item_bytes);
    if (!status) return status;
    for (std::int64_t i = 0; i < items; ++i) {
      if (!decode_text(buffer.data() + i * type.item_bytes, type, texts[first + i]))
        return format_error("string ", first + i, " in the file is not valid Unicode");
    }
  }
  return {};
}

// A copy of the tensor with its elements in row-major instead of column-major order.
Result<Tensor> to_row_major(const Tensor& columns) {
  Strides strides = Strides::filled(columns.shape().rank(), 0);
  std::int64_t step = dtype_bits(columns.dtype()) / 8;
  for (int axis = 0; axis < strides.rank(); ++axis) {
    strides[axis] = step;
    step *= columns.shape()[axis];
  }
  return Tensor::copy_of({columns.dtype(), columns.shape(), strides, columns.data()});
}

// Packs elements that take one byte each. A byte is a code below 2^bits or, for int4, a negative
// int8.
Result<Tensor> pack(const Tensor& bytes, DType type) {
  Result<Tensor> packed = Tensor::zeros(type, bytes.shape());
  if (!packed) return packed;
  const auto* const codes = static_cast<const std::uint8_t*>(bytes.data());
  for (std::int64_t i = 0; i < bytes.element_count(); ++i) {
    const bool negative = type == DType::kInt4 && codes[i] >= 0xf8;
    if (codes[i] >= (1 << dtype_bits(type)) && !negative)
      return format_error("element ", i, " is the byte ", codes[i], ", which is not a value of ",
                          dtype_name(type));
    set_packed(type, packed->data(), i, codes[i]);
  }
  return packed;
}

// The same bits under another type of the same width.
Tensor retype(Tensor tensor, DType type) {
  auto owner = std::make_shared<Tensor>(std::move(tensor));
  return Tensor::adopt(type, owner->shape(), owner->data(), owner);
}

}  // namespace

Result<Tensor> read_npy(const ByteSource& source, DType expected) {
  const Result<NpyHeader> header = read_npy_header(source);
  if (!header) return header.error();
  const Result<NpyType> type = parse_npy_type(header->descr, expected);
  if (!type) return type.error();
  if (Status status = check_size(*header, *type, source.size()); !status) return status;

  Result<Tensor> tensor = Tensor::allocate(type->stored, header->shape);
  if (!tensor) return tensor;
  const Status status =
      type->stored == DType::kString
          ? read_texts(source, *header, *type, *tensor)
          : source.read(header->data_offset, tensor->data(), tensor->byte_count());
  if (!status) return status;
  if (header->fortran_order && tensor->element_count() > 0) tensor = to_row_major(*tensor);
  if (!tensor || type->result == type->stored) return tensor;
  if (is_packed(type->result)) return pack(*tensor, type->result);
  return retype(*std::move(tensor), type->result);
}

}  // namespace windrow::internal
