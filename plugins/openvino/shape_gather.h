#ifndef WINDROW_PLUGINS_OPENVINO_SHAPE_GATHER_H_
#define WINDROW_PLUGINS_OPENVINO_SHAPE_GATHER_H_

#include <memory>
#include <openvino/core/node.hpp>

#include "plugins/openvino/operator_row.h"

namespace windrow::openvino_plugin {

// The host's own node for an ONNX Gather that takes extents out of a shape by constant indices that
// are in range, else null. Both operators give the same there, and the host knows many patterns
// with such nodes that it runs as one.
std::shared_ptr<ov::Node> make_shape_gather(const OperatorRow& row, const ov::OutputVector& inputs);

}  // namespace windrow::openvino_plugin

#endif  // WINDROW_PLUGINS_OPENVINO_SHAPE_GATHER_H_
