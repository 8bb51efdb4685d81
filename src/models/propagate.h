#ifndef WINDROW_MODELS_PROPAGATE_H_
#define WINDROW_MODELS_PROPAGATE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "windrow/models.h"

// Partial data propagation: the elements of small integer tensors, which often hold dimensions, as
// far as they are known while shapes are inferred.
namespace windrow::internal {

using KnownElements = std::optional<std::vector<KnownElement>>;

// The elements of a small integer tensor of rank 0 or 1, if all fit into int64; else nothing.
KnownElements known_elements(const Tensor& tensor);
// Whether a tensor of this type and shape may have such elements.
bool may_have_known_elements(DType dtype, const Shape& shape) noexcept;

// What Convert makes of known elements: nothing if `type` is no integer or does not hold them.
KnownElements converted_elements(const KnownElements& elements, DType type);

// The only element of an input of any integer type, if it is known.
std::optional<std::int64_t> known_value(const ValueInfo& value);

// What a Shape node gives: dims[start:end], both counted from the end if negative and clamped.
KnownElements shape_elements(const std::vector<Dim>& dims, std::int64_t start, std::int64_t end);

// The elements of Gather's result, if axis is the only axis of data, both inputs are known, and
// indices has rank 0 or 1 and is not empty. Returns nothing for an index out of range, whose
// meaning only the run decides.
KnownElements gather_elements(const ValueInfo& data, const ValueInfo& indices, std::int64_t axis);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_PROPAGATE_H_
