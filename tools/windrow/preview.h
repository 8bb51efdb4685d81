#ifndef WINDROW_TOOLS_WINDROW_PREVIEW_H_
#define WINDROW_TOOLS_WINDROW_PREVIEW_H_

#include <string>

#include "tools/windrow/console.h"
#include "windrow/tensor.h"

namespace windrow::tool {

// "float32[2, 3]"
std::string type_text(const Tensor& tensor);

// All elements of a small tensor, in the nesting of its shape; the first and last ones of a large
// tensor.
std::string preview(const Tensor& tensor);

// {"dtype", "shape", "values", "complete"}: the first elements in row-major order, and whether they
// are all.
Json tensor_json(const Tensor& tensor);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_PREVIEW_H_
