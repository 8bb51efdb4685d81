#ifndef WINDROW_ARROW_ARROW_FIXTURE_H_
#define WINDROW_ARROW_ARROW_FIXTURE_H_

#include <string>
#include <vector>

#include "windrow/arrow.h"

namespace windrow::arrow {

// A producer of one array, whose structures a test may break before it gives them away.
class Producer {
 public:
  Producer(std::string format, std::int64_t length, std::vector<const void*> buffers)
      : format_(std::move(format)), buffers_(std::move(buffers)) {
    schema.format = format_.c_str();
    schema.name = "a";
    schema.flags = ARROW_FLAG_NULLABLE;
    schema.release = [](ArrowSchema* released) { release(released); };
    schema.private_data = this;
    array.length = length;
    array.null_count = -1;
    array.n_buffers = static_cast<std::int64_t>(buffers_.size());
    array.buffers = buffers_.data();
    array.release = [](ArrowArray* released) { release(released); };
    array.private_data = this;
  }
  Producer(const Producer&) = delete;
  Producer& operator=(const Producer&) = delete;

  Result<Input> give() { return Input::from_array(&schema, &array, "values"); }

  ArrowSchema schema{};
  ArrowArray array{};
  int released = 0;  // the number of structures that were released

 private:
  template <class Structure>
  static void release(Structure* structure) {
    ++static_cast<Producer*>(structure->private_data)->released;
    structure->release = nullptr;
  }

  std::string format_;
  std::vector<const void*> buffers_;
};

// An array that was exported, released at the end.
struct Exported {
  explicit Exported(const Output& output) {
    output.export_schema(&schema).ok();
    output.export_array(&array).ok();
  }
  Exported(const Exported&) = delete;
  Exported& operator=(const Exported&) = delete;
  ~Exported() {
    if (schema.release != nullptr) schema.release(&schema);
    if (array.release != nullptr) array.release(&array);
  }

  template <class T>
  std::vector<T> values(int buffer, std::int64_t count) const {
    const auto* const first = static_cast<const T*>(array.buffers[buffer]);
    return {first, first + count};
  }
  // Rows of text with offsets of the type; "-" for nulls.
  template <class Offset>
  std::vector<std::string> texts() const {
    const auto* const validity = static_cast<const std::uint8_t*>(array.buffers[0]);
    const auto* const offsets = static_cast<const Offset*>(array.buffers[1]);
    const auto* const bytes = static_cast<const char*>(array.buffers[2]);
    std::vector<std::string> rows;
    for (std::int64_t i = 0; i < array.length; ++i) {
      const bool valid = validity == nullptr || ((validity[i / 8] >> (i % 8)) & 1) != 0;
      rows.push_back(valid ? std::string(bytes + offsets[i], bytes + offsets[i + 1]) : "-");
    }
    return rows;
  }

  ArrowSchema schema{};
  ArrowArray array{};
};

inline Ids ids_of(const std::vector<std::int64_t>& numbers) {
  return {std::nullopt,
          TensorView(DType::kInt64, {static_cast<std::int64_t>(numbers.size())}, numbers.data()),
          nullptr};
}

}  // namespace windrow::arrow

#endif  // WINDROW_ARROW_ARROW_FIXTURE_H_
