#ifndef WINDROW_MODELS_NVINFER_TEST_SUPPORT_H_
#define WINDROW_MODELS_NVINFER_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "windrow/nvinfer.h"

namespace windrow::nvinfer1 {

// Keeps what is logged.
class TestLogger final : public ILogger {
 public:
  void log(Severity severity, AsciiChar const* msg) noexcept override {
    severities.push_back(severity);
    lines.emplace_back(msg);
  }
  // The lines since the last call, joined by newlines.
  std::string take() {
    std::string text;
    for (const std::string& line : std::exchange(lines, {}))
      text += (text.empty() ? "" : "\n") + line;
    return text;
  }

  std::vector<Severity> severities;
  std::vector<std::string> lines;
};

// An empty network. What a test does not take from the log fails it.
class NetworkTest : public testing::Test {
 protected:
  NetworkTest() : builder(createInferBuilder(logger)), network(builder->createNetworkV2(0)) {}
  void TearDown() override { EXPECT_EQ(logger.take(), ""); }

  // A constant that lives as long as the test.
  template <class T>
  ITensor& constant(const Dims& dims, DataType type, std::vector<T> values) {
    const auto kept = std::make_shared<std::vector<T>>(std::move(values));
    kept_.push_back(kept);
    const Weights weights{type, kept->data(), static_cast<std::int64_t>(kept->size())};
    return *network->addConstant(dims, weights)->getOutput(0);
  }

  ITensor& input(const char* name, DataType type, const Dims& dims) {
    return *network->addInput(name, type, dims);
  }

  // The first output of a run.
  template <class T>
  std::vector<T> run_values(const NamedViews& inputs) {
    const NamedTensors outputs = run(*network, inputs).value();
    const auto values = outputs.front().second.template values<T>();
    return {values.begin(), values.end()};
  }

  TestLogger logger;
  std::unique_ptr<IBuilder> builder;
  std::unique_ptr<INetworkDefinition> network;

 private:
  std::vector<std::shared_ptr<void>> kept_;
};

inline std::vector<std::int64_t> extents(const Dims& dims) {
  return {dims.d, dims.d + std::max(dims.nbDims, 0)};
}

using Extents = std::vector<std::int64_t>;

}  // namespace windrow::nvinfer1

#endif  // WINDROW_MODELS_NVINFER_TEST_SUPPORT_H_
