#include <cstddef>
#include <cstdint>
#include <string_view>

#include "src/formats/onnx/onnx_files.h"

// Any bytes are a model or an error, and what can be read can be inspected, taken apart and run
// (with no inputs: models of constants compute, others say what is missing).
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto model = windrow::internal::parse_onnx(bytes, "/nonexistent");
  if (!model) return 0;
  (void)model->inspect();
  (void)model->run({});
  for (const windrow::ModelNode& node : model->nodes) (void)model->only_node(node.name);
  return 0;
}
