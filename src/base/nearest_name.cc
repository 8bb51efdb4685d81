#include "windrow/nearest_name.h"

#include <algorithm>
#include <vector>

namespace windrow {
namespace {

constexpr std::size_t kLongest = 256;
constexpr std::int64_t kMostPairs = std::int64_t{1} << 26;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// The number of letters to change, add or remove to turn `a` into `b`.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above + 1, row[j - 1] + 1, changed});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

NearestName::NearestName(std::string_view name)
    : name_(lower_case(name.substr(0, kLongest))),
      best_(name.size() <= kLongest ? name.size() / 2 + 1 : 0),
      left_(kMostPairs) {}

void NearestName::consider(std::string_view known) {
  const std::size_t apart =
      known.size() > name_.size() ? known.size() - name_.size() : name_.size() - known.size();
  if (apart >= best_ || known.size() > kLongest || known.empty() || left_ < 0) return;
  left_ -= static_cast<std::int64_t>((known.size() + 1) * (name_.size() + 1));
  const std::size_t distance = edit_distance(lower_case(known), name_);
  if (distance >= best_) return;
  best_ = distance;
  nearest_ = known;
}

std::string NearestName::hint() const {
  return nearest_.empty() ? "" : "; did you mean " + nearest_ + "?";
}

}  // namespace windrow
