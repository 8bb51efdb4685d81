#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_BIN_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_BIN_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "windrow/tensor.h"

namespace windrow::internal {

// Where a constant's bytes stand in the .bin file.
struct IrBlob {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
};

// Writes the .bin file: constants one after another, where constants of equal bytes are written
// once.
class IrBin {
 public:
  using Append = std::function<Status(std::string_view)>;

  explicit IrBin(Append append) : append_(std::move(append)) {}

  // `tensor` must outlive the writer. Errors: kIo, kUnsupported.
  Result<IrBlob> add(const Tensor& tensor);
  // `bytes` must outlive the writer. Errors: kIo.
  Result<IrBlob> add(std::string_view bytes);

 private:
  struct Written {
    std::string_view bytes;
    std::int64_t offset = 0;
  };

  Append append_;
  std::int64_t size_ = 0;
  std::deque<std::string> texts_;                          // packed strings
  std::unordered_multimap<std::size_t, Written> written_;  // by hash
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_BIN_H_
