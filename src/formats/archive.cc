#include "src/formats/archive.h"

#include <set>
#include <string_view>

#include "src/models/text.h"
#include "windrow/counted.h"

namespace windrow::internal {

Status check_names_differ(const NamedTensors& tensors) {
  std::set<std::string_view> names;
  for (const auto& [name, tensor] : tensors)
    if (!names.insert(name).second) return argument_error("two tensors are called '", name, "'");
  return {};
}

std::string counted_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 12;
  if (names.empty()) return "no tensors";
  return text_of({counted(names.size(), "tensor"), ": ", listed(names, ", ", kShown)});
}

Status check_archive_name(const std::filesystem::path& path) {
  if (path.extension() == ".npz" || path.extension() == ".safetensors") return {};
  return unsupported_error(
      quoted(path), " is not an archive of tensors: the name must end in .npz or .safetensors");
}

std::uint64_t little_endian(const void* bytes, std::size_t size) noexcept {
  std::uint64_t value = 0;
  while (size-- > 0) value = value << 8 | static_cast<const unsigned char*>(bytes)[size];
  return value;
}

void append_little_endian(std::uint64_t value, std::size_t size, std::string& text) {
  for (; size > 0; --size, value >>= 8) text += static_cast<char>(value & 0xff);
}

}  // namespace windrow::internal
