#ifndef WINDROW_FORMATS_ONNX_MODEL_FIXTURE_H_
#define WINDROW_FORMATS_ONNX_MODEL_FIXTURE_H_

#include <string>
#include <utility>

#include "src/formats/onnx/model_read.h"
#include "src/formats/onnx/tensor_proto.h"

// What the tests of ONNX models share.
namespace windrow::internal {

inline pb::ModelProto proto_of(const Model& model) {
  ConstantWriter constants;
  return make_model_proto(model, constants).value();
}

inline Result<pb::TensorProto> make_tensor_proto(const TensorView& tensor,
                                                 const std::string& name) {
  pb::TensorProto proto;
  Status status = write_tensor_proto(tensor, name, proto);
  return status ? Result<pb::TensorProto>(std::move(proto)) : Result<pb::TensorProto>(status);
}

inline Result<Model> read(pb::ModelProto proto) {
  return read_model(proto, ExternalData(ExternalFolder(".")));
}

inline pb::NodeProto& add_node(pb::ModelProto& proto, const std::string& op,
                               const std::string& input, const std::string& output) {
  pb::NodeProto& node = *proto.mutable_graph()->add_node();
  node.set_op_type(op);
  node.add_input(input);
  node.add_output(output);
  return node;
}

// A model of inputs x and w alone.
inline pb::ModelProto two_inputs() {
  pb::ModelProto proto;
  proto.set_ir_version(8);
  proto.add_opset_import()->set_version(13);
  proto.mutable_graph()->add_input()->set_name("x");
  proto.mutable_graph()->add_input()->set_name("w");
  return proto;
}

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_MODEL_FIXTURE_H_
