#include "src/formats/arrow_ipc/flat_table.h"

#include "src/formats/archive.h"

namespace windrow::internal {

std::string_view FlatBytes::text(std::int64_t at, std::int64_t count) noexcept {
  if (at < 0 || count < 0 || at > size() || count > size() - at) {
    is_damaged_ = true;
    return {};
  }
  return bytes_.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(count));
}

std::int64_t FlatBytes::number(std::int64_t at, std::int64_t size) noexcept {
  const std::string_view bytes = text(at, size);
  switch (bytes.size()) {
    case 1:
      return static_cast<std::int8_t>(bytes.front());
    case 2:
      return static_cast<std::int16_t>(little_endian(bytes.data(), 2));
    case 4:
      return static_cast<std::int32_t>(little_endian(bytes.data(), 4));
    case 8:
      return static_cast<std::int64_t>(little_endian(bytes.data(), 8));
    default:
      return 0;
  }
}

std::int64_t FlatTable::follow(std::int64_t at) const noexcept {
  // Offsets are unsigned, and lead forwards.
  const std::int64_t offset = bytes_->number(at, 4);
  if (offset <= 0) bytes_->set_damaged();
  return offset <= 0 ? 0 : at + offset;
}

FlatTable FlatTable::root(FlatBytes& bytes) {
  FlatTable table(bytes);
  table.at_ = table.follow(0);
  return table;
}

std::int64_t FlatTable::place(int field) const noexcept {
  if (at_ == 0) return 0;
  const std::int64_t fields = at_ - bytes_->number(at_, 4);
  const std::int64_t entry = 4 + 2 * static_cast<std::int64_t>(field);
  if (entry + 2 > (bytes_->number(fields, 2) & 0xffff)) return 0;
  const std::int64_t offset = bytes_->number(fields + entry, 2) & 0xffff;
  return offset == 0 ? 0 : at_ + offset;
}

std::int64_t FlatTable::number(int field, std::int64_t size) const noexcept {
  const std::int64_t at = place(field);
  return at == 0 ? 0 : bytes_->number(at, size);
}

FlatTable FlatTable::table(int field) const noexcept {
  FlatTable table(*bytes_);
  if (const std::int64_t at = place(field); at != 0) table.at_ = follow(at);
  return table;
}

FlatVector FlatTable::vector(int field, std::int64_t size) const noexcept {
  const std::int64_t at = place(field);
  const std::int64_t start = at == 0 ? 0 : follow(at);
  if (start == 0) return {};
  const std::int64_t count = bytes_->number(start, 4);
  // Neither factor has more than 32 bits.
  bytes_->text(start + 4, count * size);
  return bytes_->is_damaged() ? FlatVector() : FlatVector{start + 4, count};
}

std::string_view FlatTable::text(int field) const noexcept {
  const FlatVector bytes = vector(field, 1);
  return bytes_->text(bytes.at, bytes.count);
}

FlatTable FlatTable::element(const FlatVector& tables, std::int64_t position) const noexcept {
  FlatTable table(*bytes_);
  table.at_ = follow(tables.at + 4 * position);
  return table;
}

}  // namespace windrow::internal
