#ifndef WINDROW_TESTS_LARGE_MAPPED_MEMORY_H_
#define WINDROW_TESTS_LARGE_MAPPED_MEMORY_H_

#include <cstddef>

namespace windrow::tests {

// Zeroed memory that may be larger than the machine's: only touched pages take any.
class MappedMemory {
 public:
  // Private memory without reserved swap.
  static MappedMemory anonymous(std::size_t bytes);
  // A sparse file without a name in the folder for temporary files.
  static MappedMemory sparse_file(std::size_t bytes);

  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;
  ~MappedMemory();

  // Null if the system refuses.
  unsigned char* data() const noexcept { return data_; }

 private:
  MappedMemory(std::size_t bytes, int flags, int file) noexcept;

  unsigned char* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_LARGE_MAPPED_MEMORY_H_
