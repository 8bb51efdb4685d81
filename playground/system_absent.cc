#include "src/base/system.h"

// Replaces src/base/system_posix.cc in a browser, which has no pages to manage, no forks and no
// files.
namespace windrow::internal {

std::int64_t reported_second_level_cache() noexcept { return 0; }

std::string architecture_name() { return {}; }

void prefer_huge_pages(void* /*memory*/, std::size_t /*bytes*/) noexcept {}

void offer_pages(void* /*memory*/, std::size_t /*bytes*/) noexcept {}

std::size_t page_bytes() noexcept { return std::size_t{64} << 10; }

void* map_pages(std::size_t /*bytes*/) noexcept { return nullptr; }

void unmap_pages(void* /*memory*/, std::size_t /*bytes*/) noexcept {}

bool at_fork(void (* /*before*/)(), void (* /*in_parent*/)(), void (* /*in_child*/)()) noexcept {
  return true;
}

Result<std::string> read_small_file(const std::string& path, std::size_t /*most*/) {
  return Status(ErrorCode::kIo, "'" + path + "': the playground cannot read files");
}

}  // namespace windrow::internal
