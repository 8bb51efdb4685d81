#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "src/formats/openvino_ir/ir_files.h"

// Any bytes are a model or an error, and what can be read can be inspected, taken apart, run, and
// written: as files that are read again as the same model, and then written as the same bytes.
// The first zero byte stands between the .xml and the .bin file.
namespace {

struct Files {
  std::string xml;
  std::string bin;
  friend bool operator==(const Files&, const Files&) = default;
};

std::optional<Files> written(const windrow::Model& model) {
  Files files;
  windrow::Result<std::string> xml =
      windrow::internal::ir_text(model, [&files](std::string_view bytes) {
        files.bin += bytes;
        return windrow::Status();
      });
  if (!xml) return std::nullopt;
  files.xml = *std::move(xml);
  return files;
}

// What was read can be written, and what was written can be read.
void check_writing(const windrow::Model& model) {
  const std::optional<Files> once = written(model);
  if (!once) return;
  const windrow::internal::MemorySource bin(once->bin);
  const auto again = windrow::internal::parse_ir(once->xml, &bin, windrow::Status());
  if (!again || written(*again) != once) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  const windrow::internal::MemorySource bin(bytes.substr(std::min(end + 1, bytes.size())));
  const auto model =
      windrow::internal::parse_ir(std::string(bytes.substr(0, end)), &bin, windrow::Status());
  if (!model) return 0;
  (void)model->inspect();
  (void)model->run({});
  model->visit_nodes([](const windrow::NodePlace&) {});
  check_writing(*model);
  for (const windrow::ModelNode& node : model->nodes) {
    const auto alone = model->only_node(node.name);
    if (alone && alone->inputs.empty()) (void)alone->run({});
  }
  return 0;
}
