#include "plugins/openvino/shape_gather.h"

#include <algorithm>
#include <openvino/op/constant.hpp>
#include <openvino/op/convert.hpp>
#include <openvino/op/gather.hpp>
#include <openvino/op/util/shape_of_base.hpp>
#include <string>
#include <vector>

namespace windrow::openvino_plugin {
namespace {

bool is_shape(const ov::Node* node) {
  while (dynamic_cast<const ov::op::v0::Convert*>(node) != nullptr)
    node = node->get_input_node_ptr(0);
  return dynamic_cast<const ov::op::util::ShapeOfBase*>(node) != nullptr;
}

}  // namespace

std::shared_ptr<ov::Node> make_shape_gather(const OperatorRow& row,
                                            const ov::OutputVector& inputs) {
  if (row.known.name != std::string("Gather") || inputs.size() != 2 ||
      !is_shape(inputs[0].get_node()))
    return nullptr;
  const ov::PartialShape& shape = inputs[0].get_partial_shape();
  const auto* indices = dynamic_cast<const ov::op::v0::Constant*>(inputs[1].get_node());
  if (indices == nullptr || shape.is_dynamic()) return nullptr;
  const std::int64_t rank = shape[0].get_length();
  const std::vector<std::int64_t> values = indices->cast_vector<std::int64_t>();
  const bool in_range = std::all_of(values.begin(), values.end(),
                                    [&](std::int64_t i) { return i >= -rank && i < rank; });
  if (!in_range) return nullptr;
  // A shape has a single axis, so the attribute has no effect.
  const auto axis = ov::op::v0::Constant::create(ov::element::i64, {}, {0});
  return std::make_shared<ov::op::v8::Gather>(inputs[0], inputs[1], axis);
}

}  // namespace windrow::openvino_plugin
