#include "tools/windrow/output_files.h"

#include <fmt/core.h>

#include <cstddef>
#include <set>

#include "tools/windrow/console.h"

namespace windrow::tool {
namespace {

namespace fs = std::filesystem;

std::string file_stem(const std::string& name) {
  std::string stem = name;
  for (char& c : stem) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '-' || c == '.';
    if (!plain) c = '_';
  }
  // A leading dot would hide the file.
  if (stem.empty() || stem[0] == '.') stem.insert(0, "_");
  return stem;
}

// One file name per tensor, no two the same.
std::vector<std::string> file_names(const NamedTensors& tensors, const std::string& format) {
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors) {
    const std::string stem = file_stem(name);
    std::string file = stem + "." + format;
    for (int i = 2; !taken.insert(file).second; ++i)
      file = fmt::format("{}_{}.{}", stem, i, format);
    names.push_back(file);
  }
  return names;
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

}  // namespace

OutputFiles::OutputFiles(const fs::path& path, Into into)
    : folder_(into == Into::kFolder ? path : folder_of(path)),
      staging_(folder_, into == Into::kFolder, path),
      files_(staging_.path()) {}

void OutputFiles::add(const NamedTensors& tensors, const std::string& format) {
  const std::vector<std::string> names = file_names(tensors, format);
  for (std::size_t i = 0; i < names.size(); ++i) {
    try {
      add(tensors[i].second, folder_ / names[i], tensors[i].first);
    } catch (const Error& error) {
      throw Error(error.status().with_context(fmt::format("output '{}'", tensors[i].first)));
    }
  }
}

void OutputFiles::add(const Tensor& tensor, const fs::path& path, const std::string& name) {
  note_added(files_.add(tensor, path, name), path);
}

void OutputFiles::add_text(std::string_view text, const fs::path& path) {
  note_added(files_.add_text(text, path), path);
}

void OutputFiles::add_model(const Model& model, const fs::path& path) {
  note_added(files_.add_model(model, path), path);
}

void OutputFiles::note_added(const Status& saved, const fs::path& path) {
  if (!saved) throw Error(saved);
  paths_.push_back(path);
}

void OutputFiles::commit() {
  const EndingSignalsHeld held;
  const Status done = files_.commit();
  if (!done) throw Error(done);
  staging_.keep_folder();
}

std::string refuse_empty_name(const std::string& name) {
  return name.empty() ? "the name is empty" : "";
}

}  // namespace windrow::tool
