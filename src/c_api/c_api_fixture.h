#ifndef WINDROW_C_API_C_API_FIXTURE_H_
#define WINDROW_C_API_C_API_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "windrow/c.h"

// Shared code of the tests of the C interface.
namespace windrow {

using PlanHandle = std::unique_ptr<windrow_plan, decltype(&windrow_plan_free)>;
using ErrorHandle = std::unique_ptr<windrow_error, decltype(&windrow_error_free)>;
using StringsHandle = std::unique_ptr<windrow_strings, decltype(&windrow_strings_free)>;

// A tensor that owns its shape and elements.
template <class T>
struct Array {
  Array(windrow_dtype type, std::vector<std::int64_t> extents, std::vector<T> elements)
      : dtype(type), shape(std::move(extents)), values(std::move(elements)) {}
  windrow_tensor tensor() {
    return {dtype, static_cast<int32_t>(shape.size()), shape.data(),
            strides.empty() ? nullptr : strides.data(), values.data()};
  }
  windrow_dtype dtype;
  std::vector<std::int64_t> shape;
  std::vector<T> values;
  std::vector<std::int64_t> strides;
};

using Floats = Array<float>;
using Indices = Array<std::int64_t>;
using Strings = Array<windrow_string>;

inline Floats floats(std::vector<std::int64_t> shape, std::vector<float> values) {
  return {WINDROW_FLOAT32, std::move(shape), std::move(values)};
}
inline Indices indices(std::vector<std::int64_t> shape, std::vector<std::int64_t> values) {
  return {WINDROW_INT64, std::move(shape), std::move(values)};
}
inline Strings strings(std::vector<std::int64_t> shape, const std::vector<const char*>& values) {
  Strings result(WINDROW_STRING, std::move(shape), {});
  for (const char* value : values) result.values.push_back({value, std::strlen(value)});
  return result;
}
inline std::string text(const windrow_string& string) { return {string.data, string.size}; }

inline windrow_attribute int_attribute(const char* name, std::int64_t value) {
  windrow_attribute attribute{};
  attribute.name = name;
  attribute.kind = WINDROW_ATTRIBUTE_INT;
  attribute.int_value = value;
  return attribute;
}
inline windrow_attribute string_attribute(const char* name, const char* value) {
  windrow_attribute attribute{};
  attribute.name = name;
  attribute.kind = WINDROW_ATTRIBUTE_STRING;
  attribute.string_value = value;
  return attribute;
}

inline windrow_call_options call_options() {
  windrow_call_options options{};
  options.size = sizeof(options);
  return options;
}

// A call of an operator, part by part, with the results of the last part.
class CApi : public testing::Test {
 protected:
  windrow_code compile(const char* op, std::vector<windrow_tensor> inputs,
                       std::vector<windrow_attribute> attributes = {},
                       const windrow_call_options* options = nullptr, int version = 0) {
    inputs_ = std::move(inputs);
    windrow_plan* plan = nullptr;
    windrow_error* error = nullptr;
    const windrow_code code =
        windrow_compile("onnx", op, version, attributes.data(), attributes.size(), inputs_.data(),
                        inputs_.size(), options, &plan, &error);
    plan_.reset(plan);
    return keep(code, error);
  }
  windrow_code run(const windrow_tensor& output, const windrow_run_options* options = nullptr) {
    windrow_error* error = nullptr;
    const windrow_code code =
        windrow_plan_run(plan_.get(), inputs_.data(), inputs_.size(), &output, options, &error);
    return keep(code, error);
  }
  windrow_code run_strings(const windrow_tensor& output) {
    windrow_error* error = nullptr;
    windrow_strings* made = nullptr;
    const windrow_code code = windrow_plan_run_strings(plan_.get(), inputs_.data(), inputs_.size(),
                                                       &output, nullptr, &made, &error);
    strings_.reset(made);
    return keep(code, error);
  }
  std::string message() const { return error_ ? windrow_error_message(error_.get()) : ""; }

  std::vector<windrow_tensor> inputs_;
  PlanHandle plan_{nullptr, &windrow_plan_free};
  ErrorHandle error_{nullptr, &windrow_error_free};
  StringsHandle strings_{nullptr, &windrow_strings_free};

 private:
  windrow_code keep(windrow_code code, windrow_error* error) {
    error_.reset(error);
    EXPECT_EQ(code == WINDROW_OK, error == nullptr);
    if (error != nullptr) {
      EXPECT_EQ(windrow_error_code(error), code);
      EXPECT_NE(message(), "");
    }
    return code;
  }
};

}  // namespace windrow

#endif  // WINDROW_C_API_C_API_FIXTURE_H_
