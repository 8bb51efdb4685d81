#include "plugins/onnxruntime/attributes.h"

#include <cstdint>
#include <string>

namespace windrow::plugins {
namespace {

std::optional<AttributeValue> read_integer(const OrtApi& ort, const OrtOpAttr* attribute) {
  std::int64_t value = 0;
  std::size_t size = 0;
  if (!succeeded(ort, ort.ReadOpAttr(attribute, ORT_OP_ATTR_INT, &value, sizeof(value), &size)))
    return std::nullopt;
  return value;
}

std::optional<AttributeValue> read_text(const OrtApi& ort, const OrtOpAttr* attribute) {
  std::size_t size = 0;  // the first call fails and sets the size that is needed
  succeeded(ort, ort.ReadOpAttr(attribute, ORT_OP_ATTR_STRING, nullptr, 0, &size));
  std::string value(size, '\0');
  if (!succeeded(ort, ort.ReadOpAttr(attribute, ORT_OP_ATTR_STRING, value.data(), size, &size)))
    return std::nullopt;
  return value.c_str();  // whether or not `size` counts a zero byte at the end
}

std::optional<AttributeValue> read(const OrtApi& ort, const OrtOpAttr* attribute,
                                   const AttributeValue& example) {
  OrtOpAttrType type = ORT_OP_ATTR_UNDEFINED;
  if (!succeeded(ort, ort.OpAttr_GetType(attribute, &type))) return std::nullopt;
  if (type == ORT_OP_ATTR_INT && std::holds_alternative<std::int64_t>(example))
    return read_integer(ort, attribute);
  if (type == ORT_OP_ATTR_STRING && std::holds_alternative<std::string>(example))
    return read_text(ort, attribute);
  return std::nullopt;
}

std::optional<AttributeValue> read(const OrtApi& ort, const OrtKernelInfo* info,
                                   const OperatorAttribute& attribute) {
  const char* name = attribute.name.c_str();
  if (std::holds_alternative<std::int64_t>(attribute.default_value)) {
    std::int64_t value = 0;
    if (!succeeded(ort, ort.KernelInfoGetAttribute_int64(info, name, &value))) return std::nullopt;
    return value;
  }
  std::size_t size = 0;
  if (!succeeded(ort, ort.KernelInfoGetAttribute_string(info, name, nullptr, &size)))
    return std::nullopt;
  std::string value(size, '\0');
  if (!succeeded(ort, ort.KernelInfoGetAttribute_string(info, name, value.data(), &size)))
    return std::nullopt;
  return value.c_str();
}

}  // namespace

std::optional<Attributes> read_attributes(const OrtApi& ort, const OrtNode* node,
                                          const OperatorInfo& row) {
  Attributes attributes;
  for (const OperatorAttribute& known : row.attributes) {
    const OrtOpAttr* attribute = nullptr;
    const bool found =
        succeeded(ort, ort.Node_GetAttributeByName(node, known.name.c_str(), &attribute));
    if (!found || attribute == nullptr) continue;
    auto value = read(ort, attribute, known.default_value);
    if (!value) return std::nullopt;
    attributes.emplace(known.name, *std::move(value));
  }
  return attributes;
}

Attributes read_attributes(const OrtApi& ort, const OrtKernelInfo* info, const OperatorInfo& row) {
  Attributes attributes;
  for (const OperatorAttribute& known : row.attributes) {
    auto value = read(ort, info, known);
    if (value) attributes.emplace(known.name, *std::move(value));
  }
  return attributes;
}

}  // namespace windrow::plugins
