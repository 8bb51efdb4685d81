#include <gtest/gtest.h>

#include <string>

#include "src/formats/openvino_ir/ir_fixture.h"
#include "src/formats/openvino_ir/ir_text.h"
#include "src/formats/test_support.h"

namespace windrow::internal {
namespace {

Tensor read_constant(const std::string& type, const std::string& shape, int offset,
                     std::string_view bin) {
  const auto size = static_cast<int>(bin.size()) - offset;
  const std::string xml =
      net(constant(0, "w", type, shape, offset, size) + result(1), edge(0, 0, 1, 0));
  return elements(read_ir_text(xml, bin).value().constants.at("w")).clone().value();
}

TEST(IrConstants, OffsetsNeedNoAlignment) {
  const std::string bin("abc\x02\0\0\0\0\0\0\x80", 11);
  const Tensor tensor = read_constant("i64", "", 3, bin);
  EXPECT_EQ(tensor.shape(), Shape{});
  EXPECT_EQ(tensor.values<std::int64_t>()[0], std::numeric_limits<std::int64_t>::min() + 2);
}

TEST(IrConstants, EqualBlobsShareMemory) {
  const std::string xml = net(constant(0, "a", "i64", "1", 0, 8) +
                                  constant(1, "b", "f64", "", 0, 8) + result(2) + result(3),
                              edge(0, 0, 2, 0) + edge(1, 0, 3, 0));
  const Model model = read_ir_text(xml, std::string(8, '\0')).value();
  EXPECT_EQ(elements(model.constants.at("a")).data(), elements(model.constants.at("b")).data());
  EXPECT_EQ(model.constants.at("b").dtype(), DType::kFloat64);
}

TEST(IrConstants, WithoutElementsNeedsNoBytes) {
  EXPECT_EQ(read_constant("f32", "0, 3", 0, "").shape(), (Shape{0, 3}));
  EXPECT_EQ(read_constant("string", "0", 0, "").element_count(), 0);
}

// As openvino.save_model writes [["abc", ""], ["hällo", "z"]].
constexpr std::string_view kPacked(
    "\4\0\0\0\0\0\0\0\3\0\0\0\3\0\0\0\11\0\0\0\12\0\0\0abch\303\244lloz", 34);

TEST(IrStrings, PackAsOpenVinoDoes) {
  const Tensor tensor = read_constant("string", "2, 2", 0, kPacked);
  const auto values = tensor.values<std::string>();
  EXPECT_EQ(std::vector<std::string>(values.begin(), values.end()),
            (std::vector<std::string>{"abc", "", "h\u00e4llo", "z"}));
  EXPECT_EQ(pack_strings(tensor).value(), kPacked);
  EXPECT_EQ(pack_strings(Tensor::zeros(DType::kString, {0}).value()).value(), std::string(8, '\0'));
}

TEST(IrStrings, TrustNoNumber) {
  const auto refuse = [](const Shape& shape, std::string bytes, const std::string& part) {
    const Status status = unpack_strings(bytes, shape).error();
    EXPECT_EQ(status.code(), ErrorCode::kFormat);
    EXPECT_NE(status.message().find(part), std::string::npos) << status.message();
  };
  const std::string bytes(kPacked);
  refuse({3}, bytes, "there are 4, not 3");
  refuse({100}, bytes, "cut");
  refuse({4}, bytes.substr(0, 20), "cut");
  refuse({4}, bytes.substr(0, 30), "element 2 goes from 3 to 9 of 6");
  std::string negative = bytes;
  negative[7] = '\xff';
  refuse({4}, negative, "element 0 goes from -");
  std::string falling = bytes;
  falling[12] = '\1';
  refuse({4}, falling, "element 1 goes from 3 to 1");
}

}  // namespace
}  // namespace windrow::internal
