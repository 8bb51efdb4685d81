#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "src/formats/onnx/model_fixture.h"
#include "src/formats/onnx/model_read.h"
#include "src/formats/onnx/onnx_files.h"
#include "src/formats/onnx/tensor_proto.h"
#include "src/formats/test_support.h"
#include "windrow/models.h"

namespace windrow::internal {
namespace {

std::shared_ptr<const Tensor> shared(Tensor tensor) {
  return std::make_shared<const Tensor>(std::move(tensor));
}

// table [1000, 4] -> Gather by indices [N].
Model embedding() {
  Model model;
  model.opset_imports[""] = 13;
  model.inputs = {{"indices", DType::kInt64, std::vector<Dim>{{-1, "N"}, {-1, ""}}}};
  model.outputs = {{"rows", DType::kFloat32, std::vector<Dim>{{-1, "N"}, {-1, ""}, {4, ""}}}};
  model.constants["table"] = shared(sample(DType::kFloat32, {1000, 4}));
  model.nodes.push_back({"emb", "", "Gather", {"table", "indices"}, {"rows"}, {}, ""});
  model.nodes.back().attributes["axis"] = std::int64_t{0};
  return model;
}

TEST(OnnxModel, RoundTrips) {
  const TestFolder folder;
  for (const std::string external : {"", "m.data"}) {
    const Model model = embedding();
    ASSERT_TRUE(save_model(model, folder / "m.onnx", external).ok());
    const Result<Model> loaded = load_model(folder / "m.onnx");
    ASSERT_TRUE(loaded.ok()) << loaded.error().message();
    EXPECT_EQ(loaded->opset_imports, model.opset_imports);
    EXPECT_EQ(to_string(loaded->inputs.at(0)), "int64[N, ?]");
    EXPECT_EQ(to_string(loaded->outputs.at(0)), "float32[N, ?, 4]");
    EXPECT_EQ(loaded->nodes.at(0).name, "emb");
    EXPECT_EQ(loaded->nodes.at(0).inputs, model.nodes.at(0).inputs);
    EXPECT_EQ(loaded->nodes.at(0).attributes, model.nodes.at(0).attributes);
    EXPECT_TRUE(
        same_bits(elements(loaded->constants.at("table")), elements(model.constants.at("table"))));
  }
  EXPECT_EQ(files_in(folder), (std::vector<std::string>{"m.data", "m.onnx"}));
  EXPECT_EQ(std::filesystem::file_size(folder / "m.data"), 16000U);
  EXPECT_LT(std::filesystem::file_size(folder / "m.onnx"), 500U);
}

TEST(OnnxModel, ExternalTensorsBeginOnPagesAndSmallOnesStay) {
  const TestFolder folder;
  Model model = embedding();
  model.constants["bytes"] = shared(sample(DType::kInt4, {2049}));
  model.constants["small"] = shared(sample(DType::kUint8, {1023}));
  model.constants["texts"] = shared(sample(DType::kString, {100}));
  ASSERT_TRUE(save_model(model, folder / "m.onnx", "m.data").ok());
  EXPECT_EQ(std::filesystem::file_size(folder / "m.data"), 4096U + 16000U);
  const Model loaded = load_model(folder / "m.onnx").value();
  for (const auto& [name, constant] : model.constants)
    EXPECT_TRUE(same_bits(elements(loaded.constants.at(name)), elements(constant))) << name;
}

TEST(OnnxModel, ExternalDataNeedsAFileNameOfItsOwn) {
  const TestFolder folder;
  for (const std::string name : {"../m.data", "sub/m.data", "/tmp/m.data", "..", ".", "m.onnx"})
    EXPECT_EQ(save_model(embedding(), folder / "m.onnx", name).code(), ErrorCode::kInvalidArgument)
        << name;
  EXPECT_TRUE(files_in(folder).empty());
}

TEST(OnnxModel, KeepsEveryKindOfAttribute) {
  Model model = embedding();
  Attributes& attributes = model.nodes[0].attributes;
  attributes["f"] = 1.5;
  attributes["s"] = std::string("text");
  attributes["is"] = std::vector<std::int64_t>{1, -2};
  attributes["fs"] = std::vector<double>{0.5, -3};
  attributes["ss"] = std::vector<std::string>{"", "b"};
  attributes["none"] = std::vector<std::int64_t>{};
  attributes["t"] = shared(sample(DType::kBFloat16, {3}));
  const Model loaded = read(proto_of([&] {
                         Model plain = model;
                         plain.constants.clear();
                         plain.inputs.push_back({"table", DType::kAbsent, std::nullopt});
                         return plain;
                       }()))
                           .value();
  Attributes read_back = loaded.nodes.at(0).attributes;
  const auto tensor = std::get<std::shared_ptr<const Tensor>>(read_back.at("t"));
  EXPECT_TRUE(same_bits(*tensor, sample(DType::kBFloat16, {3})));
  read_back.erase("t");
  attributes.erase("t");
  EXPECT_EQ(read_back, attributes);
}

TEST(OnnxModel, RefusesAFileCutAnywhere) {
  const TestFolder folder;
  Model model = embedding();
  ASSERT_TRUE(save_model(model, folder / "m.onnx", "m.data").ok());
  const std::string bytes = read_bytes(folder / "m.onnx");
  ASSERT_TRUE(parse_onnx(bytes, folder.path()).ok());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(parse_onnx(bytes.substr(0, length), folder.path()).ok()) << length;
}

TEST(OnnxModel, SurvivesAnyChangedByte) {
  const TestFolder folder;
  ASSERT_TRUE(save_model(embedding(), folder / "m.onnx", "m.data").ok());
  const std::string good = read_bytes(folder / "m.onnx");
  int loaded = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int change : {1, 2, 4, 8, 16, 32, 64, 128}) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(bytes[at] ^ change);
      if (parse_onnx(bytes, folder.path()).ok()) ++loaded;
    }
  }
  EXPECT_GT(loaded, 0);  // letters in names
  EXPECT_LT(loaded, static_cast<int>(8 * good.size()));
}

TEST(OnnxModel, SaysWhatIsNoModel) {
  const TestFolder folder;
  write_bytes(folder / "empty.onnx", "");
  write_bytes(folder / "text.onnx", "this is no model at all");
  write_bytes(folder / "tensor.onnx", std::string("\x08\x02", 2));  // a valid message without graph
  struct Row {
    const char* name;
    ErrorCode code;
    const char* text;
  };
  for (const Row& row :
       {Row{"absent.onnx", ErrorCode::kIo, "No such file"}, Row{"", ErrorCode::kIo, "is a folder"},
        Row{"empty.onnx", ErrorCode::kFormat, "the file is empty"},
        Row{"text.onnx", ErrorCode::kFormat, "not a valid protobuf message"},
        Row{"tensor.onnx", ErrorCode::kFormat, "no graph"}}) {
    const Status error = load_model(folder / row.name).error();
    EXPECT_EQ(error.code(), row.code) << row.name;
    EXPECT_NE(error.message().find(row.text), std::string::npos) << error.message();
  }
}

TEST(OnnxModel, RefusesTypesThatOnnxLacks) {
  const TestFolder folder;
  Model constant = embedding();
  constant.constants["table"] = shared(sample(DType::kUint1, {10000, 4}));
  Model input = embedding();
  input.inputs[0].dtype = DType::kNF4;
  for (const Model& model : {constant, input}) {
    const Status status = save_model(model, folder / "m.onnx", "m.data");
    EXPECT_EQ(status.code(), ErrorCode::kUnsupported);
    EXPECT_NE(status.message().find("ONNX has no element type"), std::string::npos);
  }
  EXPECT_TRUE(files_in(folder).empty());
}

TEST(OnnxModel, RefusesFilesBeyondProtobufsLimit) {
  const TestFolder folder;
  write_bytes(folder / "m.onnx", "");
  std::filesystem::resize_file(folder / "m.onnx", std::uintmax_t{1} << 31);  // takes no space
  const Status error = load_model(folder / "m.onnx").error();
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_NE(error.message().find("2 GiB"), std::string::npos) << error.message();
}

TEST(OnnxModel, InitializersThatAreInputsAreDefaults) {
  pb::ModelProto proto = two_inputs();
  *proto.mutable_graph()->add_initializer() =
      make_tensor_proto(sample(DType::kInt8, {2}), "w").value();
  const Model model = read(proto).value();
  ASSERT_EQ(model.inputs.size(), 1U);
  EXPECT_EQ(model.inputs[0].name, "x");
  ASSERT_EQ(model.default_inputs.size(), 1U);
  EXPECT_EQ(model.default_inputs[0].name, "w");
  EXPECT_TRUE(model.constants.contains("w"));
}

TEST(OnnxModel, UnnamedNodesGetNamesAndDomainsOneSpelling) {
  pb::ModelProto proto = two_inputs();
  add_node(proto, "Identity", "x", "y").set_domain("ai.onnx");
  add_node(proto, "Gather", "y", "z").add_input("");
  proto.mutable_opset_import(0)->set_domain("ai.onnx");
  const Model model = read(proto).value();
  EXPECT_EQ(model.nodes.at(0).name, "Identity_0");
  EXPECT_EQ(model.nodes.at(0).domain, "");
  EXPECT_EQ(model.nodes.at(1).name, "Gather_1");
  EXPECT_EQ(model.nodes.at(1).inputs, (std::vector<std::string>{"y", ""}));
  EXPECT_EQ(model.opset_imports.at(""), 13);
}

TEST(OnnxModel, NodesThatCannotBeRepresentedAreMarked) {
  pb::ModelProto proto = two_inputs();
  pb::AttributeProto& body = *add_node(proto, "Loop", "x", "y").add_attribute();
  body.set_name("body");
  body.set_type(pb::AttributeProto::kGraph);
  body.mutable_g();
  pb::AttributeProto& value = *add_node(proto, "Constant", "x", "c").add_attribute();
  value.set_name("value");
  value.set_type(pb::AttributeProto::kTensor);
  value.mutable_t()->set_data_type(26);
  add_node(proto, "Gather", "x", "z").set_domain("mine");
  proto.add_functions()->set_name("Gather");
  proto.mutable_functions(0)->set_domain("mine");
  proto.add_opset_import()->set_domain("mine");
  proto.mutable_opset_import(1)->set_version(1);
  const Result<Model> model = read(proto);
  ASSERT_TRUE(model.ok()) << model.error().message();
  ASSERT_EQ(model->nodes.at(0).bodies.size(), 1U);
  EXPECT_EQ(model->nodes.at(0).bodies[0].attribute, "body");
  EXPECT_NE(model->nodes.at(1).unsupported.find("26"), std::string::npos);
  EXPECT_NE(model->nodes.at(2).unsupported.find("function"), std::string::npos);
  EXPECT_EQ(proto_of(*model).graph().node(1).attribute(0).t().data_type(), 26);
}

TEST(OnnxModel, RefusesGraphsThatDoNotHold) {
  const auto message = [](const pb::ModelProto& proto) {
    const Status error = read(proto).error();
    EXPECT_EQ(error.code(), ErrorCode::kFormat);
    return error.message();
  };
  pb::ModelProto unordered = two_inputs();
  add_node(unordered, "Identity", "y", "z").set_name("n");
  add_node(unordered, "Identity", "x", "y");
  EXPECT_EQ(message(unordered), "node 'n': input 'y' is not defined before the node");

  pb::ModelProto twice = two_inputs();
  add_node(twice, "Identity", "x", "w").set_name("n");
  EXPECT_EQ(message(twice), "node 'n': output 'w' is defined a second time");

  pb::ModelProto open = two_inputs();
  open.mutable_graph()->add_output()->set_name("y");
  EXPECT_EQ(message(open), "the output 'y' is not defined");

  pb::ModelProto no_opset = two_inputs();
  no_opset.clear_opset_import();
  EXPECT_NE(message(no_opset).find("opset"), std::string::npos);

  pb::ModelProto two_opsets = two_inputs();
  two_opsets.add_opset_import()->set_version(14);
  EXPECT_NE(message(two_opsets).find("two opset imports"), std::string::npos);

  pb::ModelProto untyped = two_inputs();
  add_node(untyped, "Gather", "x", "y").add_attribute()->set_name("axis");
  EXPECT_NE(message(untyped).find("attribute 'axis': it has no type"), std::string::npos);
}

TEST(OnnxModel, RanksThatNoTensorHasAreUnknown) {
  for (const int rank : {kMaxRank, kMaxRank + 1}) {
    pb::ModelProto proto = two_inputs();
    auto& type = *proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type();
    type.set_elem_type(pb::TensorProto::kFloat);
    for (int i = 0; i < rank; ++i) type.mutable_shape()->add_dim()->set_dim_value(1);
    const Model model = read(proto).value();
    EXPECT_EQ(model.inputs[0].dtype, DType::kFloat32);
    EXPECT_EQ(model.inputs[0].dims.has_value(), rank == kMaxRank);
  }
}

}  // namespace
}  // namespace windrow::internal
