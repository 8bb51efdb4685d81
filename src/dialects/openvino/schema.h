#ifndef WINDROW_DIALECTS_OPENVINO_SCHEMA_H_
#define WINDROW_DIALECTS_OPENVINO_SCHEMA_H_

#include <array>
#include <string_view>

#include "src/dialects/schema.h"
#include "windrow/openvino_attributes.h"

namespace windrow::internal {

template <>
struct Schema<openvino::Gather> {
  static constexpr std::string_view kName = "Gather";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = false;
  // Before version 8 the zero is not the specification's rule but what its implementations do.
  static constexpr OutOfRange policy(int version, bool strict) {
    return strict && version < 8 ? OutOfRange::kError : OutOfRange::kZero;
  }
  static constexpr std::array kInputs = {InputSchema{"data"},
                                         InputSchema{"indices", InputGroup::kIndex},
                                         InputSchema{"axis", InputGroup::kAxis}};
  static constexpr std::array kAttributes = {
      AttributeSchema<openvino::Gather>{"batch_dims", &openvino::Gather::batch_dims, 7}};
};

template <>
struct Schema<openvino::GatherElements> {
  static constexpr std::string_view kName = "GatherElements";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = {InputSchema{"data"},
                                         InputSchema{"indices", InputGroup::kIndex}};
  static constexpr std::array kAttributes = {
      AttributeSchema<openvino::GatherElements>{"axis", &openvino::GatherElements::axis, 1, true}};
};

template <>
struct Schema<openvino::GatherND> {
  static constexpr std::string_view kName = "GatherND";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = {InputSchema{"data"},
                                         InputSchema{"indices", InputGroup::kIndex}};
  static constexpr std::array kAttributes = {
      AttributeSchema<openvino::GatherND>{"batch_dims", &openvino::GatherND::batch_dims}};
};

template <>
struct Schema<openvino::ScatterUpdate> {
  static constexpr std::string_view kName = "ScatterUpdate";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = {
      InputSchema{"data"}, InputSchema{"indices", InputGroup::kIndex}, InputSchema{"updates"},
      InputSchema{"axis", InputGroup::kAxis}};
  static constexpr std::array<AttributeSchema<openvino::ScatterUpdate>, 0> kAttributes = {};
};

template <>
struct Schema<openvino::ScatterElementsUpdate> {
  static constexpr std::string_view kName = "ScatterElementsUpdate";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = {
      InputSchema{"data"}, InputSchema{"indices", InputGroup::kIndex}, InputSchema{"updates"},
      InputSchema{"axis", InputGroup::kAxis}};
  static constexpr std::array kAttributes = {
      AttributeSchema<openvino::ScatterElementsUpdate>{
          "reduction", &openvino::ScatterElementsUpdate::reduction, 12},
      AttributeSchema<openvino::ScatterElementsUpdate>{
          "use_init_val", &openvino::ScatterElementsUpdate::use_init_val, 12}};
};

template <>
struct Schema<openvino::ScatterNDUpdate> {
  static constexpr std::string_view kName = "ScatterNDUpdate";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = {
      InputSchema{"data"}, InputSchema{"indices", InputGroup::kIndex}, InputSchema{"updates"}};
  static constexpr std::array kAttributes = {AttributeSchema<openvino::ScatterNDUpdate>{
      "reduction", &openvino::ScatterNDUpdate::reduction, 15}};
};

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_OPENVINO_SCHEMA_H_
