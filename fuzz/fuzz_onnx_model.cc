#include <cstddef>
#include <cstdint>
#include <string_view>

#include "src/formats/onnx/elided.h"
#include "src/formats/onnx/model_read.h"
#include "src/formats/onnx/onnx_files.h"

// Any bytes are a model or an error, also without the elements that are left out of a file, and
// what can be read can be inspected, taken apart, written and run (with no inputs: models of
// constants compute, others say what is missing).
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)windrow::internal::ElidedFile::read(windrow::internal::MemorySource(bytes));
  const auto model = windrow::internal::parse_onnx(bytes, "/nonexistent");
  if (!model) return 0;
  (void)model->inspect();
  (void)windrow::onnx_skeleton(*model);
  (void)model->run({});
  model->visit_nodes([](const windrow::NodePlace&) {});
  windrow::internal::ConstantWriter constants;
  (void)windrow::internal::make_model_proto(*model, constants);
  for (const windrow::ModelNode& node : model->nodes) (void)model->only_node(node.name);
  return 0;
}
