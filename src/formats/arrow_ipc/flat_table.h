#ifndef WINDROW_FORMATS_ARROW_IPC_FLAT_TABLE_H_
#define WINDROW_FORMATS_ARROW_IPC_FLAT_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace windrow::internal {

// The bytes of a FlatBuffers message. Numbers are little-endian, and are read one by one: a number
// outside of the bytes is 0 and makes the message a damaged one.
class FlatBytes {
 public:
  explicit FlatBytes(std::string_view bytes) : bytes_(bytes) {}

  std::int64_t size() const noexcept { return static_cast<std::int64_t>(bytes_.size()); }
  // The number of `size` bytes at a position, with its sign.
  std::int64_t number(std::int64_t at, std::int64_t size) noexcept;
  // `count` bytes; none if they are outside.
  std::string_view text(std::int64_t at, std::int64_t count) noexcept;
  bool is_damaged() const noexcept { return is_damaged_; }
  void set_damaged() noexcept { is_damaged_ = true; }

 private:
  std::string_view bytes_;
  bool is_damaged_ = false;
};

// A list of structs, of tables or of their positions.
struct FlatVector {
  std::int64_t at = 0;     // of the first element
  std::int64_t count = 0;  // all are inside of the bytes
};

// A table of a message. Its fields are counted in the order of the schema from 0 on. A field that
// the table lacks has the value 0, or is an empty text, vector or table. The bytes must outlive the
// table.
class FlatTable {
 public:
  // A table without fields.
  explicit FlatTable(FlatBytes& bytes) : bytes_(&bytes) {}
  // The table that the message is.
  static FlatTable root(FlatBytes& bytes);

  // A number of `size` bytes.
  std::int64_t number(int field, std::int64_t size) const noexcept;
  FlatTable table(int field) const noexcept;
  std::string_view text(int field) const noexcept;
  // Of elements that take `size` bytes each.
  FlatVector vector(int field, std::int64_t size) const noexcept;
  // The table at a position of a vector of tables. Precondition: `position` is below its count.
  FlatTable element(const FlatVector& tables, std::int64_t position) const noexcept;
  bool has(int field) const noexcept { return place(field) != 0; }

 private:
  // Where a field begins; 0 if the table does not have it.
  std::int64_t place(int field) const noexcept;
  // What the offset at a position refers to.
  std::int64_t follow(std::int64_t at) const noexcept;

  FlatBytes* bytes_;
  std::int64_t at_ = 0;  // 0: no fields
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ARROW_IPC_FLAT_TABLE_H_
