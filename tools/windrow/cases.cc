#include "tools/windrow/cases.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tools/windrow/console.h"
#include "tools/windrow/ops.h"
#include "tools/windrow/page.h"
#include "windrow/counted.h"
#include "windrow/tensor_archive.h"

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

namespace {

namespace fs = std::filesystem;

// The number of a tensor that has only a name.
constexpr unsigned kNoNumber = std::numeric_limits<unsigned>::max();

// A .npy file has no name, and may need to be told the type of its bits.
NamedTensor load_file(const fs::path& path, DType expected) {
  if (path.extension() == ".npy") return {{}, load_tensor(path, expected).value()};
  return load_named_tensor(path).value();
}

// Tensors by the positions of the model's values.
using TensorsByPosition = std::map<std::size_t, Tensor>;

// The position of the value that a file is for: the one of the name in the file where the model has
// it, else the one of the file's number.
std::size_t position_of(const fs::path& path, unsigned number, const std::string& name,
                        const std::vector<ValueInfo>& values) {
  const auto is_it = [&](const ValueInfo& value) { return value.name == name; };
  const auto found = std::find_if(values.begin(), values.end(), is_it);
  if (found != values.end()) return static_cast<std::size_t>(found - values.begin());
  if (number < values.size()) return number;
  fail(ErrorCode::kInvalidArgument,
       fmt::format("{}: the model has no value for {}", path.filename().string(),
                   number == kNoNumber ? "'" + name + "'" : "it"));
}

void add_value(const fs::path& path, std::size_t position, const std::vector<ValueInfo>& values,
               Tensor tensor, TensorsByPosition& tensors) {
  if (!tensors.emplace(position, std::move(tensor)).second)
    fail(ErrorCode::kInvalidArgument, fmt::format("{}: a second tensor for '{}'",
                                                  path.filename().string(), values[position].name));
}

// The tensors of numbered files, and those of an archive by their names.
TensorsByPosition load_values(const std::map<unsigned, fs::path>& files, const fs::path& archive,
                              const std::vector<ValueInfo>& values) {
  TensorsByPosition tensors;
  for (const auto& [number, path] : files) {
    NamedTensor file =
        load_file(path, number < values.size() ? values[number].dtype : DType::kAbsent);
    const std::size_t position = position_of(path, number, file.name, values);
    add_value(path, position, values, std::move(file.tensor), tensors);
  }
  if (archive.empty()) return tensors;
  const TensorArchive named = TensorArchive::open(archive).value();
  for (const std::string& name : named.names()) {
    const std::size_t position = position_of(archive, kNoNumber, name, values);
    add_value(archive, position, values, named.load(name, values[position].dtype).value(), tensors);
  }
  return tensors;
}

CaseResult skipped(std::string reason, std::vector<std::string> unsupported = {}) {
  return {Outcome::kSkip, std::move(reason), std::move(unsupported), nullptr, {}};
}

// A lack of memory says nothing about the case, so it is an error of the command.
void require_memory(const Status& status) {
  if (status.code() == ErrorCode::kOutOfMemory) throw Error(status);
}

CaseResult failed(std::string reason) {
  return {Outcome::kFail, std::move(reason), {}, nullptr, {}};
}

CaseResult compare_outputs(const NamedTensors& got, const TensorsByPosition& expected,
                           const Tolerance& tolerance) {
  CaseResult result;
  for (const auto& [position, wanted] : expected) {
    const auto& [name, tensor] = got[position];
    const auto mismatch = compare(tensor, wanted, tolerance, result.sizes);
    if (!mismatch || result.outcome == Outcome::kFail) continue;
    result.outcome = Outcome::kFail;
    result.reason = fmt::format("output '{}' {}", name, mismatch->text);
    result.details = {{"output", name}};
    result.details.update(mismatch->details);
  }
  return result;
}

CaseResult run_case(const Case& test, const Model& model, const CaseRuns& runs,
                    const Tolerance& tolerance) {
  const TensorsByPosition given = load_values(test.inputs, test.input_archive, model.inputs);
  const TensorsByPosition expected = load_values(test.outputs, test.output_archive, model.outputs);
  if (expected.empty()) return failed("it has no expected output");
  NamedViews inputs;
  for (const auto& [position, tensor] : given) inputs.emplace(model.inputs[position].name, tensor);
  const Result<NamedTensors> got =
      runs.hosts.run(model, test.model.string(), inputs, runs.options, runs.flags);
  require_memory(got.error());
  if (!got && got.error().code() == ErrorCode::kUnsupported && runs.hosts.takes(model))
    return skipped(got.error().message(), model.unsupported());
  if (!got) return failed(got.error().message());
  return compare_outputs(*got, expected, tolerance);
}

}  // namespace

CaseResult check_case(const Case& test, const CaseRuns& runs, const Tolerance& tolerance) {
  const Result<Model> model = load_model(test.model);
  require_memory(model.error());
  if (!model && model.error().code() == ErrorCode::kUnsupported) {
    return skipped(model.error().message());
  }
  if (!model) return failed(model.error().message());
  const std::vector<std::string> unsupported = model->unsupported();
  const bool in_host = runs.hosts.takes(*model) && !runs.flags.change_options();
  if (!unsupported.empty() && !in_host) {
    std::string list;
    for (const std::string& entry : unsupported) list += (list.empty() ? "" : "; ") + entry;
    return skipped("operators that are not run here: " + list, unsupported);
  }
  for (const ValueInfo& input : model->inputs) {
    // Sequences and optional values are not tensors; the model then has no element type for them.
    if (input.dtype == DType::kAbsent) {
      return skipped(fmt::format("input '{}' is not known to be a tensor", input.name));
    }
  }
  try {
    return run_case(test, *model, runs, tolerance);
  } catch (const Error& error) {
    require_memory(error.status());
    return failed(error.status().message());
  }
}

namespace {

template <class T>
bool same_number(T got, T expected, const Tolerance& tolerance) {
  if (std::isnan(got) || std::isnan(expected)) return std::isnan(got) && std::isnan(expected);
  if (tolerance.relative == 0 && tolerance.absolute == 0) {
    return got == expected && std::signbit(got) == std::signbit(expected);
  }
  if (std::isinf(got) || std::isinf(expected)) return got == expected;
  const double distance = std::abs(static_cast<double>(got) - static_cast<double>(expected));
  return distance <=
         tolerance.absolute + tolerance.relative * std::abs(static_cast<double>(expected));
}

struct Same {
  const Tolerance& tolerance;

  bool operator()(float got, float expected) const { return same_number(got, expected, tolerance); }
  bool operator()(double got, double expected) const {
    return same_number(got, expected, tolerance);
  }
  template <class T>
  bool operator()(const std::complex<T>& got, const std::complex<T>& expected) const {
    return same_number(got.real(), expected.real(), tolerance) &&
           same_number(got.imag(), expected.imag(), tolerance);
  }
  template <class A, class B>
  bool operator()(const A& got, const B& expected) const {
    if constexpr (std::is_same_v<A, B>) {
      return got == expected;
    } else {
      return false;
    }
  }
};

bool same_bytes(const Tensor& got, const Tensor& expected) {
  return got.dtype() != DType::kString && got.byte_count() > 0 &&
         std::memcmp(got.data(), expected.data(), static_cast<std::size_t>(got.byte_count())) == 0;
}

std::vector<std::int64_t> unravel(std::int64_t position, const Shape& shape) {
  std::vector<std::int64_t> coordinates(static_cast<std::size_t>(shape.rank()));
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    coordinates[static_cast<std::size_t>(axis)] = position % shape[axis];
    position /= shape[axis];
  }
  return coordinates;
}

Mismatch describe(const Tensor& got, const Tensor& expected, std::int64_t first,
                  std::int64_t differing) {
  const std::vector<std::int64_t> position = unravel(first, got.shape());
  const Element got_element = element_at(got, first);
  const Element expected_element = element_at(expected, first);
  return {fmt::format("first differs at {}: got {}, expected {} ({} of {} {})",
                      to_string(Dims(position)), to_text(got_element), to_text(expected_element),
                      differing, counted(got.element_count(), "element"),
                      differing == 1 ? "differs" : "differ"),
          {{"position", position},
           {"got", to_json(got_element)},
           {"expected", to_json(expected_element)},
           {"differing", differing},
           {"elements", got.element_count()}}};
}

}  // namespace

std::optional<Mismatch> compare(const Tensor& got, const Tensor& expected,
                                const Tolerance& tolerance, ErrorSizes& sizes) {
  if (got.dtype() != expected.dtype() || got.shape() != expected.shape()) {
    return Mismatch{fmt::format("is {}, expected {}", type_text(got), type_text(expected)),
                    {{"got", type_text(got)}, {"expected", type_text(expected)}}};
  }
  if (same_bytes(got, expected)) {
    sizes.add_equal(got.element_count());
    return std::nullopt;
  }
  std::int64_t first = -1;
  std::int64_t differing = 0;
  for (std::int64_t i = 0; i < got.element_count(); ++i) {
    const Element element = element_at(got, i);
    const Element wanted = element_at(expected, i);
    sizes.add(element, wanted);
    if (std::visit(Same{tolerance}, element, wanted)) continue;
    if (first < 0) first = i;
    ++differing;
  }
  if (differing == 0) return std::nullopt;
  return describe(got, expected, first, differing);
}

namespace {

constexpr std::size_t kBarWidth = 40;  // characters of the longest bar

struct Distance {
  double absolute;
  double size;  // of the expected value
};

// Without rounding where integers of 64 bits are told apart.
template <class T>
double distance_of(T got, T expected) {
  if constexpr (std::is_integral_v<T>) {
    const auto wide = [](T value) { return static_cast<long double>(value); };
    return static_cast<double>(std::abs(wide(got) - wide(expected)));
  } else {
    return static_cast<double>(std::abs(got - expected));
  }
}

template <class T>
bool is_nan(const T& value) {
  return value != value;
}

// Nothing for what has no distance that is a number.
struct Measure {
  template <class T>
  std::optional<Distance> operator()(const T& got, const T& expected) const {
    if constexpr (std::is_same_v<T, std::string>) {
      if (got == expected) return Distance{0, 0};
      return std::nullopt;
    } else {
      const bool both_nan = is_nan(got) && is_nan(expected);
      if (got == expected || both_nan) return Distance{0, 0};
      const double absolute = distance_of(got, expected);
      if (!std::isfinite(absolute)) return std::nullopt;
      return Distance{absolute, distance_of(expected, T{})};
    }
  }
  template <class A, class B>
  std::optional<Distance> operator()(const A&, const B&) const {
    return std::nullopt;
  }
};

// Infinities and NaN as strings, which JSON's numbers cannot be.
Json number_json(double value) {
  if (std::isfinite(value)) return value;
  return "inf";
}

}  // namespace

void ErrorSizes::add(const Element& got, const Element& expected) {
  const std::optional<Distance> distance = std::visit(Measure{}, got, expected);
  if (!distance) {
    ++no_number_;
  } else if (distance->absolute == 0) {
    ++equal_;
  } else {
    const double relative = distance->size == 0 ? std::numeric_limits<double>::infinity()
                                                : distance->absolute / distance->size;
    const auto bin = std::lower_bound(kBinEnds.begin(), kBinEnds.end(), relative);
    ++bins_[static_cast<std::size_t>(bin - kBinEnds.begin())];
    largest_absolute_ = std::max(largest_absolute_, distance->absolute);
    largest_relative_ = std::max(largest_relative_, relative);
  }
}

void ErrorSizes::add(const ErrorSizes& other) noexcept {
  equal_ += other.equal_;
  no_number_ += other.no_number_;
  for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += other.bins_[i];
  largest_absolute_ = std::max(largest_absolute_, other.largest_absolute_);
  largest_relative_ = std::max(largest_relative_, other.largest_relative_);
}

std::int64_t ErrorSizes::elements() const noexcept {
  return std::accumulate(bins_.begin(), bins_.end(), equal_ + no_number_);
}

std::string ErrorSizes::text() const {
  if (!has_errors()) return "";
  std::string text;
  if (largest_absolute_ > 0)
    text = fmt::format("by at most {:.6g} (relative {:.3g})", largest_absolute_, largest_relative_);
  if (no_number_ > 0)
    text += fmt::format("{}{} with NaN, an infinity or a text", text.empty() ? "in " : ", and ",
                        no_number_);
  return text;
}

std::vector<std::string> ErrorSizes::lines() const {
  Table table;
  const std::int64_t most =
      std::max({equal_, no_number_, *std::max_element(bins_.begin(), bins_.end())});
  const auto add_row = [&](const std::string& label, std::int64_t count) {
    if (count == 0) return;
    const auto width = static_cast<std::size_t>(static_cast<double>(count) /
                                                static_cast<double>(most) * kBarWidth);
    table.add(
        {"  " + label, std::to_string(count), std::string(std::max<std::size_t>(width, 1), '#')});
  };
  add_row("equal", equal_);
  for (std::size_t i = 0; i < kBinEnds.size(); ++i)
    add_row(fmt::format("up to {:g}", kBinEnds[i]), bins_[i]);
  add_row("above 1", bins_.back());
  add_row("no number", no_number_);
  return table.lines();
}

Json ErrorSizes::json() const {
  Json histogram = Json::array();
  for (std::size_t i = 0; i < bins_.size(); ++i)
    histogram.push_back(
        {{"up_to", i < kBinEnds.size() ? Json(kBinEnds[i]) : Json()}, {"elements", bins_[i]}});
  return {{"elements", elements()},
          {"equal", equal_},
          {"largest_absolute", largest_absolute_},
          {"largest_relative", number_json(largest_relative_)},
          {"no_number", no_number_},
          {"histogram", histogram}};
}

}  // namespace windrow::tool
