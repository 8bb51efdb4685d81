#include "src/formats/npy/npy.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/formats/test_support.h"
#include "windrow/models.h"

namespace windrow::internal {
namespace {

// A file of format version 1.
std::string npy(const std::string& dict, std::string_view elements) {
  std::string bytes = "\x93NUMPY\x01";
  bytes += '\0';
  bytes += static_cast<char>(dict.size() & 0xff);
  bytes += static_cast<char>(dict.size() >> 8);
  return bytes + dict + std::string(elements);
}

std::string dict_of(const std::string& descr, const std::string& shape,
                    const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

Result<Tensor> read(const std::string& bytes, DType expected = DType::kAbsent) {
  return read_npy(MemorySource(bytes), expected);
}

template <class T>
std::vector<T> values(const Tensor& tensor) {
  return {tensor.values<T>().begin(), tensor.values<T>().end()};
}

using namespace std::string_literals;
using namespace std::string_view_literals;

TEST(Npy, RoundTripsEveryType) {
  const TestFolder folder;
  for (const DType type : all_dtypes()) {
    for (const Shape& shape : {Shape{}, Shape{5}, Shape{2, 3}, Shape{2, 0, 3}, Shape{1, 3, 5}}) {
      SCOPED_TRACE(std::string(dtype_name(type)) + to_string(shape));
      const Tensor tensor = sample(type, shape);
      ASSERT_TRUE(save_tensor(tensor, folder / "t.npy").ok());
      const Result<Tensor> loaded = load_tensor(folder / "t.npy", type);
      ASSERT_TRUE(loaded.ok()) << loaded.error().message();
      EXPECT_TRUE(same_bits(tensor, *loaded));
    }
  }
}

TEST(Npy, WritesNumPysOwnHeaders) {
  EXPECT_EQ(make_npy_header("<f4", {2, 3}),
            npy(dict_of("<f4", "(2, 3)") + std::string(58, ' ') + "\n", ""));
  EXPECT_EQ(make_npy_header("|b1", {3}),
            npy(dict_of("|b1", "(3,)") + std::string(60, ' ') + "\n", ""));
  EXPECT_EQ(make_npy_header("<f8", {}),
            npy(dict_of("<f8", "()") + std::string(62, ' ') + "\n", ""));
  for (std::int64_t extent = 1; extent < 1'000'000'000'000'000'000; extent *= 10) {
    const std::string header = make_npy_header("<f4", {extent, extent, extent});
    EXPECT_EQ(header.size() % 64, 0U);
    EXPECT_EQ(read_npy_header(MemorySource(header)).value().shape, (Shape{extent, extent, extent}));
  }
}

TEST(Npy, ReadsVersions2And3) {
  const std::string dict = dict_of("<i2", "(2,)");
  for (const char version : {'\x02', '\x03'}) {
    std::string bytes = "\x93NUMPY";
    bytes += version;
    bytes += '\0';
    bytes += static_cast<char>(dict.size());
    bytes += std::string(3, '\0') + dict + "\x01\x02\x03\x04";
    EXPECT_EQ(values<std::int16_t>(read(bytes).value()), (std::vector<std::int16_t>{0x201, 0x403}));
  }
}

TEST(Npy, ReadsAnyOrderOfKeysAndQuotes) {
  const std::string bytes =
      npy("{\"shape\":(2,),'fortran_order' : False, \"descr\" :'|u1'}\n", "\x05\x06");
  EXPECT_EQ(values<std::uint8_t>(read(bytes).value()), (std::vector<std::uint8_t>{5, 6}));
}

TEST(Npy, TurnsFortranOrderIntoRowMajor) {
  const Tensor bytes = read(npy(dict_of("|u1", "(2, 3)", "True"), "\1\2\3\4\5\6")).value();
  EXPECT_EQ(bytes.shape(), (Shape{2, 3}));
  EXPECT_EQ(values<std::uint8_t>(bytes), (std::vector<std::uint8_t>{1, 3, 5, 2, 4, 6}));
  const Tensor texts = read(npy(dict_of("|S1", "(2, 2)", "True"), "acbd")).value();
  EXPECT_EQ(values<std::string>(texts), (std::vector<std::string>{"a", "b", "c", "d"}));
  const Tensor packed =
      read(npy(dict_of("|u1", "(2, 2)", "True"), "\1\3\2\4"), DType::kUint4).value();
  EXPECT_EQ(static_cast<const std::uint8_t*>(packed.data())[0], 0x21);
  EXPECT_EQ(static_cast<const std::uint8_t*>(packed.data())[1], 0x43);
  const Tensor empty = read(npy(dict_of("<f8", "(4611686018427387904, 0, 8)", "True"), "")).value();
  EXPECT_EQ(empty.element_count(), 0);
}

TEST(Npy, ReadsTextOfBothKinds) {
  const Tensor bytes = read(npy(dict_of("|S3", "(2,)"), "ab\0x\0z"sv)).value();
  EXPECT_EQ(values<std::string>(bytes), (std::vector<std::string>{"ab", "x\0z"s}));
  const Tensor characters =
      read(npy(dict_of("<U2", "(2,)"), "\xe4\0\0\0\xac\x20\0\0\0\0\0\0\0\0\0\0"sv)).value();
  EXPECT_EQ(values<std::string>(characters), (std::vector<std::string>{"\u00e4\u20ac", ""}));
}

TEST(Npy, RefusesWhatIsNoCharacter) {
  for (const std::string_view item : {"\0\xd8\0\0"sv, "\0\0\x11\0"sv, "\xff\xff\xff\xff"sv})
    EXPECT_EQ(read(npy(dict_of("<U1", "(1,)"), item)).error().code(), ErrorCode::kFormat);
}

TEST(Npy, BitsBecomeTheTypeThatIsExpected) {
  struct Row {
    std::string descr;
    DType expected;
    DType result;
  };
  const std::vector<Row> rows = {{"<V2", DType::kAbsent, DType::kBFloat16},
                                 {"|V2", DType::kBFloat16, DType::kBFloat16},
                                 {"|V2", DType::kFloat16, DType::kFloat16},
                                 {"<u2", DType::kBFloat16, DType::kBFloat16},
                                 {"<u2", DType::kFloat16, DType::kUint16},
                                 {"<i2", DType::kBFloat16, DType::kInt16},
                                 {"<f1", DType::kAbsent, DType::kFloat8E5M2},
                                 {"|u1", DType::kFloat8E4M3FN, DType::kFloat8E4M3FN},
                                 {"<V1", DType::kFloat8E8M0, DType::kFloat8E8M0},
                                 {"|V1", DType::kInt4, DType::kInt4},
                                 {"|i1", DType::kInt4, DType::kInt4},
                                 {"|u1", DType::kFloat4E2M1, DType::kFloat4E2M1},
                                 {"|i1", DType::kFloat8E5M2, DType::kInt8},
                                 {"|b1", DType::kUint8, DType::kBool}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.descr + " as " + std::string(dtype_name(row.expected)));
    const std::string elements(row.descr.back() == '2' ? 2 : 1, '\1');
    const Result<Tensor> tensor = read(npy(dict_of(row.descr, "()"), elements), row.expected);
    ASSERT_TRUE(tensor.ok()) << tensor.error().message();
    EXPECT_EQ(tensor->dtype(), row.result);
    EXPECT_EQ(*static_cast<const std::uint8_t*>(tensor->data()), 1);
  }
}

TEST(Npy, FourBitValuesMayBeCodesOrSigned) {
  const Tensor packed = read(npy(dict_of("|V1", "(3,)"), "\x07\x0f\xf8"), DType::kInt4).value();
  EXPECT_EQ(static_cast<const std::uint8_t*>(packed.data())[0], 0xf7);
  EXPECT_EQ(static_cast<const std::uint8_t*>(packed.data())[1], 0x08);
  EXPECT_FALSE(read(npy(dict_of("|V1", "()"), "\x10"), DType::kInt4).ok());
  EXPECT_FALSE(read(npy(dict_of("|i1", "()"), "\xf7"), DType::kInt4).ok());
  EXPECT_FALSE(read(npy(dict_of("|u1", "()"), "\xff"), DType::kUint4).ok());
}

TEST(Npy, RefusesOtherTypes) {
  for (const std::string descr : {">f4", ">U1", "|O", "<M8[ns]", "<m8[s]", "<f16", "<c32", "<i3",
                                  "|V7", "|V1", "|V2", "f4", "<x4", "<f"}) {
    const Status error = read(npy(dict_of(descr, "(1,)"), std::string(64, '\0'))).error();
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported) << descr << ": " << error.message();
  }
  const std::string fields = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }";
  EXPECT_EQ(read(npy(fields, "\0\0\0\0"sv)).error().code(), ErrorCode::kUnsupported);
}

TEST(Npy, RefusesBadHeaders) {
  for (const std::string dict :
       {"", "[]", "{}", "{'descr': '<f4', 'fortran_order': False, }",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (), 'more': 1}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 1, }",
        "{'descr': '<f4', 'fortran_order': False 'shape': (1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } x",
        "{'descr': '<f4, 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<Ux', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<U-1', 'fortran_order': False, 'shape': (1,), }"})
    EXPECT_EQ(read(npy(dict, "\0\0\0\0"sv)).error().code(), ErrorCode::kFormat) << dict;
}

TEST(Npy, RefusesSizesThatAreNotTheFiles) {
  for (const std::string shape :
       {"(3,)", "(1,)", "(1152921504606846976,)", "(4294967296, 4294967296)",
        "(9223372036854775807, 9223372036854775807)"}) {
    for (const std::string descr : {"<f4", "<c16", "|S9", "<U1"})
      EXPECT_EQ(read(npy(dict_of(descr, shape), std::string(8, 'a'))).error().code(),
                ErrorCode::kFormat)
          << descr << shape;
  }
  // No bytes are asked for, yet every element would take memory.
  EXPECT_EQ(read(npy(dict_of("|S0", "(1152921504606846976,)"), "")).error().code(),
            ErrorCode::kFormat);
  EXPECT_EQ(read(npy(dict_of("<U1099511627777", "(1,)"), "")).error().code(), ErrorCode::kFormat);
}

TEST(Npy, RefusesARankAbove32) {
  std::string shape = "(";
  for (int axis = 0; axis < 33; ++axis) shape += "1,";
  EXPECT_EQ(read(npy(dict_of("|u1", shape + ")"), "a")).error().code(), ErrorCode::kShape);
}

TEST(Npy, RefusesAFileCutAnywhere) {
  const TestFolder folder;
  for (const DType type : {DType::kFloat32, DType::kString, DType::kInt4}) {
    ASSERT_TRUE(save_tensor(sample(type, {2, 3}), folder / "t.npy").ok());
    const std::string bytes = read_bytes(folder / "t.npy");
    ASSERT_TRUE(read(bytes, type).ok());
    for (std::size_t length = 0; length < bytes.size(); ++length)
      EXPECT_FALSE(read(bytes.substr(0, length), type).ok()) << length;
    EXPECT_FALSE(read(bytes + "x", type).ok());
  }
}

TEST(Npy, SurvivesAnyChangedByteOfTheHeader) {
  const std::string good = make_npy_header("<f4", {2, 3}) + std::string(24, 'x');
  for (std::size_t at = 0; at < good.size() - 24; ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(value);
      const Result<Tensor> tensor = read(bytes);
      EXPECT_TRUE(!tensor || tensor->element_count() <= 24);
    }
  }
}

TEST(Npy, WritesStridedViews) {
  const TestFolder folder;
  const Tensor tensor = Tensor::of<std::int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  const TensorView transposed(DType::kInt32, {3, 2}, Strides{4, 12}, tensor.data());
  ASSERT_TRUE(save_tensor(transposed, folder / "t.npy").ok());
  EXPECT_EQ(values<std::int32_t>(load_tensor(folder / "t.npy").value()),
            (std::vector<std::int32_t>{1, 4, 2, 5, 3, 6}));
}

TEST(Npy, AFailedWriteLeavesTheOldFile) {
  const TestFolder folder;
  ASSERT_TRUE(save_tensor(Tensor::of<float>({}, {1}), folder / "t.npy").ok());
  const std::string before = read_bytes(folder / "t.npy");
  for (const std::string& text :
       {"\xff"s, "a\0"s, "\xed\xa0\x80"s, "\xc0\x80"s, "\xf4\x90\x80\x80"s}) {
    const Status status = save_tensor(Tensor::of<std::string>({1}, {text}), folder / "t.npy");
    EXPECT_EQ(status.code(), ErrorCode::kUnsupported);
  }
  EXPECT_EQ(read_bytes(folder / "t.npy"), before);
  EXPECT_EQ(files_in(folder), std::vector<std::string>{"t.npy"});
}

}  // namespace
}  // namespace windrow::internal
