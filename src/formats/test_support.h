#ifndef WINDROW_FORMATS_TEST_SUPPORT_H_
#define WINDROW_FORMATS_TEST_SUPPORT_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/element.h"
#include "windrow/constant.h"
#include "windrow/tensor.h"

// What the tests of file formats share.
namespace windrow::internal {

// A new folder that goes with the object.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "windrow-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no test folder");
    path_ = name;
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() { std::filesystem::remove_all(path_); }

  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline void write_bytes(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<DType> all_dtypes() {
  return {
#define WINDROW_DTYPE(enumerator, ...) DType::enumerator,
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
  };
}

// A tensor whose elements all differ as far as the type allows it.
inline Tensor sample(DType type, const Shape& shape) {
  Tensor tensor = Tensor::zeros(type, shape).value();
  if (type == DType::kString) {
    auto* const texts = static_cast<std::string*>(tensor.data());
    for (std::int64_t i = 0; i < tensor.element_count(); ++i)
      texts[i] = "\u00e4\u20ac\U0001f600" + std::to_string(i * 7);
    return tensor;
  }
  auto* const bytes = static_cast<std::uint8_t*>(tensor.data());
  for (std::int64_t i = 0; i < tensor.byte_count(); ++i)
    bytes[i] = static_cast<std::uint8_t>(type == DType::kBool ? i % 2 : 0x1f + i * 37);
  // What is no element of a packed tensor stays zero.
  if (is_packed(type)) {
    Tensor elements = Tensor::zeros(type, shape).value();
    for (std::int64_t i = 0; i < tensor.element_count(); ++i)
      set_packed(type, elements.data(), i, get_packed(type, bytes, i));
    return elements;
  }
  return tensor;
}

inline bool same_bits(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (a.dtype() == DType::kString)
    return std::ranges::equal(a.values<std::string>(), b.values<std::string>());
  return std::equal(static_cast<const char*>(a.data()),
                    static_cast<const char*>(a.data()) + a.byte_count(),
                    static_cast<const char*>(b.data()));
}

// The elements of a constant that can be read.
inline const Tensor& elements(const Constant& constant) { return *constant.tensor().value(); }

inline std::vector<std::string> files_in(const TestFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_TEST_SUPPORT_H_
