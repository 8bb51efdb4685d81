#ifndef WINDROW_PLUGINS_ONNXRUNTIME_ATTRIBUTES_H_
#define WINDROW_PLUGINS_ONNXRUNTIME_ATTRIBUTES_H_

#include <optional>

#include "plugins/onnxruntime/host.h"
#include "windrow/operators.h"

namespace windrow::plugins {

// The attributes of `row` that a node gives. Nothing if one of them has another type.
std::optional<Attributes> read_attributes(const OrtApi& ort, const OrtNode* node,
                                          const OperatorInfo& row);

// The same where the host makes the node's kernel; the types are known to fit.
Attributes read_attributes(const OrtApi& ort, const OrtKernelInfo* info, const OperatorInfo& row);

}  // namespace windrow::plugins

#endif  // WINDROW_PLUGINS_ONNXRUNTIME_ATTRIBUTES_H_
