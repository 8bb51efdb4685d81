#ifndef WINDROW_MODELS_INSPECT_H_
#define WINDROW_MODELS_INSPECT_H_

#include <vector>

#include "windrow/models.h"

namespace windrow::internal {

// The axes that a node's indices address. `inputs`: what inference knows of the node's inputs.
IndexedAxes find_indexed_axes(const ModelNode& node, const OperatorInfo& info,
                              const std::vector<ValueInfo>& inputs);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_INSPECT_H_
