#ifndef WINDROW_FORMATS_ASIDE_FILE_H_
#define WINDROW_FORMATS_ASIDE_FILE_H_

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "windrow/status.h"

namespace windrow::internal {

// A file written under another name in its folder. It takes its own name, and replaces what had it,
// with commit(); without that it vanishes. So nobody ever sees half a file.
class AsideFile {
 public:
  // Errors: kIo.
  static Result<AsideFile> create(const std::filesystem::path& path);

  AsideFile(AsideFile&& other) noexcept;
  AsideFile(const AsideFile&) = delete;
  AsideFile& operator=(const AsideFile&) = delete;
  AsideFile& operator=(AsideFile&&) = delete;
  ~AsideFile();

  // Appends. Errors: kIo.
  Status write(const void* bytes, std::int64_t count);
  Status write(std::string_view bytes) {
    return write(bytes.data(), static_cast<std::int64_t>(bytes.size()));
  }
  std::int64_t size() const noexcept { return size_; }
  Status commit();

 private:
  AsideFile(std::filesystem::path path, std::filesystem::path aside, int fd);

  std::filesystem::path path_;
  std::filesystem::path aside_;
  int fd_;
  std::int64_t size_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ASIDE_FILE_H_
