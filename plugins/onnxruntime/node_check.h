#ifndef WINDROW_PLUGINS_ONNXRUNTIME_NODE_CHECK_H_
#define WINDROW_PLUGINS_ONNXRUNTIME_NODE_CHECK_H_

#include "plugins/onnxruntime/host.h"
#include "windrow/operators.h"

namespace windrow::plugins {

// Whether the node's attributes and types are valid for some shapes of the ranks that the host
// knows. The kernel of such a node may still find at run time that the shapes do not match. Unknown
// ranks exclude nothing.
bool may_compile(const OrtApi& ort, const OrtNode* node, const OperatorInfo& row);

}  // namespace windrow::plugins

#endif  // WINDROW_PLUGINS_ONNXRUNTIME_NODE_CHECK_H_
