#include "tests/conformance/network_case.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "windrow/nvinfer.h"

namespace windrow::tests {
namespace {

using nvinfer1::ILayer;
using nvinfer1::INetworkDefinition;
using nvinfer1::ITensor;

// Keeps the last line.
class LastLine final : public nvinfer1::ILogger {
 public:
  void log(Severity /*severity*/, nvinfer1::AsciiChar const* msg) noexcept override { line = msg; }
  std::string line;
};

constexpr std::pair<DType, nvinfer1::DataType> kTypes[] = {
    {DType::kFloat32, nvinfer1::DataType::kFLOAT},    {DType::kFloat16, nvinfer1::DataType::kHALF},
    {DType::kInt8, nvinfer1::DataType::kINT8},        {DType::kInt32, nvinfer1::DataType::kINT32},
    {DType::kBool, nvinfer1::DataType::kBOOL},        {DType::kUint8, nvinfer1::DataType::kUINT8},
    {DType::kFloat8E4M3FN, nvinfer1::DataType::kFP8}, {DType::kBFloat16, nvinfer1::DataType::kBF16},
    {DType::kInt64, nvinfer1::DataType::kINT64},      {DType::kInt4, nvinfer1::DataType::kINT4}};

Status cannot_say(const std::string& what) { return {ErrorCode::kUnsupported, what}; }

// An attribute of a record, or what TensorRT takes without it.
template <class T>
T setting(const CaseRecord& record, std::string_view name, T otherwise) {
  const auto found = record.attributes.find(name);
  return found == record.attributes.end() ? otherwise : std::get<T>(found->second);
}

// Whether the interface has members for all of the record's settings.
bool has_settings(const CaseRecord& record) {
  return std::all_of(record.attributes.begin(), record.attributes.end(), [&](const auto& entry) {
    const auto& [name, value] = entry;
    if (name == "mode") {
      const auto* const mode = std::get_if<std::string>(&value);
      if (mode == nullptr) return false;
      if (record.op == "KVCacheUpdate") return *mode == "LINEAR";
      return *mode == "ELEMENT" || *mode == "ND" || (*mode == "DEFAULT" && record.op == "Gather");
    }
    const bool is_known = (name == "axis" && record.op != "KVCacheUpdate") ||
                          (name == "num_elementwise_dims" && record.op == "Gather");
    const auto* const number = std::get_if<std::int64_t>(&value);
    return is_known && number != nullptr && std::in_range<std::int32_t>(*number);
  });
}

Result<ITensor*> add_input(INetworkDefinition& network, const std::string& name,
                           const TensorView& view) {
  const auto* const type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                        [&](const auto& row) { return row.first == view.dtype; });
  if (type == std::end(kTypes)) return cannot_say("type " + std::string(dtype_name(view.dtype)));
  if (view.shape.rank() > nvinfer1::Dims::MAX_DIMS) return cannot_say("a rank above 8");
  nvinfer1::Dims dims{view.shape.rank(), {}};
  std::copy(view.shape.begin(), view.shape.end(), dims.d);
  return network.addInput(name.c_str(), type->second, dims);
}

nvinfer1::GatherMode gather_mode(const std::string& mode) {
  if (mode == "ND") return nvinfer1::GatherMode::kND;
  return mode == "ELEMENT" ? nvinfer1::GatherMode::kELEMENT : nvinfer1::GatherMode::kDEFAULT;
}

ILayer* add_gather(INetworkDefinition& network, const CaseRecord& record,
                   const std::vector<ITensor*>& inputs) {
  const auto mode = setting<std::string>(record, "mode", "DEFAULT");
  auto* const layer = network.addGatherV2(*inputs[0], *inputs[1], gather_mode(mode));
  layer->setGatherAxis(static_cast<std::int32_t>(setting<std::int64_t>(record, "axis", 0)));
  layer->setNbElementWiseDims(
      static_cast<std::int32_t>(setting<std::int64_t>(record, "num_elementwise_dims", 0)));
  return layer;
}

ILayer* add_layer(INetworkDefinition& network, const CaseRecord& record,
                  const std::vector<ITensor*>& inputs) {
  if (record.op == "Gather") return add_gather(network, record, inputs);
  if (record.op == "KVCacheUpdate")
    return network.addKVCacheUpdate(*inputs[0], *inputs[1], *inputs[2],
                                    nvinfer1::KVCacheMode::kLINEAR);
  const auto axis = setting<std::int64_t>(record, "axis", record.op == "OneHot" ? -1 : 0);
  if (record.op == "OneHot")
    return network.addOneHot(*inputs[0], *inputs[1], *inputs[2], static_cast<std::int32_t>(axis));
  const bool is_nd = setting<std::string>(record, "mode", "ELEMENT") == "ND";
  auto* const layer =
      network.addScatter(*inputs[0], *inputs[1], *inputs[2],
                         is_nd ? nvinfer1::ScatterMode::kND : nvinfer1::ScatterMode::kELEMENT);
  layer->setAxis(static_cast<std::int32_t>(axis));
  return layer;
}

}  // namespace

Result<Tensor> run_as_network(const CaseRecord& record) {
  if (!has_settings(record)) return cannot_say("the settings");
  if (record.inputs.size() != (record.op == "Gather" ? 2U : 3U)) return cannot_say("the inputs");
  LastLine logger;
  const std::unique_ptr<nvinfer1::IBuilder> builder(nvinfer1::createInferBuilder(logger));
  const std::unique_ptr<INetworkDefinition> network(builder->createNetworkV2(0));
  std::vector<ITensor*> inputs;
  NamedViews views;
  for (std::size_t i = 0; i < record.inputs.size(); ++i) {
    const std::string name = "input" + std::to_string(i);
    const TensorView view = record.inputs[i];
    const Result<ITensor*> input = add_input(*network, name, view);
    if (!input) return input.error();
    if (*input == nullptr) return Status(ErrorCode::kInternal, logger.line);
    inputs.push_back(*input);
    views[name] = view;
  }
  network->markOutput(*add_layer(*network, record, inputs)->getOutput(0));
  ModelRunOptions options;
  options.call = record.options;
  Result<NamedTensors> outputs = nvinfer1::run(*network, views, options);
  if (!outputs) return outputs.error();
  return std::move(outputs->front().second);
}

}  // namespace windrow::tests
