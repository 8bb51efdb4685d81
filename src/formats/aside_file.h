#ifndef WINDROW_FORMATS_ASIDE_FILE_H_
#define WINDROW_FORMATS_ASIDE_FILE_H_

#include <cstdint>
#include <filesystem>
#include <span>

#include "src/formats/byte_source.h"
#include "windrow/status.h"

namespace windrow::internal {

// A file written aside: without a name where the file system can do that, else under a hidden name
// that nobody else has. commit_all() gives it its own name and replaces the file that had it;
// without that it vanishes. So nobody ever sees half a file, and a process that is killed leaves
// none. The mode of a replaced file is kept; a link is replaced, not followed.
class AsideFile final : public ByteSink {
 public:
  // Begins the file `path`. Until commit_all() it is in `folder`, which must be on the same file
  // system; an empty path means the folder of `path`. Errors: kIo, also if `path` is a folder, a
  // device or a pipe.
  static Result<AsideFile> create(const std::filesystem::path& path,
                                  const std::filesystem::path& folder = {});

  AsideFile(AsideFile&& other) noexcept;
  AsideFile(const AsideFile&) = delete;
  AsideFile& operator=(const AsideFile&) = delete;
  AsideFile& operator=(AsideFile&&) = delete;
  ~AsideFile() override;

  // Appends. A size above the process's limit (RLIMIT_FSIZE) is an error, not a signal. Errors:
  // kIo.
  Status write(const void* bytes, std::int64_t count) override;
  using ByteSink::write;
  std::int64_t size() const noexcept { return size_; }
  // Closes the file once its bytes are on the disk. Nothing can be appended afterwards. Errors:
  // kIo.
  Status finish();

  // Gives the files their names in this order, either all or none. After an error the replaced
  // files are back. Errors: kIo.
  friend Status commit_all(std::span<AsideFile* const> files);

 private:
  AsideFile(std::filesystem::path path, std::filesystem::path aside, int fd, bool named);

  Status rename_keeping(bool keep);
  void forget_kept() noexcept;
  void bring_back() noexcept;

  std::filesystem::path path_;
  std::filesystem::path aside_;  // the name until commit_all()
  std::filesystem::path kept_;   // the name of the replaced file, until all are committed
  int fd_;                       // negative: finished
  bool named_;                   // whether aside_ is there
  bool committed_ = false;
  bool has_kept_ = false;  // whether kept_ is there
  std::int64_t size_ = 0;
};

Status commit_all(std::span<AsideFile* const> files);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ASIDE_FILE_H_
