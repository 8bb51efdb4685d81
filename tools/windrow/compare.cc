#include "tools/windrow/compare.h"

#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "tools/windrow/element.h"
#include "tools/windrow/preview.h"
#include "windrow/counted.h"

namespace windrow::tool {
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

}  // namespace windrow::tool
