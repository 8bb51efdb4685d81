#include "src/formats/onnx/tensor_proto.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "src/formats/onnx/model_fixture.h"
#include "src/formats/onnx/onnx_files.h"
#include "src/formats/test_support.h"
#include "src/models/types.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 60;

pb::TensorProto proto_of(DType type, const std::vector<std::int64_t>& dims) {
  pb::TensorProto proto;
  proto.set_name("w");
  proto.set_data_type(onnx_of_dtype(type));
  for (const std::int64_t dim : dims) proto.add_dims(dim);
  return proto;
}

Result<Tensor> read(const pb::TensorProto& proto) {
  ExternalData external(ExternalFolder("."));
  return read_tensor(proto, external);
}

template <class T>
std::vector<T> bits(const Tensor& tensor) {
  const auto* const data = static_cast<const T*>(tensor.data());
  return {data, data + tensor.byte_count() / static_cast<std::int64_t>(sizeof(T))};
}

// Those that ONNX has a number for.
std::vector<DType> onnx_dtypes() {
  std::vector<DType> types = all_dtypes();
  std::erase_if(types, [](DType type) { return type == DType::kUint1 || type == DType::kNF4; });
  return types;
}

TEST(TensorProto, TypeNumbersAreTheSpecifications) {
  EXPECT_EQ(onnx_of_dtype(DType::kFloat32), 1);
  EXPECT_EQ(onnx_of_dtype(DType::kString), 8);
  EXPECT_EQ(onnx_of_dtype(DType::kBFloat16), 16);
  EXPECT_EQ(onnx_of_dtype(DType::kFloat8E5M2FNUZ), 20);
  EXPECT_EQ(onnx_of_dtype(DType::kUint4), 21);
  EXPECT_EQ(onnx_of_dtype(DType::kFloat8E8M0), 24);
  EXPECT_EQ(onnx_of_dtype(DType::kUint2), 25);
  for (const DType type : onnx_dtypes()) EXPECT_EQ(dtype_of_onnx(onnx_of_dtype(type)), type);
  for (const int id : {-1, 0, 26, 27, 1000}) EXPECT_EQ(dtype_of_onnx(id), DType::kAbsent);
}

TEST(TensorProto, RefusesTypesThatOnnxLacks) {
  const Result<pb::TensorProto> proto = make_tensor_proto(sample(DType::kNF4, {3}), "w");
  ASSERT_FALSE(proto.ok());
  EXPECT_EQ(proto.error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(proto.error().message(), "ONNX has no element type nf4");
}

TEST(TensorProto, RoundTripsEveryType) {
  for (const DType type : onnx_dtypes()) {
    for (const Shape& shape : {Shape{}, Shape{5}, Shape{2, 3}, Shape{0, 3}}) {
      SCOPED_TRACE(std::string(dtype_name(type)) + to_string(shape));
      const Tensor tensor = sample(type, shape);
      const Result<pb::TensorProto> proto = make_tensor_proto(tensor, "w");
      ASSERT_TRUE(proto.ok());
      const Result<Tensor> read_back = read(*proto);
      ASSERT_TRUE(read_back.ok()) << read_back.error().message();
      EXPECT_TRUE(same_bits(tensor, *read_back));
    }
  }
}

TEST(TensorProto, ReadsInt32Data) {
  const auto read_entries = [](DType type, std::vector<int> entries, std::int64_t elements) {
    pb::TensorProto proto = proto_of(type, {elements});
    for (const int entry : entries) proto.add_int32_data(entry);
    return read(proto);
  };
  EXPECT_EQ(bits<std::int32_t>(read_entries(DType::kInt32, {-5, 7}, 2).value()),
            (std::vector<std::int32_t>{-5, 7}));
  EXPECT_EQ(bits<std::int16_t>(read_entries(DType::kInt16, {-32768, 32767}, 2).value()),
            (std::vector<std::int16_t>{-32768, 32767}));
  EXPECT_EQ(bits<std::int8_t>(read_entries(DType::kInt8, {-128, 127}, 2).value()),
            (std::vector<std::int8_t>{-128, 127}));
  EXPECT_EQ(bits<std::uint8_t>(read_entries(DType::kUint8, {0, 255}, 2).value()),
            (std::vector<std::uint8_t>{0, 255}));
  EXPECT_EQ(bits<std::uint8_t>(read_entries(DType::kBool, {1, 0}, 2).value()),
            (std::vector<std::uint8_t>{1, 0}));
  for (const DType type : {DType::kUint16, DType::kFloat16, DType::kBFloat16})
    EXPECT_EQ(bits<std::uint16_t>(read_entries(type, {0x3c00, 0xffff}, 2).value()),
              (std::vector<std::uint16_t>{0x3c00, 0xffff}));
  for (const DType type : {DType::kFloat8E4M3FN, DType::kFloat8E5M2, DType::kFloat8E8M0})
    EXPECT_EQ(bits<std::uint8_t>(read_entries(type, {0x38, 0xff}, 2).value()),
              (std::vector<std::uint8_t>{0x38, 0xff}));
  // Two 4-bit values to an entry.
  for (const DType type : {DType::kInt4, DType::kUint4, DType::kFloat4E2M1})
    EXPECT_EQ(bits<std::uint8_t>(read_entries(type, {0x21, 0x03}, 3).value()),
              (std::vector<std::uint8_t>{0x21, 0x03}));
  // Four 2-bit values to an entry.
  EXPECT_EQ(bits<std::uint8_t>(read_entries(DType::kUint2, {0xe4, 0x03}, 5).value()),
            (std::vector<std::uint8_t>{0xe4, 0x03}));
  EXPECT_FALSE(read_entries(DType::kUint2, {0xe4}, 5).ok());
  EXPECT_FALSE(read_entries(DType::kUint2, {0xe4, 0x03, 0}, 5).ok());

  EXPECT_FALSE(read_entries(DType::kInt16, {32768}, 1).ok());
  EXPECT_FALSE(read_entries(DType::kInt8, {-129}, 1).ok());
  EXPECT_FALSE(read_entries(DType::kUint8, {-1}, 1).ok());
  EXPECT_FALSE(read_entries(DType::kBool, {2}, 1).ok());
  EXPECT_FALSE(read_entries(DType::kFloat16, {65536}, 1).ok());
  EXPECT_FALSE(read_entries(DType::kUint4, {256}, 1).ok());
  EXPECT_FALSE(read_entries(DType::kUint4, {1, 2, 3}, 3).ok());
}

TEST(TensorProto, ReadsTheOtherTypedFields) {
  pb::TensorProto floats = proto_of(DType::kFloat32, {2});
  floats.add_float_data(1.5F);
  floats.add_float_data(std::numeric_limits<float>::infinity());
  EXPECT_EQ(bits<float>(read(floats).value()),
            (std::vector<float>{1.5F, std::numeric_limits<float>::infinity()}));
  floats.set_data_type(onnx_of_dtype(DType::kComplex64));
  floats.set_dims(0, 1);
  EXPECT_EQ(bits<float>(read(floats).value())[0], 1.5F);

  pb::TensorProto doubles = proto_of(DType::kComplex128, {1});
  doubles.add_double_data(-2);
  doubles.add_double_data(std::nan(""));
  EXPECT_EQ(bits<double>(read(doubles).value())[0], -2);

  pb::TensorProto integers = proto_of(DType::kInt64, {1});
  integers.add_int64_data(std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(bits<std::int64_t>(read(integers).value())[0],
            std::numeric_limits<std::int64_t>::min());

  pb::TensorProto naturals = proto_of(DType::kUint64, {1});
  naturals.add_uint64_data(~std::uint64_t{0});
  EXPECT_EQ(bits<std::uint64_t>(read(naturals).value())[0], ~std::uint64_t{0});
  naturals.set_data_type(onnx_of_dtype(DType::kUint32));
  EXPECT_FALSE(read(naturals).ok());
  naturals.set_uint64_data(0, 0xffffffff);
  EXPECT_EQ(bits<std::uint32_t>(read(naturals).value())[0], 0xffffffffU);

  pb::TensorProto texts = proto_of(DType::kString, {2});
  texts.add_string_data("a");
  texts.add_string_data(std::string("\0\xff", 2));
  EXPECT_EQ(read(texts).value().values<std::string>()[1], std::string("\0\xff", 2));
}

TEST(TensorProto, ErrorsNameTheTensorAndWhatIsWanted) {
  pb::TensorProto proto = proto_of(DType::kFloat32, {2, 3});
  proto.set_raw_data(std::string(20, 'x'));
  EXPECT_EQ(read(proto).error().message(),
            "tensor 'w': float32[2, 3] needs 24 bytes of raw_data, found 20");
  proto.clear_raw_data();
  EXPECT_EQ(read(proto).error().message(),
            "tensor 'w': float32[2, 3] needs 6 entries of float_data, found 0");
  proto.add_int32_data(1);
  EXPECT_EQ(read(proto).error().message(),
            "tensor 'w': elements of float32 stand in float_data or raw_data, found int32_data");
  proto.set_raw_data(std::string(24, 'x'));
  EXPECT_EQ(read(proto).error().message(), "tensor 'w': it has raw_data and int32_data");
}

TEST(TensorProto, RefusesWhatIsNoTensorHere) {
  EXPECT_EQ(read(pb::TensorProto()).error().code(), ErrorCode::kFormat);
  pb::TensorProto unknown = proto_of(DType::kFloat32, {});
  for (const int id : {26, 27, 99, -1}) {
    unknown.set_data_type(id);
    EXPECT_EQ(read(unknown).error().code(), ErrorCode::kUnsupported) << id;
  }
  pb::TensorProto segment = proto_of(DType::kInt8, {1});
  segment.mutable_segment()->set_end(1);
  segment.set_raw_data("x");
  EXPECT_EQ(read(segment).error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(read(proto_of(DType::kInt8, {-1})).error().code(), ErrorCode::kFormat);
  EXPECT_EQ(read(proto_of(DType::kInt8, std::vector<std::int64_t>(33, 1))).error().code(),
            ErrorCode::kShape);
  pb::TensorProto raw_text = proto_of(DType::kString, {1});
  raw_text.set_raw_data("x");
  EXPECT_EQ(read(raw_text).error().code(), ErrorCode::kFormat);
}

TEST(TensorProto, RefusesSizesWithoutElements) {
  for (const DType type : onnx_dtypes()) {
    for (const auto& dims : std::vector<std::vector<std::int64_t>>{{kHuge}, {kHuge, kHuge}}) {
      pb::TensorProto proto = proto_of(type, dims);
      EXPECT_EQ(read(proto).error().code(), ErrorCode::kFormat) << dtype_name(type);
      if (type != DType::kString) proto.set_raw_data("x");
      EXPECT_EQ(read(proto).error().code(), ErrorCode::kFormat) << dtype_name(type);
    }
  }
  EXPECT_TRUE(read(proto_of(DType::kInt8, {kHuge, 0, kHuge})).ok());
}

TEST(TensorProto, RefusesAFileCutAnywhere) {
  for (const DType type : {DType::kInt32, DType::kString}) {
    pb::TensorProto proto = make_tensor_proto(sample(type, {2, 3}), "").value();
    const std::string bytes = proto.serialize();
    ASSERT_TRUE(parse_tensor(bytes, ".").ok());
    for (std::size_t length = 0; length < bytes.size(); ++length)
      EXPECT_FALSE(parse_tensor(bytes.substr(0, length), ".").ok()) << length;
  }
}

}  // namespace
}  // namespace windrow::internal
