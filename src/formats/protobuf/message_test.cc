#include "src/formats/protobuf/message.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "src/formats/onnx/messages.h"

// The bytes are those of https://protobuf.dev/programming-guides/encoding.
namespace windrow::internal::pb {
namespace {

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text.push_back(static_cast<char>(value));
  return text;
}

// A field of that number which is a message, text or packed list.
std::string len(std::uint32_t number, std::string_view content) {
  WireWriter out;
  out.write_tag(number, WireType::kLen);
  out.write_varint(content.size());
  return out.take() + std::string(content);
}

template <class M>
M parsed(std::string_view text) {
  M message;
  EXPECT_TRUE(message.parse(text));
  return message;
}

TEST(Message, NumbersStandAsVarintsAndFixed) {
  AttributeProto attribute;
  attribute.set_i(150);
  EXPECT_EQ(attribute.serialize(), bytes({0x18, 0x96, 0x01}));
  attribute.set_i(-2);
  EXPECT_EQ(attribute.serialize(), bytes({0x18}) + bytes({0xfe}) + std::string(8, '\xff') + '\x01');
  EXPECT_EQ(parsed<AttributeProto>(attribute.serialize()).i(), -2);
  attribute.clear_i();
  attribute.set_f(1.5F);
  EXPECT_EQ(attribute.serialize(), bytes({0x15, 0, 0, 0xc0, 0x3f}));
  // Of a number that is too long for its type the low bits count.
  TensorProto tensor = parsed<TensorProto>(bytes({0x10, 0x81, 0x80, 0x80, 0x80, 0x10}));
  EXPECT_EQ(tensor.data_type(), 1);
  tensor.set_data_type(-1);
  EXPECT_EQ(tensor.byte_size(), 11U);
}

TEST(Message, ListsAreReadPackedAndOneByOne) {
  const std::string both = bytes({0x08, 3}) + len(1, bytes({4, 0x96, 1})) + bytes({0x08, 5});
  const auto tensor = parsed<TensorProto>(both);
  ASSERT_EQ(tensor.dims_size(), 4);
  EXPECT_EQ(tensor.dims(2), 150);
  // Each list is written as its schema says.
  EXPECT_EQ(tensor.serialize(), bytes({0x08, 3, 0x08, 4, 0x08, 0x96, 1, 0x08, 5}));
  const auto floats = parsed<TensorProto>(bytes({0x25, 0, 0, 0x80, 0x3f, 0x25, 0, 0, 0, 0x40}));
  EXPECT_EQ(floats.serialize(), len(4, bytes({0, 0, 0x80, 0x3f, 0, 0, 0, 0x40})));
  EXPECT_FALSE(TensorProto().parse(len(4, "abc")));
}

TEST(Message, WhatIsNotKnownIsKeptBehindTheRest) {
  const std::string group = bytes({0x9b, 0x06, 0x08, 1}) + len(7, "in it") + bytes({0x9c, 0x06});
  const std::string fixed = bytes({0x91, 0x06, 1, 2, 3, 4, 5, 6, 7, 8, 0x95, 0x06, 1, 2, 3, 4});
  // A name that is a number, and a kind of attribute of the future.
  const std::string odd = bytes({0x08, 1, 0xa0, 0x01, 99});
  const auto attribute = parsed<AttributeProto>(group + len(1, "n") + fixed + odd);
  EXPECT_EQ(attribute.name(), "n");
  EXPECT_FALSE(attribute.has_type());
  EXPECT_EQ(attribute.unknown_fields(), group + fixed + odd);
  EXPECT_EQ(attribute.serialize(), len(1, "n") + group + fixed + odd);
  EXPECT_EQ(attribute.byte_size(), attribute.serialize().size());
}

TEST(Message, FieldsThatComeAgainAreMerged) {
  const std::string two = len(5, len(8, "first") + bytes({0x10, 1})) + len(5, len(8, "second"));
  const auto attribute = parsed<AttributeProto>(two);
  EXPECT_EQ(attribute.t().name(), "second");
  EXPECT_EQ(attribute.t().data_type(), 1);
  TensorProto tensor = parsed<TensorProto>(bytes({0x08, 1}));
  EXPECT_TRUE(tensor.merge(bytes({0x08, 2})));
  EXPECT_EQ(tensor.dims_size(), 2);
  EXPECT_TRUE(tensor.parse(""));
  EXPECT_EQ(tensor.dims_size(), 0);
}

TEST(Message, OfAChoiceTheLastOneHolds) {
  const std::string number_and_name = bytes({0x08, 7}) + len(2, "N");
  const auto named = parsed<TensorShapeProto::Dimension>(number_and_name);
  EXPECT_FALSE(named.has_dim_value());
  EXPECT_EQ(named.dim_param(), "N");
  TensorShapeProto::Dimension dimension = named;
  dimension.set_dim_value(3);
  EXPECT_FALSE(dimension.has_dim_param());
  // A field of another wire type is none of the choices.
  EXPECT_EQ(
      parsed<TensorShapeProto::Dimension>(len(2, "N") + bytes({0x0d, 1, 2, 3, 4})).dim_param(),
      "N");
  const auto type = parsed<TypeProto>(len(1, bytes({0x08, 1})) + len(4, "") + len(6, "d"));
  EXPECT_FALSE(type.has_tensor_type());
  EXPECT_TRUE(type.has_sequence_type());
  EXPECT_EQ(type.denotation(), "d");
}

TEST(Message, CopiesAreDeep) {
  GraphProto graph;
  NodeProto& node = *graph.add_node();
  node.add_attribute()->mutable_g()->set_name("inner");
  GraphProto copy = graph;
  copy.mutable_node(0)->mutable_attribute(0)->mutable_g()->set_name("other");
  EXPECT_EQ(graph.node(0).attribute(0).g().name(), "inner");
  copy = graph;
  EXPECT_EQ(copy.serialize(), graph.serialize());
  // Messages of a list stay where they are.
  for (int i = 0; i < 100; ++i) graph.add_node();
  EXPECT_EQ(&node, &graph.node(0));
}

TEST(Message, BrokenBytesAreRefused) {
  for (const std::string& text : {
           bytes({0x08}),                                  // a number that is missing
           std::string("\x08") + std::string(10, '\xff'),  // one without an end
           bytes({0x0a, 5, 'a'}),                          // a text that is cut
           bytes({0x00, 1}),                               // field 0
           bytes({0x80, 0x80, 0x80, 0x80, 0x10, 0}),       // a tag of more than 32 bits
           bytes({0x9b, 0x06, 0x08, 1}),                   // a group without an end
           bytes({0x9b, 0x06, 0xa4, 0x06}),                // a group that another one ends
           bytes({0x9c, 0x06}),                            // an end without a group
           bytes({0x9e, 0x06}),                            // a wire type that does not exist
       })
    EXPECT_FALSE(AttributeProto().parse(text)) << text.size();
}

TEST(Message, OfAFileThatIsCutNothingIsReadBehindItsEnd) {
  AttributeProto attribute;
  attribute.set_name("body");
  NodeProto& node = *attribute.mutable_g()->add_node();
  node.add_input("x");
  node.add_attribute()->mutable_t()->add_float_data(1);
  const std::string whole = attribute.serialize();
  int read = 0;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const std::string cut(whole.data(), size);  // so that a sanitizer knows its end
    read += AttributeProto().parse(cut) ? 1 : 0;
  }
  EXPECT_EQ(read, 3);  // nothing, the name, and all of it
}

TEST(Message, DeepMessagesAndGroupsAreRefused) {
  // Three messages deeper with every step: a node, its attribute and its graph.
  const auto nested = [](int steps) {
    std::string graph;
    for (int i = 0; i < steps; ++i) graph = len(1, len(5, len(6, graph)));
    return graph;
  };
  EXPECT_TRUE(GraphProto().parse(nested(33)));
  EXPECT_FALSE(GraphProto().parse(nested(34)));
  const auto groups = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text = bytes({0x9b, 0x06}) + text + bytes({0x9c, 0x06});
    return text;
  };
  EXPECT_TRUE(GraphProto().parse(groups(100)));
  EXPECT_FALSE(GraphProto().parse(groups(101)));
  EXPECT_FALSE(GraphProto().parse(std::string(1'000'000, '\x9b') + '\x06'));
}

TEST(Message, IsWrittenPieceByPiece) {
  ModelProto model;
  for (int i = 0; i < 50; ++i)
    model.mutable_graph()->add_initializer()->set_raw_data(std::string(9999, 'x'));
  std::string written;
  std::size_t longest = 0;
  WireWriter out([&](std::string_view piece) {
    written += piece;
    longest = std::max(longest, piece.size());
  });
  model.serialize_to(out);
  EXPECT_EQ(written, model.serialize());
  EXPECT_LE(longest, std::size_t{1} << 16);
}

}  // namespace
}  // namespace windrow::internal::pb
