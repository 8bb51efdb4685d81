#ifndef WINDROW_PLUGINS_OPENVINO_EXTENSION_H_
#define WINDROW_PLUGINS_OPENVINO_EXTENSION_H_

#include <memory>
#include <openvino/core/node.hpp>

#include "plugins/openvino/operator_node.h"

namespace windrow::openvino_plugin {

// The host's own node for an ONNX Gather that takes extents from a shape by constant indices in
// range; null for any other Gather. Both operators give the same result there, and the host runs
// many patterns of such nodes as one operation.
std::shared_ptr<ov::Node> make_shape_gather(const OperatorRow& row, const ov::OutputVector& inputs);

}  // namespace windrow::openvino_plugin

#endif  // WINDROW_PLUGINS_OPENVINO_EXTENSION_H_
