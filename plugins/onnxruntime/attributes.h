#ifndef WINDROW_PLUGINS_ONNXRUNTIME_ATTRIBUTES_H_
#define WINDROW_PLUGINS_ONNXRUNTIME_ATTRIBUTES_H_

#include <optional>

#include "plugins/onnxruntime/host.h"
#include "windrow/operators.h"

namespace windrow::plugins {

// The attributes of `row` that a node gives. Returns nothing if one of them has another type.
std::optional<Attributes> read_attributes(const OrtApi& ort, const OrtNode* node,
                                          const OperatorInfo& row);

// Same as above when the host makes the node's kernel. The types must have been checked.
Attributes read_attributes(const OrtApi& ort, const OrtKernelInfo* info, const OperatorInfo& row);

}  // namespace windrow::plugins

#endif  // WINDROW_PLUGINS_ONNXRUNTIME_ATTRIBUTES_H_
