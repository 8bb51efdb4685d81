#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "src/formats/openvino_ir/ir_files.h"

// Any bytes are a model or an error, and what can be read can be inspected, taken apart and run.
// The first zero byte stands between the .xml and the .bin file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  const windrow::internal::MemorySource bin(bytes.substr(std::min(end + 1, bytes.size())));
  const auto model =
      windrow::internal::parse_ir(std::string(bytes.substr(0, end)), &bin, windrow::Status());
  if (!model) return 0;
  (void)model->inspect();
  (void)model->run({});
  for (const windrow::ModelNode& node : model->nodes) {
    const auto alone = model->only_node(node.name);
    if (alone && alone->inputs.empty()) (void)alone->run({});
  }
  return 0;
}
