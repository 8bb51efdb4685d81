#include "tests/large/mapped_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace windrow::tests {

MappedMemory::MappedMemory(std::size_t bytes, int flags, int file) noexcept : bytes_(bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
  if (memory != MAP_FAILED) data_ = static_cast<unsigned char*>(memory);
}

MappedMemory::~MappedMemory() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

MappedMemory MappedMemory::anonymous(std::size_t bytes) {
  return MappedMemory(bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}

MappedMemory MappedMemory::sparse_file(std::size_t bytes) {
  std::string path = (std::filesystem::temp_directory_path() / "windrow_large_XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file >= 0) unlink(path.c_str());
  const bool sized = file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) == 0;
  // Without a file of that size the mapping fails, which data() then tells.
  struct Closer {
    int file;
    ~Closer() {
      if (file >= 0) close(file);
    }
  } const closer{file};
  return MappedMemory(bytes, MAP_SHARED, sized ? file : -1);
}

}  // namespace windrow::tests
