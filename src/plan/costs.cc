#include "src/plan/costs.h"

#include <charconv>
#include <cstdlib>
#include <iterator>

#include "src/base/memory.h"
#include "src/base/system.h"
#include "windrow/nearest_name.h"
#include "windrow/printable.h"

namespace windrow::internal {
namespace {

constexpr std::string_view kCostsHeader = "windrow costs 1";
constexpr std::string_view kCostBlanks = " \t\r";
constexpr std::size_t kMostShown = 40;  // bytes of a file that a message repeats

std::string shown(std::string_view text) {
  return "'" + std::string(text.substr(0, kMostShown)) + (text.size() > kMostShown ? "..'" : "'");
}

std::string number_text(double value) {
  char digits[32];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  return {std::begin(digits), end};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kCostBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kCostBlanks) - first + 1);
}

const CostRow* find_cost(std::string_view name) {
  for (const CostRow& row : kCostRows)
    if (row.name == name) return &row;
  return nullptr;
}

std::string nearest_cost(std::string_view name) {
  NearestName nearest(name);
  for (const CostRow& row : kCostRows) nearest.consider(row.name);
  return nearest.hint();
}

// Reads the lines of a file, one after another.
class CostReader {
 public:
  explicit CostReader(std::string_view path) : path_(path) {}

  Result<MachineCosts> read(std::string_view text) {
    for (; !text.empty() || line_ == 0;) {
      ++line_;
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
      if (Status status = line_ == 1 ? read_header(line) : read_line(line); !status) return status;
    }
    for (std::size_t i = 0; i < std::size(kCostRows); ++i)
      if (lines_[i] == 0)
        return wrong_file("the cost " + std::string(kCostRows[i].name) +
                          " is missing; a file names every cost");
    return costs_;
  }

 private:
  Status wrong_file(const std::string& what) const {
    return {ErrorCode::kInvalidArgument, shown_path() + ": " + what};
  }
  Status wrong_line(const std::string& what) const {
    return wrong_file("line " + std::to_string(line_) + ": " + what);
  }
  std::string shown_path() const { return "'" + std::string(path_) + "'"; }

  Status read_header(std::string_view line) const {
    const bool begins = line.starts_with(kCostsHeader);
    const std::string_view rest = begins ? line.substr(kCostsHeader.size()) : line;
    if (begins && (rest.empty() || rest[0] == ' ' || rest[0] == ',' || rest[0] == '\r')) return {};
    return wrong_line("is " + shown(line) + ", must begin with '" + std::string(kCostsHeader) +
                      "', the version of the format");
  }

  Status read_line(std::string_view line) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) return {};
    const std::size_t blank = line.find_first_of(kCostBlanks);
    const std::string_view name = line.substr(0, blank);
    const CostRow* const row = find_cost(name);
    if (row == nullptr)
      return wrong_line("there is no cost " + shown(name) +
                        nearest_cost(name.substr(0, kMostShown)));
    std::size_t& before = lines_[static_cast<std::size_t>(row - std::begin(kCostRows))];
    if (before != 0)
      return wrong_line(std::string(name) + " already stands in line " + std::to_string(before));
    before = line_;
    return set(*row, blank == std::string_view::npos ? "" : trimmed(line.substr(blank)));
  }

  // Whatever is not within the bounds is refused, so that NaN is.
  Status set(const CostRow& row, std::string_view text) {
    double value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    const bool is_number = error == std::errc() && end == last;
    if (!is_number || !(value >= kLeastCost && value <= kMostCost))
      return wrong_line(std::string(row.name) + " is " + shown(text) + ", must be a number from " +
                        number_text(kLeastCost) + " to " + number_text(kMostCost));
    costs_.*row.cost = value;
    return {};
  }

  std::string_view path_;
  std::size_t line_ = 0;
  std::size_t lines_[std::size(kCostRows)] = {};  // where each cost stands; 0: not yet
  MachineCosts costs_;
};

Result<MachineCosts> read_chosen_costs() {
  const char* const path = std::getenv("WINDROW_COSTS");
  if (path == nullptr || *path == '\0') return MachineCosts();
  Result<MachineCosts> costs = load_costs(path);
  if (!costs) return costs.error().with_context("WINDROW_COSTS");
  return costs;
}

[[maybe_unused]] const bool kCostsForkSafe =
    fill_before_fork([] { static_cast<void>(chosen_costs()); });

}  // namespace

Result<MachineCosts> parse_costs(std::string_view text, std::string_view path) {
  return CostReader(path).read(text);
}

Result<MachineCosts> load_costs(const std::string& path) {
  const Result<std::string> text = read_small_file(path, kMostCostBytes);
  return text ? parse_costs(*text, path) : text.error();
}

std::string costs_text(const MachineCosts& costs, std::string_view processor) {
  std::string text = std::string(kCostsHeader) + ", measured on " + printable(processor) + "\n";
  text += "# Nanoseconds. WINDROW_COSTS names this file; every line must stay.\n";
  for (const CostRow& row : kCostRows)
    text += std::string(row.name) + " " + number_text(costs.*row.cost) + "  # " +
            std::string(row.unit) + ": " + std::string(row.meaning) + "\n";
  return text;
}

const Result<MachineCosts>& chosen_costs() {
  static const Result<MachineCosts>& costs = *new Result<MachineCosts>(read_chosen_costs());
  return costs;
}

const MachineCosts& machine_costs() {
  static const MachineCosts presets;
  const Result<MachineCosts>& costs = chosen_costs();
  return costs ? *costs : presets;
}

}  // namespace windrow::internal
