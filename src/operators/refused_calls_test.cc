#include <gtest/gtest.h>

#include <cctype>
#include <initializer_list>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "src/operators/test_support.h"
#include "windrow/operators.h"

// What no record of cases/ can say of a refused call: the versions between those of the table,
// sizes that no tensor has, kernels, attributes of C++ types; and a few calls that the corpus
// lacks.
namespace windrow::internal {
namespace {

constexpr std::int64_t kWide = std::int64_t{1} << 60;

// A call of every operator at the first and at the last version of its row.
struct RowAt {
  OperatorInfo info;
  int version;

  OperatorId id() const { return {info.dialect, info.name, version}; }

  std::string start(const std::string& label) const {
    return info.dialect + "." + info.name + "-" + std::to_string(info.since_version) + " [" +
           label + "]: ";
  }

  Attributes required() const {
    Attributes given;
    for (const OperatorAttribute& attribute : info.attributes)
      if (attribute.required) given[attribute.name] = attribute.default_value;
    return given;
  }

  // Inputs of legal types, of rank 1; those that a plan reads hold zero. Of two inputs of which a
  // call gives one the `wanted` one is given, or the first one.
  std::vector<TensorSpec> specs(std::size_t wanted = 0) const {
    std::vector<TensorSpec> specs;
    for (const OperatorInput& input : info.inputs) {
      const bool stands_in = input.instead_of >= 0;
      if (stands_in && wanted != specs.size()) continue;
      if (stands_in) specs[static_cast<std::size_t>(input.instead_of)] = {};
      specs.push_back({input.dtypes.front(), {2}, {}, {}});
      if (!input.value_at_compile) continue;
      specs.back().shape = {};
      specs.back().value =
          std::make_shared<const Tensor>(Tensor::zeros(input.dtypes.front(), {}).value());
    }
    return specs;
  }

  void expect(const Result<Plan>& plan, const std::string& label, const std::string& text) const {
    ASSERT_FALSE(plan.ok()) << start(label);
    EXPECT_EQ(plan.error().constraint(), label);
    EXPECT_EQ(plan.error().message().substr(0, (start(label) + text).size()), start(label) + text);
  }
};

std::vector<RowAt> rows() {
  std::vector<RowAt> rows;
  for (const OperatorInfo& info : list_operators()) {
    const bool is_newest = info.until_version == std::numeric_limits<int>::max();
    // The newest versions of onnx and array have no last one.
    const int last = is_newest ? info.since_version + 100 : info.until_version;
    for (const int version : std::set<int>{info.since_version, last})
      rows.push_back({info, version});
  }
  return rows;
}

TEST(RefusedCalls, WithoutAnyInput) {
  for (const RowAt& row : rows()) {
    const std::vector<TensorSpec> none(row.info.inputs.size());
    row.expect(compile(row.id(), row.required(), none), "CALL-I1",
               "input " + row.info.inputs.front().name + " is missing");
  }
}

TEST(RefusedCalls, WithSizesThatNoTensorHas) {
  for (const RowAt& row : rows()) {
    for (std::size_t i = 0; i < row.info.inputs.size(); ++i) {
      if (row.info.inputs[i].value_at_compile) continue;
      const auto refused = [&](std::int64_t extent, const std::string& text) {
        std::vector<TensorSpec> specs = row.specs(i);
        if (row.info.inputs[i].holds_indices()) specs[i].dtype = DType::kInt64;
        specs[i].shape = {extent, 1 << 10};
        const Status status = compile(row.id(), row.required(), specs).error();
        EXPECT_EQ(status.constraint(), "CALL-I2") << status.message();
        EXPECT_NE(status.message().find(text), std::string::npos) << status.message();
        EXPECT_EQ(status.code(), ErrorCode::kShape);
      };
      refused(-1, "negative extent");
      refused(kWide, "2^63-1");
    }
  }
}

TEST(RefusedCalls, WhoseResultIsTooLarge) {
  const std::int64_t wide = std::int64_t{1} << 40;
  const auto gather = [&](std::int64_t count) {
    const std::vector<TensorSpec> specs = {{DType::kUint8, {1, wide}, {}, {}},
                                           {DType::kInt64, {count}, {}, {}}};
    return compile({"onnx", "Gather", {}}, {}, specs);
  };
  const Result<Plan> refused = gather(1 << 23);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(),
            "onnx.Gather-13 [CALL-I2]: the result has shape [8388608, 1099511627776]: more than "
            "2^63-1 bytes");
  EXPECT_TRUE(gather(1 << 22).ok());
}

TEST(RefusedCalls, WithUnknownKernels) {
  for (const RowAt& row : rows())
    row.expect(compile(row.id(), row.required(), row.specs(), {.kernels = "plane"}), "CALL-O2",
               "kernels is 'plane', must be one of: plain");
}

TEST(RefusedCalls, WithAttributesOfAnotherType) {
  for (const RowAt& row : rows()) {
    for (const OperatorAttribute& attribute : row.info.attributes) {
      Attributes given = row.required();
      given[attribute.name] = 0.5;
      std::string label = row.info.dialect + "-" + row.info.name + "-A2";
      for (char& letter : std::span(label).first(row.info.dialect.size()))
        letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
      row.expect(compile(row.id(), given, row.specs()), label,
                 "attribute '" + attribute.name + "' must be ");
    }
  }
}

// What both the fast path and the reference say of a call of ONNX.
std::string label_of(const std::string& op, int version, std::initializer_list<TensorView> inputs,
                     const CallOptions& options) {
  const std::vector<TensorView> views(inputs);
  const Status status = call({"onnx", op, version}, {}, views, options).error();
  const Status of_reference = call_reference({"onnx", op, version}, {}, views, options).error();
  EXPECT_EQ(of_reference.constraint(), status.constraint());
  EXPECT_EQ(of_reference.code(), status.code());
  return std::string(status.constraint());
}

Tensor int64s(std::initializer_list<std::int64_t> values) {
  return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

TEST(RefusedCalls, StrictRefusesIndicesAboveTheExtentByTheSameRule) {
  for (const int version : {9, 10}) {
    const auto gather = [&](std::int64_t index) {
      return label_of("Gather", version, {int64s({5, 6, 7}), int64s({index})}, {.strict = true});
    };
    EXPECT_EQ(gather(3), "ONNX-Gather-S1");
    EXPECT_EQ(gather(2), "");
    const auto scatter = [&](std::int64_t index) {
      return label_of("Scatter", version, {int64s({5, 6, 7}), int64s({index}), int64s({0})},
                      {.strict = true});
    };
    EXPECT_EQ(scatter(3), "ONNX-Scatter-S1");
    EXPECT_EQ(scatter(2), "");
  }
}

TEST(RefusedCalls, WrappedIndicesMayMeet) {
  for (const std::string op : {"Scatter", "ScatterElements"}) {
    const auto put = [&](OutOfRange policy) {
      const CallOptions options{.out_of_range = policy, .duplicates = Duplicates::kError};
      return label_of(op, 18, {int64s({5, 6, 7}), int64s({1, 4}), int64s({0, 0})}, options);
    };
    EXPECT_EQ(put(OutOfRange::kModulo), "ONNX-" + op + "-D1");
    EXPECT_EQ(put(OutOfRange::kSkip), "");
  }
}

TEST(RefusedCalls, UpdatesMayNotNeedMoreThan32Axes) {
  const Shape ones = Shape::filled(kMaxRank, 1);
  const auto scatter = [&](const Shape& data) {
    const std::vector<TensorSpec> specs = {{DType::kFloat32, data, {}, {}},
                                           {DType::kInt64, ones, {}, {}},
                                           {DType::kFloat32, ones, {}, {}}};
    return compile({"onnx", "ScatterND", {}}, {}, specs);
  };
  const Result<Plan> refused = scatter({1, 1, 1});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().constraint(), "ONNX-ScatterND-C3");
  EXPECT_NE(refused.error().message().find("above 32"), std::string::npos);
  EXPECT_TRUE(scatter({1, 1}).ok());
}

}  // namespace
}  // namespace windrow::internal
