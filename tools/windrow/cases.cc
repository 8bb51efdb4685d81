#include "tools/windrow/cases.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "tools/windrow/console.h"
#include "tools/windrow/parse_number.h"

namespace windrow::tool {
namespace {

namespace fs = std::filesystem;

// The number in "<prefix><number><suffix>", so that input_10 comes after input_9.
std::optional<unsigned> number_in(std::string_view text, std::string_view prefix,
                                  std::string_view suffix) {
  if (!text.starts_with(prefix) || !text.ends_with(suffix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  if (text.size() <= suffix.size()) return std::nullopt;
  text.remove_suffix(suffix.size());
  return parse_number<unsigned>(text);
}

// The entries of `folder` of that name pattern, by number.
std::map<unsigned, fs::path> numbered(const fs::path& folder, std::string_view prefix,
                                      std::string_view suffix) {
  std::map<unsigned, fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (const auto number = number_in(name, prefix, suffix)) found.emplace(*number, entry.path());
  }
  return found;
}

// The archive of that name, without its ending, in `folder`; empty if there is none.
fs::path archive_in(const fs::path& folder, const std::string& name) {
  for (const char* const ending : {".npz", ".safetensors"})
    if (fs::is_regular_file(folder / (name + ending))) return folder / (name + ending);
  return {};
}

// The name of the model's folder seen from `root`; the last part of `root` for `root` itself.
std::string name_of(const fs::path& folder, const fs::path& root) {
  const fs::path relative = folder.lexically_relative(root);
  if (relative != ".") return relative.string();
  const fs::path absolute = fs::absolute(root).lexically_normal();
  return (absolute.has_filename() ? absolute : absolute.parent_path()).filename().string();
}

// A kind of model, and the kind of tensor files that its cases have.
struct Layout {
  std::string_view model;
  std::string_view tensors;
  bool beside_model;  // the files may stand beside the model
};
constexpr Layout kLayouts[] = {{"model.onnx", ".pb", false}, {"model.xml", ".npy", true}};

void add_cases_of(const fs::path& folder, const fs::path& root, const Layout& layout,
                  std::vector<Case>& cases) {
  const fs::path model = folder / layout.model;
  if (!fs::is_regular_file(model)) return;
  std::vector<fs::path> sets;
  for (const auto& [number, set] : numbered(folder, "test_data_set_", "")) {
    if (fs::is_directory(set)) sets.push_back(set);
  }
  const bool has_files =
      layout.beside_model && !numbered(folder, "output_", layout.tensors).empty();
  if (has_files || !archive_in(folder, "outputs").empty()) sets.push_back(folder);
  for (const fs::path& set : sets) {
    std::string name = name_of(folder, root);
    if (sets.size() > 1 && set != folder) name += "/" + set.filename().string();
    cases.push_back({name, model, numbered(set, "input_", layout.tensors),
                     numbered(set, "output_", layout.tensors), archive_in(set, "inputs"),
                     archive_in(set, "outputs")});
  }
}

void add_cases_of(const fs::path& folder, const fs::path& root, std::vector<Case>& cases) {
  for (const Layout& layout : kLayouts) add_cases_of(folder, root, layout, cases);
}

}  // namespace

std::vector<Case> find_cases(const fs::path& root) {
  std::vector<Case> cases;
  try {
    if (!fs::is_directory(root)) {
      fail(ErrorCode::kIo, fmt::format("{}: {}", root.string(),
                                       fs::exists(root) ? "is not a folder" : "no such folder"));
    }
    add_cases_of(root, root, cases);
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      if (entry.is_directory()) add_cases_of(entry.path(), root, cases);
    }
  } catch (const fs::filesystem_error& error) {
    fail(ErrorCode::kIo, fmt::format("{}: {}", error.path1().string(), error.code().message()));
  }
  std::sort(cases.begin(), cases.end(),
            [](const Case& a, const Case& b) { return a.name < b.name; });
  return cases;
}

}  // namespace windrow::tool
