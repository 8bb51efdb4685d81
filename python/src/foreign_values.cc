#include "python/src/foreign_values.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "python/src/text.h"
#include "windrow/shape.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

SymbolicShape dims_from(const nb::handle& given) {
  if (given.is_none() || nb::len(given) > static_cast<std::size_t>(kMaxRank)) return std::nullopt;
  std::vector<Dim> dims;
  for (const nb::handle& dim : given) {
    if (dim.is_none()) {
      dims.emplace_back();
    } else if (nb::isinstance<nb::str>(dim)) {
      dims.push_back({-1, bytes_of(dim.ptr(), "the symbol of a dimension")});
    } else {
      dims.push_back({nb::cast<std::int64_t>(dim), {}});
    }
  }
  return dims;
}

}  // namespace

Result<GraphValueInfos> ask_python(const nb::handle& function, const Model& model) {
  const Result<std::string> skeleton = onnx_skeleton(model);
  if (!skeleton) return skeleton.error();
  const nb::gil_scoped_acquire held;
  const nb::object answer = function(nb::bytes(skeleton->data(), skeleton->size()));
  std::string failure = bytes_of(nb::object(answer[1]).ptr(), "what failed");
  if (!failure.empty()) return Status(ErrorCode::kUnsupported, std::move(failure));
  GraphValueInfos found;
  for (const nb::handle& row : nb::object(answer[0])) {
    const std::string path = bytes_of(nb::object(row[0]).ptr(), "the path of a graph");
    ValueInfo value;
    value.name = bytes_of(nb::object(row[1]).ptr(), "the name of a value");
    const nb::object dtype = row[2];
    if (!dtype.is_none()) {
      std::string type = bytes_of(dtype.ptr(), "a type");
      const std::optional<DType> known = parse_dtype(type);
      if (known)
        value.dtype = *known;
      else
        value.other_type = std::move(type);
    }
    value.dims = dims_from(nb::object(row[3]));
    found[path].insert_or_assign(value.name, std::move(value));
  }
  return found;
}

}  // namespace windrow::python
