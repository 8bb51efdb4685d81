#ifndef WINDROW_PLUGINS_ONNXRUNTIME_NODE_CHECK_H_
#define WINDROW_PLUGINS_ONNXRUNTIME_NODE_CHECK_H_

#include "plugins/onnxruntime/host.h"
#include "windrow/operators.h"

namespace windrow::plugins {

// Whether some shapes of the ranks that the host knows make the node's attributes and types valid.
// Such a node's kernel may still find at run time that the shapes do not fit. Ranks that the host
// does not know rule nothing out.
bool may_compile(const OrtApi& ort, const OrtNode* node, const OperatorInfo& row);

}  // namespace windrow::plugins

#endif  // WINDROW_PLUGINS_ONNXRUNTIME_NODE_CHECK_H_
