#include "src/dialects/known_inputs.h"

#include "src/access/evaluate.h"

namespace windrow::internal {

KnownInputs::KnownInputs(std::span<const InputSchema> schemas,
                         std::span<const SymbolicShape> shapes, KnownValues values,
                         std::span<const DType> types)
    : count_(schemas.size()) {
  for (std::size_t i = 0; i < count_; ++i) {
    inputs_[i].name = schemas[i].name;
    if (i < shapes.size() && shapes[i]) inputs_[i].dims = &*shapes[i];
    if (i < values.size()) inputs_[i].value = values[i];
    if (i < types.size()) inputs_[i].dtype = types[i];
  }
}

KnownInputs::KnownInputs(std::span<const InputSchema> schemas, std::span<const TensorSpec> specs)
    : count_(schemas.size()) {
  for (std::size_t i = 0; i < count_; ++i) {
    KnownInput& input = inputs_[i];
    input.name = schemas[i].name;
    input.is_compiled = true;
    if (i >= specs.size() || specs[i].is_absent()) continue;
    const TensorSpec& spec = specs[i];
    input.dtype = spec.dtype;
    dims_[i].resize(static_cast<std::size_t>(spec.shape.rank()));
    for (std::size_t d = 0; d < dims_[i].size(); ++d)
      dims_[i][d].value = spec.shape[static_cast<int>(d)];
    input.dims = &dims_[i];
    const bool has_value = is_fixed(schemas[i].group) && spec.value != nullptr &&
                           spec.value->dtype() == spec.dtype && spec.value->shape() == spec.shape &&
                           spec.value->element_count() == 1;
    if (has_value) input.value = fixed_value(spec);
  }
}

std::int64_t fixed_value(const TensorSpec& spec) {
  return read_index(spec.dtype, spec.value->data());
}

Shape known_shape(const SymbolicDims& dims) {
  Shape shape;
  for (const Dim& dim : dims) shape.push_back(dim.value);
  return shape;
}

}  // namespace windrow::internal
