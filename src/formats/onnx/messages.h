#ifndef WINDROW_FORMATS_ONNX_MESSAGES_H_
#define WINDROW_FORMATS_ONNX_MESSAGES_H_

#include <cstdint>

#include "src/formats/protobuf/declare.h"

// ONNX's messages: those fields of onnx.proto (https://github.com/onnx/onnx, onnx/onnx.proto) that
// are read or written here. Numbers of fields never change. Other fields are kept as they are.
namespace windrow::internal::pb {

using Int32 = Varint<std::int32_t>;
using Int64 = Varint<std::int64_t>;
using Uint64 = Varint<std::uint64_t>;
using Float = Fixed<float>;
using Double = Fixed<double>;

class GraphProto;
class TypeProto;

#define WINDROW_ONNX_STRING_STRING_ENTRY(F) \
  F(TEXT, 1, key, Text)                     \
  F(TEXT, 2, value, Text)
class StringStringEntryProto final : public Message {
  WINDROW_PB_MESSAGE(WINDROW_ONNX_STRING_STRING_ENTRY)
};

#define WINDROW_ONNX_OPERATOR_SET_ID(F) \
  F(TEXT, 1, domain, Text)              \
  F(VALUE, 2, version, Int64)
class OperatorSetIdProto final : public Message {
  WINDROW_PB_MESSAGE(WINDROW_ONNX_OPERATOR_SET_ID)
};

#define WINDROW_ONNX_SEGMENT(F) \
  F(VALUE, 1, begin, Int64)     \
  F(VALUE, 2, end, Int64)
#define WINDROW_ONNX_TENSOR(F)                           \
  F(VALUES, 1, dims, Int64)                              \
  F(VALUE, 2, data_type, Int32)                          \
  F(MESSAGE, 3, segment, Segment)                        \
  F(PACKED, 4, float_data, Float)                        \
  F(PACKED, 5, int32_data, Int32)                        \
  F(VALUES, 6, string_data, Text)                        \
  F(PACKED, 7, int64_data, Int64)                        \
  F(TEXT, 8, name, Text)                                 \
  F(TEXT, 9, raw_data, Text)                             \
  F(PACKED, 10, double_data, Double)                     \
  F(PACKED, 11, uint64_data, Uint64)                     \
  F(TEXT, 12, doc_string, Text)                          \
  F(MESSAGES, 13, external_data, StringStringEntryProto) \
  F(VALUE, 14, data_location, EnumOf<DataLocation>)
class TensorProto final : public Message {
 public:
  // Those numbers of data_type that are used by name.
  enum DataType : std::int32_t { kFloat = 1, kUint8 = 2, kInt32 = 6, kInt64 = 7 };
  enum DataLocation : std::int32_t { kDefault = 0, kExternal = 1 };
  friend bool is_known(DataLocation location) {
    return location == kDefault || location == kExternal;
  }
  class Segment final : public Message {
    WINDROW_PB_MESSAGE(WINDROW_ONNX_SEGMENT)
  };

  WINDROW_PB_MESSAGE(WINDROW_ONNX_TENSOR)
};

#define WINDROW_ONNX_SPARSE_TENSOR(F) \
  F(MESSAGE, 1, values, TensorProto)  \
  F(MESSAGE, 2, indices, TensorProto) \
  F(VALUES, 3, dims, Int64)
class SparseTensorProto final : public Message {
  WINDROW_PB_MESSAGE(WINDROW_ONNX_SPARSE_TENSOR)
};

#define WINDROW_ONNX_DIMENSION(F) \
  F(VALUE, 1, dim_value, Int64)   \
  F(TEXT, 2, dim_param, Text)     \
  F(TEXT, 3, denotation, Text)
#define WINDROW_ONNX_TENSOR_SHAPE(F) F(MESSAGES, 1, dim, Dimension)
class TensorShapeProto final : public Message {
 public:
  class Dimension final : public Message {
    WINDROW_PB_MESSAGE(WINDROW_ONNX_DIMENSION)

    // A dimension is a number or has a name.
    void choose(std::uint32_t number) {
      if (number == 1) dim_param_.clear();
      if (number == 2) dim_value_.clear();
    }
  };

  WINDROW_PB_MESSAGE(WINDROW_ONNX_TENSOR_SHAPE)
};

#define WINDROW_ONNX_TENSOR_TYPE(F) \
  F(VALUE, 1, elem_type, Int32)     \
  F(MESSAGE, 2, shape, TensorShapeProto)
#define WINDROW_ONNX_TYPE(F)                 \
  F(MESSAGE, 1, tensor_type, Tensor)         \
  F(TEXT, 4, sequence_type, RawMessage)      \
  F(TEXT, 5, map_type, RawMessage)           \
  F(TEXT, 6, denotation, Text)               \
  F(TEXT, 7, opaque_type, RawMessage)        \
  F(TEXT, 8, sparse_tensor_type, RawMessage) \
  F(TEXT, 9, optional_type, RawMessage)
class TypeProto final : public Message {
 public:
  class Tensor final : public Message {
    WINDROW_PB_MESSAGE(WINDROW_ONNX_TENSOR_TYPE)
  };

  WINDROW_PB_MESSAGE(WINDROW_ONNX_TYPE)

  // A type is one of these.
  void choose(std::uint32_t number) {
    if (number == 6) return;
    if (number != 1) tensor_type_.clear();
    if (number != 4) sequence_type_.clear();
    if (number != 5) map_type_.clear();
    if (number != 7) opaque_type_.clear();
    if (number != 8) sparse_tensor_type_.clear();
    if (number != 9) optional_type_.clear();
  }
};

#define WINDROW_ONNX_VALUE_INFO(F) \
  F(TEXT, 1, name, Text)           \
  F(MESSAGE, 2, type, TypeProto)   \
  F(TEXT, 3, doc_string, Text)
class ValueInfoProto final : public Message {
  WINDROW_PB_MESSAGE(WINDROW_ONNX_VALUE_INFO)
};

#define WINDROW_ONNX_ATTRIBUTE(F)                  \
  F(TEXT, 1, name, Text)                           \
  F(VALUE, 2, f, Float)                            \
  F(VALUE, 3, i, Int64)                            \
  F(TEXT, 4, s, Text)                              \
  F(MESSAGE, 5, t, TensorProto)                    \
  F(MESSAGE, 6, g, GraphProto)                     \
  F(VALUES, 7, floats, Float)                      \
  F(VALUES, 8, ints, Int64)                        \
  F(VALUES, 9, strings, Text)                      \
  F(MESSAGES, 10, tensors, TensorProto)            \
  F(MESSAGES, 11, graphs, GraphProto)              \
  F(TEXT, 13, doc_string, Text)                    \
  F(MESSAGE, 14, tp, TypeProto)                    \
  F(MESSAGES, 15, type_protos, TypeProto)          \
  F(VALUE, 20, type, EnumOf<AttributeType>)        \
  F(TEXT, 21, ref_attr_name, Text)                 \
  F(MESSAGE, 22, sparse_tensor, SparseTensorProto) \
  F(MESSAGES, 23, sparse_tensors, SparseTensorProto)
class AttributeProto final : public Message {
 public:
  enum AttributeType : std::int32_t {
    kUndefined = 0,
    kFloat = 1,
    kInt = 2,
    kString = 3,
    kTensor = 4,
    kGraph = 5,
    kFloats = 6,
    kInts = 7,
    kStrings = 8,
    kTensors = 9,
    kGraphs = 10,
    kSparseTensor = 11,
    kSparseTensors = 12,
    kTypeProto = 13,
    kTypeProtos = 14,
  };
  friend bool is_known(AttributeType type) { return kUndefined <= type && type <= kTypeProtos; }

  WINDROW_PB_MESSAGE(WINDROW_ONNX_ATTRIBUTE)
};

#define WINDROW_ONNX_NODE(F)                \
  F(VALUES, 1, input, Text)                 \
  F(VALUES, 2, output, Text)                \
  F(TEXT, 3, name, Text)                    \
  F(TEXT, 4, op_type, Text)                 \
  F(MESSAGES, 5, attribute, AttributeProto) \
  F(TEXT, 6, doc_string, Text)              \
  F(TEXT, 7, domain, Text)
class NodeProto final : public Message {
  WINDROW_PB_MESSAGE(WINDROW_ONNX_NODE)
};

#define WINDROW_ONNX_GRAPH(F)                 \
  F(MESSAGES, 1, node, NodeProto)             \
  F(TEXT, 2, name, Text)                      \
  F(MESSAGES, 5, initializer, TensorProto)    \
  F(TEXT, 10, doc_string, Text)               \
  F(MESSAGES, 11, input, ValueInfoProto)      \
  F(MESSAGES, 12, output, ValueInfoProto)     \
  F(MESSAGES, 13, value_info, ValueInfoProto) \
  F(MESSAGES, 15, sparse_initializer, SparseTensorProto)
class GraphProto final : public Message {
  WINDROW_PB_MESSAGE(WINDROW_ONNX_GRAPH)
};

#define WINDROW_ONNX_FUNCTION(F)                   \
  F(TEXT, 1, name, Text)                           \
  F(VALUES, 4, input, Text)                        \
  F(VALUES, 5, output, Text)                       \
  F(VALUES, 6, attribute, Text)                    \
  F(MESSAGES, 7, node, NodeProto)                  \
  F(TEXT, 8, doc_string, Text)                     \
  F(MESSAGES, 9, opset_import, OperatorSetIdProto) \
  F(TEXT, 10, domain, Text)
class FunctionProto final : public Message {
  WINDROW_PB_MESSAGE(WINDROW_ONNX_FUNCTION)
};

#define WINDROW_ONNX_MODEL(F)                      \
  F(VALUE, 1, ir_version, Int64)                   \
  F(TEXT, 2, producer_name, Text)                  \
  F(MESSAGE, 7, graph, GraphProto)                 \
  F(MESSAGES, 8, opset_import, OperatorSetIdProto) \
  F(MESSAGES, 25, functions, FunctionProto)
class ModelProto final : public Message {
  WINDROW_PB_MESSAGE(WINDROW_ONNX_MODEL)
};

}  // namespace windrow::internal::pb

#endif  // WINDROW_FORMATS_ONNX_MESSAGES_H_
