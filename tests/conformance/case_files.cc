#include "tests/conformance/case_files.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace windrow::tests {
namespace {

namespace fs = std::filesystem;

bool is_case_file(const fs::path& path) {
  const std::string name = path.filename().string();
  const auto ends_with = [&](const std::string& end) {
    return name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
  };
  return ends_with(".json") || ends_with(".json.gz");
}

// zlib reads files that are not compressed as they are.
std::string read_text(const fs::path& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (file == nullptr) throw std::runtime_error("can't open " + path.string());
  std::string text;
  std::array<char, 1 << 16> block{};
  int count = 0;
  while ((count = gzread(file.get(), block.data(), block.size())) > 0)
    text.append(block.data(), static_cast<std::size_t>(count));
  if (count < 0) throw std::runtime_error("can't read " + path.string());
  return text;
}

}  // namespace

std::vector<fs::path> list_case_files(const std::vector<fs::path>& folders) {
  std::vector<fs::path> files;
  for (const fs::path& folder : folders) {
    if (!fs::is_directory(folder)) throw std::runtime_error("no folder " + folder.string());
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && is_case_file(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> case_folders() {
  std::vector<fs::path> folders;
  for (const char* dialect : {"array", "onnx", "openvino", "tensorrt"})
    folders.push_back(fs::path(WINDROW_SOURCE_CASES) / dialect);
  const char* more = std::getenv("WINDROW_CASES");
  std::istringstream text(more == nullptr ? "" : more);
  for (std::string folder; std::getline(text, folder, ':');)
    if (!folder.empty()) folders.emplace_back(folder);
  return folders;
}

nlohmann::json read_case_file(const fs::path& path) {
  nlohmann::json records = nlohmann::json::parse(read_text(path));
  if (!records.is_array()) throw std::runtime_error(path.string() + " is not a list of records");
  return records;
}

}  // namespace windrow::tests
