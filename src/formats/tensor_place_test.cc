#include "src/formats/tensor_place.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/formats/byte_source.h"
#include "src/formats/npy/npy.h"
#include "src/formats/onnx/model_fixture.h"
#include "src/formats/openvino_ir/ir_fixture.h"
#include "src/formats/openvino_ir/ir_text.h"
#include "src/formats/safetensors/safetensors.h"
#include "src/formats/test_support.h"
#include "src/models/types.h"
#include "windrow/models.h"
#include "windrow/tensor_archive.h"

namespace windrow::internal {
namespace {

namespace fs = std::filesystem;

// The elements at a place, read from its file.
Tensor tensor_at(const TensorPlace& place) {
  Tensor tensor = Tensor::zeros(place.dtype, place.shape).value();
  const FileSource file = FileSource::open(place.path).value();
  EXPECT_TRUE(file.read(place.first_byte, tensor.data(), tensor.byte_count()).ok());
  return tensor;
}

TensorPlace only_place(const fs::path& path, const std::string& name,
                       DType expected = DType::kAbsent) {
  const std::vector<TensorPlace> places = find_tensor(path, name, expected).value();
  EXPECT_EQ(places.size(), 1U);
  return places.front();
}

void expect_at(const fs::path& path, const std::string& name, const Tensor& tensor) {
  const TensorPlace place = only_place(path, name, tensor.dtype());
  EXPECT_TRUE(same_bits(tensor_at(place), tensor)) << path << " " << name;
}

void expect_refused(const fs::path& path, const std::string& name, ErrorCode code,
                    const std::vector<std::string>& parts) {
  const Status status = find_tensor(path, name).error();
  EXPECT_EQ(status.code(), code) << status.message();
  for (const std::string& part : parts)
    EXPECT_NE(status.message().find(part), std::string::npos) << part << "\n" << status.message();
}

// Damages a file in many ways: each time find_tensor() gives an error, or places inside the file
// that it names.
void expect_no_mutant_escapes(const fs::path& path, const std::string& name) {
  const std::string whole = read_bytes(path);
  const auto check = [&](const std::string& bytes) {
    write_bytes(path, bytes);
    const auto places = find_tensor(path, name);
    for (std::size_t i = 0; places && i < places->size(); ++i) {
      const TensorPlace& place = (*places)[i];
      const auto end = static_cast<std::int64_t>(fs::file_size(place.path));
      const std::int64_t needed = dense_byte_count(place.dtype, place.shape).value();
      EXPECT_TRUE(check_range(place.first_byte, needed, end).ok()) << path;
    }
  };
  for (std::size_t i = 0; i < whole.size(); ++i) {
    check(whole.substr(0, i));
    for (const int flipped : {0x01, 0xff}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ flipped);
      check(bytes);
    }
  }
  write_bytes(path, whole);
}

// The types that stand in a file as they do in memory.
std::vector<DType> fixed_dtypes(bool packed) {
  std::vector<DType> types = all_dtypes();
  std::erase_if(types, [packed](DType type) {
    return type == DType::kString || (!packed && is_packed(type));
  });
  return types;
}

NamedTensors two_tensors(DType type) {
  NamedTensors tensors;
  tensors.emplace_back("a", sample(type, {3}));
  tensors.emplace_back("b", sample(type, {2, 4}));
  return tensors;
}

TEST(TensorPlace, NpyOfEveryType) {
  const TestFolder folder;
  for (const DType type : fixed_dtypes(false)) {
    const Tensor tensor = sample(type, {3, 5});
    ASSERT_TRUE(save_tensor(tensor, folder / "t.npy").ok());
    expect_at(folder / "t.npy", "", tensor);
  }
}

TEST(TensorPlace, NpyInOrdersThatAreNotRowMajor) {
  const TestFolder folder;
  const auto write = [&](const std::string& shape, std::size_t bytes) {
    std::string file = make_npy_header("<i2", {});
    const std::string dict = "{'descr': '<i2', 'fortran_order': True, 'shape': (" + shape + "), }";
    std::string header = file.substr(0, 10);
    const std::string blanks(file.size() < dict.size() + 11 ? 64 : 0, ' ');
    header[8] = static_cast<char>(dict.size() + blanks.size() + 1);
    header[9] = 0;
    write_bytes(folder / "f.npy", header + dict + blanks + "\n" + std::string(bytes, '\7'));
  };
  for (const auto& [shape, bytes] : std::vector<std::pair<std::string, std::size_t>>{
           {"", 2}, {"3,", 6}, {"1, 3, 1", 6}, {"0, 4, 5", 0}}) {
    write(shape, bytes);
    expect_at(folder / "f.npy", "", load_tensor(folder / "f.npy").value());
  }
  write("2, 3", 12);
  expect_refused(folder / "f.npy", "", ErrorCode::kUnsupported, {"f.npy'", "Fortran order"});
}

TEST(TensorPlace, NpyThatIsNotInMemoryForm) {
  const TestFolder folder;
  ASSERT_TRUE(save_tensor(sample(DType::kString, {2}), folder / "s.npy").ok());
  expect_refused(folder / "s.npy", "", ErrorCode::kUnsupported, {"s.npy'", "strings"});
  ASSERT_TRUE(save_tensor(sample(DType::kInt4, {4}), folder / "p.npy").ok());
  EXPECT_EQ(only_place(folder / "p.npy", "").dtype, DType::kInt8);
  EXPECT_EQ(find_tensor(folder / "p.npy", "", DType::kInt4).error().code(),
            ErrorCode::kUnsupported);
  write_bytes(folder / "b.npy", make_npy_header(">i4", {1}) + "1234");
  expect_refused(folder / "b.npy", "", ErrorCode::kUnsupported, {"big-endian"});
  write_bytes(folder / "c.npy", make_npy_header("<i4", {2}) + "1234");
  expect_refused(folder / "c.npy", "", ErrorCode::kFormat, {"c.npy'", "needs 8 bytes"});
  expect_refused(folder / "c.npy", "x", ErrorCode::kInvalidArgument, {"c.npy'", "'x'"});
  expect_refused(folder / "none.npy", "", ErrorCode::kIo, {"none.npy'"});
  expect_refused(folder / "none.pb", "", ErrorCode::kUnsupported, {"none.pb'", ".safetensors"});
}

TEST(TensorPlace, ArchivesOfEveryType) {
  const TestFolder folder;
  for (const DType type : fixed_dtypes(false)) {
    for (const std::string file : {"t.npz", "t.safetensors"}) {
      if (file == "t.safetensors" && safetensors_name(type).empty()) continue;
      const NamedTensors tensors = two_tensors(type);
      ASSERT_TRUE(save_tensors(tensors, folder / file).ok());
      for (const auto& [name, tensor] : tensors) {
        expect_at(folder / file, name, tensor);
        EXPECT_EQ(only_place(folder / file, name, type).name, name);
      }
    }
  }
}

TEST(TensorPlace, ArchivesNameTheirTensors) {
  const TestFolder folder;
  for (const std::string file : {"t.npz", "t.safetensors"}) {
    ASSERT_TRUE(save_tensors(two_tensors(DType::kFloat32), folder / file).ok());
    expect_refused(folder / file, "", ErrorCode::kInvalidArgument, {file, "2 tensors: a, b"});
    expect_refused(folder / file, "c", ErrorCode::kInvalidArgument, {file, "'c'", "a, b"});
    NamedTensors single;
    single.emplace_back("only", sample(DType::kInt64, {0, 4}));
    ASSERT_TRUE(save_tensors(single, folder / file).ok());
    EXPECT_EQ(only_place(folder / file, "").name, "only");
    EXPECT_EQ(only_place(folder / file, "").shape, (Shape{0, 4}));
  }
}

// A model of the initializer `w`, a Constant node that gives `c`, and their tensors.
pb::ModelProto model_of(const Tensor& w, const Tensor& c) {
  pb::ModelProto proto = two_inputs();
  proto.mutable_graph()->mutable_input()->truncate(1);
  *proto.mutable_graph()->add_initializer() = make_tensor_proto(w.view(), "w").value();
  pb::NodeProto& node = add_node(proto, "Constant", "", "c");
  node.clear_input();
  pb::AttributeProto& value = *node.add_attribute();
  value.set_name("value");
  value.set_type(pb::AttributeProto::kTensor);
  *value.mutable_t() = make_tensor_proto(c.view(), "").value();
  return proto;
}

void write_model(const pb::ModelProto& proto, const fs::path& path) {
  write_bytes(path, proto.serialize());
}

TEST(TensorPlace, OnnxElementsInTheModelsFile) {
  const TestFolder folder;
  for (const DType type : fixed_dtypes(true)) {
    if (!make_tensor_proto(sample(type, {8}).view(), "")) continue;
    for (const std::int64_t rows : {1, 300}) {
      const Tensor w = sample(type, {rows, 8});
      const Tensor c = sample(type, {8, rows, 1});
      write_model(model_of(w, c), folder / "m.onnx");
      ASSERT_TRUE(load_model(folder / "m.onnx").ok());
      expect_at(folder / "m.onnx", "w", w);
      expect_at(folder / "m.onnx", "c", c);
      EXPECT_EQ(only_place(folder / "m.onnx", "c").path, folder / "m.onnx");
    }
  }
}

TEST(TensorPlace, OnnxExternalData) {
  const TestFolder folder;
  for (const DType type : {DType::kFloat32, DType::kBFloat16, DType::kInt4, DType::kUint8}) {
    Model model = read(model_of(sample(type, {600, 8}), sample(type, {8}))).value();
    const Tensor more = sample(type, {3, 1000});
    model.constants.emplace("v", Constant(more.clone().value()));
    ASSERT_TRUE(save_model(model, folder / "m.onnx", "m.data").ok());
    expect_at(folder / "m.onnx", "w", sample(type, {600, 8}));
    expect_at(folder / "m.onnx", "v", more);
    EXPECT_EQ(only_place(folder / "m.onnx", "v").path, fs::canonical(folder / "m.data"));
    EXPECT_EQ(only_place(folder / "m.onnx", "v").name, "v");
  }
}

TEST(TensorPlace, OnnxExternalDataIsChecked) {
  const TestFolder folder;
  const TestFolder outside;
  write_bytes(folder / "d", std::string(100, '\1'));
  write_bytes(outside / "d", std::string(100, '\1'));
  fs::create_symlink(outside / "d", folder / "link");
  using Entries = std::vector<std::pair<std::string, std::string>>;
  const auto refuse = [&](const Entries& entries, ErrorCode code, const std::string& part) {
    pb::ModelProto proto = model_of(sample(DType::kInt32, {5, 2}), sample(DType::kInt32, {2}));
    pb::TensorProto& w = *proto.mutable_graph()->mutable_initializer(0);
    w.clear_raw_data();
    set_external(entries, w);
    write_model(proto, folder / "m.onnx");
    expect_refused(folder / "m.onnx", "w", code, {"m.onnx'", "tensor 'w'", part});
    EXPECT_EQ(load_model(folder / "m.onnx").error().code(), code);
  };
  refuse({{"location", "d"}, {"offset", "61"}}, ErrorCode::kFormat, "int32[5, 2]");
  refuse({{"location", "d"}, {"offset", "9223372036854775807"}}, ErrorCode::kFormat, "'d'");
  refuse({{"location", "d"}, {"offset", "-4"}}, ErrorCode::kFormat, "offset '-4'");
  refuse({{"location", "d"}, {"length", "44"}}, ErrorCode::kFormat, "needs 40 bytes");
  refuse({{"location", "../x"}}, ErrorCode::kFormat, "'..'");
  refuse({{"location", (folder / "d").string()}}, ErrorCode::kFormat, "absolute");
  refuse({{"location", "link"}}, ErrorCode::kFormat, "leaves");
  refuse({{"location", "none"}}, ErrorCode::kIo, "none");
}

TEST(TensorPlace, OnnxThatHasNoSuchPlace) {
  const TestFolder folder;
  pb::ModelProto proto = model_of(sample(DType::kString, {2}), sample(DType::kInt4, {3}));
  pb::TensorProto& typed = *proto.mutable_graph()->add_initializer();
  typed.set_name("typed");
  typed.set_data_type(pb::TensorProto::kInt32);
  typed.add_dims(1);
  typed.add_int32_data(7);
  *proto.mutable_graph()->add_initializer() = typed;
  proto.mutable_graph()->mutable_initializer(2)->set_name("twice");
  *proto.mutable_graph()->add_initializer() = proto.graph().initializer(2);
  write_model(proto, folder / "m.onnx");
  expect_refused(folder / "m.onnx", "w", ErrorCode::kUnsupported, {"m.onnx'", "'w'", "strings"});
  expect_refused(folder / "m.onnx", "c", ErrorCode::kUnsupported, {"'c'", "int4[3]"});
  expect_refused(folder / "m.onnx", "typed", ErrorCode::kUnsupported, {"external data"});
  expect_refused(folder / "m.onnx", "twice", ErrorCode::kInvalidArgument, {"several"});
  expect_refused(folder / "m.onnx", "W", ErrorCode::kInvalidArgument, {"'W'", "w, typed", "c"});
  expect_refused(folder / "m.onnx", "", ErrorCode::kInvalidArgument, {"5 tensors"});
  write_bytes(folder / "e.onnx", "");
  expect_refused(folder / "e.onnx", "w", ErrorCode::kFormat, {"e.onnx'", "empty"});
  write_model(pb::ModelProto(), folder / "e.onnx");
  expect_refused(folder / "e.onnx", "w", ErrorCode::kFormat, {"e.onnx'", "empty"});
}

Model ir_model(DType type, const Shape& shape, const TestFolder& folder) {
  const std::string text(openvino_name(type));
  const Tensor w = sample(type, shape);
  write_bytes(folder / "m.bin", "123" + std::string(static_cast<const char*>(w.data()),
                                                    static_cast<std::size_t>(w.byte_count())));
  write_bytes(folder / "m.xml",
              net(constant(0, "w", text, shape_text(shape), 3, static_cast<int>(w.byte_count())) +
                      result(1),
                  edge(0, 0, 1, 0)));
  return load_model(folder / "m.xml").value();
}

TEST(TensorPlace, OpenVinoConstants) {
  const TestFolder folder;
  for (const DType type : {DType::kFloat32, DType::kBFloat16, DType::kInt4, DType::kUint1}) {
    const Model model = ir_model(type, {2, 8}, folder);
    expect_at(folder / "m.xml", "w", elements(model.constants.at("w")));
    expect_at(folder / "m.xml", "", elements(model.constants.at("w")));
    EXPECT_EQ(only_place(folder / "m.xml", "").path, folder / "m.bin");
    ASSERT_TRUE(save_model(model, folder / "again.xml").ok());
    expect_at(folder / "again.xml", "w", elements(model.constants.at("w")));
  }
}

TEST(TensorPlace, OpenVinoConstantsByTheirTensorsNames) {
  const TestFolder folder;
  const auto named = [](int id, const std::string& name, const std::string& type,
                        const std::string& port) {
    return layer(id, name, "Const",
                 "<data" + attribute("element_type", type) + R"( shape="2" offset="0" size="8"/>)" +
                     ports("output", {output_port(0, "FP32", "names=\"" + port + "\"")}));
  };
  write_bytes(folder / "m.bin", "abcdefgh");
  write_bytes(folder / "m.xml", net(named(0, "w", "f32", "x,y") + named(1, "v", "string", "z") +
                                        named(2, "u", "f32", "z") + result(3),
                                    edge(0, 0, 3, 0)));
  EXPECT_EQ(only_place(folder / "m.xml", "y").name, "w");
  expect_refused(folder / "m.xml", "z", ErrorCode::kInvalidArgument, {"m.xml'", "several", "'z'"});
  expect_refused(folder / "m.xml", "v", ErrorCode::kUnsupported, {"m.xml'", "'v'", "strings"});
  expect_refused(folder / "m.xml", "t", ErrorCode::kInvalidArgument, {"'t'", "w, v, u"});
  write_bytes(folder / "m.bin", "abc");
  expect_refused(folder / "m.xml", "w", ErrorCode::kFormat, {"'w'", ".bin", "8 bytes from byte 0"});
  fs::remove(folder / "m.bin");
  expect_refused(folder / "m.xml", "w", ErrorCode::kIo, {"m.bin'"});
}

TEST(TensorPlace, NoDamagedFileLeadsOutsideOfIt) {
  const TestFolder folder;
  ASSERT_TRUE(save_tensor(sample(DType::kInt16, {2, 3}), folder / "t.npy").ok());
  expect_no_mutant_escapes(folder / "t.npy", "");
  for (const std::string file : {"t.npz", "t.safetensors"}) {
    ASSERT_TRUE(save_tensors(two_tensors(DType::kFloat32), folder / file).ok());
    expect_no_mutant_escapes(folder / file, "b");
  }
  const Tensor small = sample(DType::kFloat32, {4});
  const Tensor large = sample(DType::kFloat32, {1, 600});
  write_model(model_of(small, small), folder / "m.onnx");
  expect_no_mutant_escapes(folder / "m.onnx", "w");
  expect_no_mutant_escapes(folder / "m.onnx", "c");
  Model model = read(model_of(large, small)).value();
  ASSERT_TRUE(save_model(model, folder / "e.onnx", "e.data").ok());
  expect_no_mutant_escapes(folder / "e.onnx", "w");
  ir_model(DType::kFloat32, {2, 2}, folder);
  expect_no_mutant_escapes(folder / "m.xml", "w");
}

}  // namespace
}  // namespace windrow::internal
