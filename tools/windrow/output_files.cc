#include "tools/windrow/output_files.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <set>
#include <utility>

#include "tools/windrow/input_files.h"

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
  if (file == kStandardStream) return fs::temp_directory_path();
  return file.has_parent_path() ? file.parent_path() : ".";
}

}  // namespace

void OutputFiles::check_targets(const std::vector<Target>& targets, Console& console) {
  const Target* taken = nullptr;
  for (const Target& target : targets) {
    if (target.file != kStandardStream) continue;
    if (taken != nullptr)
      fail(ErrorCode::kInvalidArgument, fmt::format("{} - and {} -: standard output takes one file",
                                                    taken->option, target.option));
    taken = &target;
    if (console.json())
      fail(ErrorCode::kInvalidArgument,
           fmt::format("{} - and JSON: standard output takes one of them", target.option));
    if (target.content == Content::kBinary && ::isatty(STDOUT_FILENO) == 1)
      fail(ErrorCode::kInvalidArgument,
           fmt::format("{} -: standard output is a terminal, and what would be written is binary: "
                       "name a file, or put a pipe or > FILE behind the command",
                       target.option));
  }
  if (taken != nullptr) console.report_on_errors();
}

OutputFiles::OutputFiles(const fs::path& path, Into into, std::string ending)
    : folder_(into == Into::kFolder ? path : folder_of(path)),
      for_stream_("standard_output" + ending),
      has_stream_(path == kStandardStream),
      staging_(folder_, into == Into::kFolder, path),
      files_(staging_.path()) {}

fs::path OutputFiles::target_of(const fs::path& path) const {
  return path == kStandardStream ? staging_.path() / for_stream_ : path;
}

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
  note_added(files_.add(tensor, target_of(path), name), path);
}

void OutputFiles::add_archive(const NamedTensors& tensors, const fs::path& path) {
  note_added(files_.add_archive(tensors, target_of(path)), path);
}

void OutputFiles::add_text(std::string_view text, const fs::path& path) {
  note_added(files_.add_text(text, target_of(path)), path);
}

void OutputFiles::add_model(const Model& model, const fs::path& path) {
  note_added(files_.add_model(model, target_of(path)), path);
}

void OutputFiles::note_added(const Status& saved, const fs::path& path) {
  if (!saved) throw Error(saved);
  paths_.push_back(path);
}

void OutputFiles::commit() { commit_all({this}); }

void OutputFiles::commit_all(std::initializer_list<OutputFiles*> all) {
  {
    const EndingSignalsHeld held;
    for (OutputFiles* const files : all) {
      if (files == nullptr) continue;
      const Status done = files->files_.commit();
      if (!done) throw Error(done);
      files->staging_.keep_folder();
    }
  }
  for (const OutputFiles* const files : all)
    if (files != nullptr && files->has_stream_) files->copy_to_standard_output();
}

void OutputFiles::copy_to_standard_output() const {
  const fs::path path = staging_.path() / for_stream_;
  std::ifstream file(path, std::ios::binary);
  std::vector<char> block(std::size_t{1} << 16);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0)
    write_standard_output({block.data(), static_cast<std::size_t>(file.gcount())});
}

std::string shown_output(const std::string& text) {
  return text == kStandardStream ? "standard output" : text;
}

std::string refuse_empty_name(const std::string& name) {
  return name.empty() ? "the name is empty" : "";
}

}  // namespace windrow::tool
