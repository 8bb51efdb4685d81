#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "src/formats/archive.h"
#include "src/formats/npy/npy.h"
#include "src/formats/npz/zip_directory.h"
#include "src/formats/npz/zip_member.h"
#include "src/models/text.h"

namespace windrow::internal {
namespace {

constexpr std::string_view kEnding = ".npy";

class NpzReader final : public ArchiveReader {
 public:
  NpzReader(std::shared_ptr<const ByteSource> source, std::vector<ZipEntry> entries)
      : source_(std::move(source)), entries_(std::move(entries)) {
    for (const ZipEntry& entry : entries_)
      names_.push_back(entry.name.substr(0, entry.name.size() - kEnding.size()));
  }

  Result<Tensor> load(std::size_t position, DType expected) const override {
    const ZipMember member(*source_, entries_[position]);
    Result<Tensor> tensor = read_npy(member, expected);
    if (tensor)
      if (Status status = member.check_whole(); !status) tensor = status;
    return with_context(std::move(tensor), "array '" + names_[position] + "'");
  }

 private:
  std::shared_ptr<const ByteSource> source_;
  std::vector<ZipEntry> entries_;
};

}  // namespace

Archive open_npz(std::shared_ptr<const ByteSource> source) {
  Result<std::vector<ZipEntry>> entries = read_zip_directory(*source);
  if (!entries) return entries.error();
  std::erase_if(*entries, [](const ZipEntry& entry) { return !entry.name.ends_with(kEnding); });
  std::set<std::string_view> names;
  for (const ZipEntry& entry : *entries)
    if (!names.insert(entry.name).second)
      return format_error("two members are called '", entry.name, "'");
  return std::unique_ptr<ArchiveReader>(
      std::make_unique<NpzReader>(std::move(source), *std::move(entries)));
}

}  // namespace windrow::internal
