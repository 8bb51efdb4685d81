#include "tools/windrow/element.h"

#include <cmath>

namespace windrow::tool {
namespace {

template <class T>
Json number_json(T value) {
  return std::isfinite(value) ? Json(value) : Json(to_text(value));
}

struct ToJson {
  Json operator()(float value) const { return number_json(value); }
  Json operator()(double value) const { return number_json(value); }
  template <class T>
  Json operator()(const std::complex<T>& value) const {
    return Json::array({number_json(value.real()), number_json(value.imag())});
  }
  template <class T>
  Json operator()(const T& value) const {
    return Json(value);
  }
};

}  // namespace

Json to_json(const Element& element) { return std::visit(ToJson(), element); }

}  // namespace windrow::tool
