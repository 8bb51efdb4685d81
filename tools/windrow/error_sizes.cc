#include "tools/windrow/error_sizes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <variant>

#include "tools/windrow/table.h"
#include "windrow/counted.h"

namespace windrow::tool {
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
