#ifndef WINDROW_FORMATS_NPZ_ZIP_MEMBER_H_
#define WINDROW_FORMATS_NPZ_ZIP_MEMBER_H_

#include <cstdint>
#include <memory>

#include "src/formats/byte_source.h"
#include "src/formats/npz/zip_directory.h"

namespace windrow::internal {

// The bytes of one member, inflated as they are read. Reading forwards takes one pass; reading
// backwards begins again from the start. It takes 64 KiB of memory, most of it for zlib's window.
class ZipMember final : public ByteSource {
 public:
  // Both must outlive the member.
  ZipMember(const ByteSource& archive, const ZipEntry& entry);
  ~ZipMember() override;

  std::int64_t size() const noexcept override { return entry_.size; }
  Status read(std::int64_t offset, void* to, std::int64_t bytes) const override;
  // Checks that the member ends where its sizes say and that its bytes have the archive's checksum.
  // Reads the rest of the member. Errors: kFormat, kOutOfMemory, kIo.
  Status check_whole() const;

 private:
  struct Inflater;

  Status restart() const;
  Status produce(void* to, std::int64_t bytes) const;
  Status skip(std::int64_t bytes) const;
  Status inflate(void* to, std::int64_t bytes) const;
  Status inflate_some() const;
  Status refill() const;

  const ByteSource& archive_;
  const ZipEntry& entry_;
  // The state of reading.
  mutable std::unique_ptr<Inflater> inflater_;  // null: nothing was inflated yet
  mutable std::int64_t position_ = 0;           // in the member
  mutable std::int64_t taken_ = 0;              // of the stored bytes
  mutable std::uint32_t crc_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_NPZ_ZIP_MEMBER_H_
