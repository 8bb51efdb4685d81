// TensorRT code, as it is written for a GPU: it includes <NvInfer.h> and builds networks that look
// up embeddings, gather tuples batch by batch (gather_nd with batch_dims), and pick the hidden
// state of each sequence's last token. Only the last step is this library's: run() in place of an
// engine.
#include <NvInfer.h>

#include <cstdio>
#include <memory>
#include <vector>

namespace {

class Logger : public nvinfer1::ILogger {
  void log(Severity severity, const char* msg) noexcept override {
    if (severity <= Severity::kWARNING) std::printf("[TRT] %s\n", msg);
  }
} gLogger;

nvinfer1::ITensor* addConstant(nvinfer1::INetworkDefinition& network, const nvinfer1::Dims& dims,
                               const std::vector<float>& values) {
  const nvinfer1::Weights weights{nvinfer1::DataType::kFLOAT, values.data(),
                                  static_cast<int64_t>(values.size())};
  return network.addConstant(dims, weights)->getOutput(0);
}

// table[ids]
nvinfer1::ITensor* embedding(nvinfer1::INetworkDefinition& network, nvinfer1::ITensor& table,
                             nvinfer1::ITensor& ids) {
  return network.addGather(table, ids, 0)->getOutput(0);
}

// out[b.., i..] = data[b.., indices[b.., i..]], with batch_dims leading dimensions b.
nvinfer1::ITensor* gatherNd(nvinfer1::INetworkDefinition& network, nvinfer1::ITensor& data,
                            nvinfer1::ITensor& indices, int32_t batch_dims) {
  nvinfer1::IGatherLayer* layer = network.addGatherV2(data, indices, nvinfer1::GatherMode::kND);
  layer->setNbElementWiseDims(batch_dims);
  return layer->getOutput(0);
}

void markOutput(nvinfer1::INetworkDefinition& network, nvinfer1::ITensor& tensor,
                const char* name) {
  tensor.setName(name);
  network.markOutput(tensor);
}

bool buildNetwork(nvinfer1::INetworkDefinition& network, const std::vector<float>& table) {
  // Any number of sequences of any length: -1 is known when the network runs.
  nvinfer1::ITensor* ids =
      network.addInput("ids", nvinfer1::DataType::kINT32, nvinfer1::Dims2{-1, -1});
  nvinfer1::ITensor* last_token_ids =
      network.addInput("last_token_ids", nvinfer1::DataType::kINT32, nvinfer1::Dims2{-1, 1});
  if (ids == nullptr || last_token_ids == nullptr) return false;
  nvinfer1::ITensor* weights = addConstant(network, nvinfer1::Dims2{4, 2}, table);
  nvinfer1::ITensor* hidden = embedding(network, *weights, *ids);
  markOutput(network, *hidden, "hidden_states");
  markOutput(network, *gatherNd(network, *hidden, *last_token_ids, 1), "last_hidden_states");

  // The same call, wrong: the layer says so when its dimensions are asked for.
  const nvinfer1::Dims dims = gatherNd(network, *hidden, *last_token_ids, 2)->getDimensions();
  return dims.nbDims == -1;
}

void print(const std::pair<std::string, windrow::Tensor>& output) {
  std::printf("%s %s:", output.first.c_str(), to_string(output.second.shape()).c_str());
  for (const float value : output.second.values<float>()) std::printf(" %g", value);
  std::printf("\n");
}

}  // namespace

int main() {
  const std::unique_ptr<nvinfer1::IBuilder> builder{nvinfer1::createInferBuilder(gLogger)};
  const uint32_t flags =
      1U << static_cast<uint32_t>(nvinfer1::NetworkDefinitionCreationFlag::kSTRONGLY_TYPED);
  const std::unique_ptr<nvinfer1::INetworkDefinition> network{builder->createNetworkV2(flags)};
  const std::unique_ptr<nvinfer1::IBuilderConfig> config{builder->createBuilderConfig()};
  config->setMemoryPoolLimit(nvinfer1::MemoryPoolType::kWORKSPACE, 1U << 30);
  const std::vector<float> table = {0, 1, 10, 11, 20, 21, 30, 31};
  if (!buildNetwork(*network, table)) return 1;

  // Two sequences of three tokens; the second one ends after two of them. Id -1 is the table's
  // last one; 9 is not in the table and gives zeros.
  const auto ids = windrow::Tensor::of<std::int32_t>({2, 3}, {1, 3, 2, -1, 0, 9});
  const auto last = windrow::Tensor::of<std::int32_t>({2, 1}, {2, 1});
  const auto outputs = nvinfer1::run(*network, {{"ids", ids}, {"last_token_ids", last}});
  if (!outputs) return std::puts(outputs.error().message().c_str()), 1;
  for (const auto& output : *outputs) print(output);
  return 0;
}

// clang-format off
// Output:
// [TRT] ITensor::getDimensions: '(Unnamed Layer* 3) [Gather]_output': node '(Unnamed Layer* 3) [Gather]': tensorrt.Gather-11 [TENSORRT-Gather-A4]: num_elementwise_dims is 2, must be in [0, 1] for data of rank 3 and indices of rank 2
// hidden_states [2, 3, 2]: 10 11 30 31 20 21 30 31 0 1 0 0
// last_hidden_states [2, 2]: 20 21 0 1
