#include "plugins/onnxruntime/provider.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "plugins/onnxruntime/host.h"
#include "plugins/onnxruntime/kernel.h"
#include "plugins/onnxruntime/node_check.h"
#include "windrow/export.h"
#include "windrow/operators.h"

namespace windrow::plugins {
namespace {

Provider& self_of(OrtEp* self) { return *static_cast<Provider*>(self); }

// A definition without constraints of types: their names are the schema's, which the rows do not
// have. take_node() checks the types.
OrtStatus* describe(const Host& host, OrtKernelDefBuilder* builder, const OperatorInfo& row) {
  const OrtEpApi& ep = host.ep;
  if (OrtStatus* status = ep.KernelDefBuilder_SetOperatorType(builder, row.name.c_str()))
    return status;
  if (OrtStatus* status = ep.KernelDefBuilder_SetDomain(builder, row.domain.c_str())) return status;
  if (OrtStatus* status =
          ep.KernelDefBuilder_SetSinceVersion(builder, row.since_version, row.until_version))
    return status;
  if (OrtStatus* status = ep.KernelDefBuilder_SetExecutionProvider(builder, kProviderName))
    return status;
  const int first = 0;
  return row.scatter ? ep.KernelDefBuilder_AddInputOutputMutableAliases(builder, &first, &first, 1)
                     : nullptr;
}

}  // namespace

std::vector<OperatorInfo> kernel_rows() {
  std::vector<OperatorInfo> rows = list_operators();
  std::erase_if(rows, [](const OperatorInfo& row) {
    return row.dialect != "onnx" || row.inputs.size() > kMostInputs ||
           std::any_of(row.inputs.begin(), row.inputs.end(),
                       [](const OperatorInput& input) { return input.value_at_compile; });
  });
  return rows;
}

Provider::Provider(const Host& host, const std::vector<OperatorInfo>& rows, int threads)
    : OrtEp{}, host_(host), threads_(threads) {
  ort_version_supported = kHostVersion;
  OrtEp::GetName = [](const OrtEp*) noexcept { return kProviderName; };
  OrtEp::GetCapability = [](OrtEp* self, const OrtGraph* graph,
                            OrtEpGraphSupportInfo* support) noexcept -> OrtStatus* {
    const Provider& provider = self_of(self);
    return guarded(provider.host_.ort, [&] { return provider.take_nodes(graph, support); });
  };
  OrtEp::GetKernelRegistry = [](OrtEp* self,
                                const OrtKernelRegistry** registry) noexcept -> OrtStatus* {
    *registry = self_of(self).registry_;
    return nullptr;
  };
  for (const OperatorInfo& row : rows) makers_.push_back({this, &row});
}

Provider::~Provider() {
  if (registry_ != nullptr) host_.ep.ReleaseKernelRegistry(registry_);
}

OrtStatus* Provider::set_up() {
  if (OrtStatus* status = host_.ep.CreateKernelRegistry(&registry_)) return status;
  for (KernelMaker& maker : makers_) {
    if (OrtStatus* status = add_kernel(maker)) return status;
  }
  return nullptr;
}

OrtStatus* Provider::add_kernel(KernelMaker& maker) {
  OrtKernelDefBuilder* builder = nullptr;
  if (OrtStatus* status = host_.ep.CreateKernelDefBuilder(&builder)) return status;
  const HostOwned<OrtKernelDefBuilder> builder_owner(builder, host_.ep.ReleaseKernelDefBuilder);
  if (OrtStatus* status = describe(host_, builder, *maker.row)) return status;
  OrtKernelDef* definition = nullptr;
  if (OrtStatus* status = host_.ep.KernelDefBuilder_Build(builder, &definition)) return status;
  const HostOwned<OrtKernelDef> definition_owner(definition, host_.ep.ReleaseKernelDef);
  const auto make = [](void* state, const OrtKernelInfo* info,
                       OrtKernelImpl** kernel) noexcept -> OrtStatus* {
    const auto& [provider, row] = *static_cast<const KernelMaker*>(state);
    return guarded(provider->host_.ort, [&, row = row, provider = provider] {
      *kernel = std::make_unique<Kernel>(provider->host_, *row, info, provider->threads_).release();
      return static_cast<OrtStatus*>(nullptr);
    });
  };
  return host_.ep.KernelRegistry_AddKernel(registry_, definition, make, &maker);
}

OrtStatus* Provider::take_nodes(const OrtGraph* graph, OrtEpGraphSupportInfo* support) const {
  std::size_t count = 0;
  if (OrtStatus* status = host_.ort.Graph_GetNumNodes(graph, &count)) return status;
  std::vector<const OrtNode*> nodes(count);
  if (OrtStatus* status = host_.ort.Graph_GetNodes(graph, nodes.data(), count)) return status;
  for (const OrtNode* node : nodes) {
    if (OrtStatus* status = take_node(node, support)) return status;
  }
  return nullptr;
}

OrtStatus* Provider::take_node(const OrtNode* node, OrtEpGraphSupportInfo* support) const {
  const OrtKernelDef* definition = nullptr;
  if (OrtStatus* status = host_.ep.EpGraphSupportInfo_LookUpKernel(support, node, &definition))
    return status;
  if (definition == nullptr) return nullptr;
  const char* domain = nullptr;
  const char* name = nullptr;
  int version = 0;
  if (OrtStatus* status = host_.ort.Node_GetDomain(node, &domain)) return status;
  if (OrtStatus* status = host_.ort.Node_GetOperatorType(node, &name)) return status;
  if (OrtStatus* status = host_.ort.Node_GetSinceVersion(node, &version)) return status;
  const auto maker = std::find_if(makers_.begin(), makers_.end(), [&](const KernelMaker& known) {
    return known.row->name == name && known.row->domain == domain &&
           known.row->since_version <= version && version <= known.row->until_version;
  });
  if (maker == makers_.end() || !may_compile(host_.ort, node, *maker->row)) return nullptr;
  return host_.ep.EpGraphSupportInfo_AddSingleNode(support, node);
}

}  // namespace windrow::plugins

// The functions that ONNX Runtime looks for in a library of execution providers.
namespace windrow::plugins {
namespace {

// The provider's option "threads", under the host's name for it in a session's configuration.
constexpr const char* kThreadsKey = "ep.windrowexecutionprovider.threads";

// The size of the session's pool: the option, or the number of processors of the process.
int thread_count(const OrtApi& ort, const OrtSessionOptions* options) {
  int count = 0;
  std::size_t size = 0;
  if (succeeded(ort, ort.GetSessionConfigEntry(options, kThreadsKey, nullptr, &size))) {
    std::string text(size, '\0');
    if (succeeded(ort, ort.GetSessionConfigEntry(options, kThreadsKey, text.data(), &size)))
      std::from_chars(text.data(), text.data() + text.size(), count);
  }
  if (count <= 0) count = static_cast<int>(std::thread::hardware_concurrency());
  return std::max(count, 1);
}

class Factory : public OrtEpFactory {
 public:
  explicit Factory(const Host& host);

 private:
  OrtStatus* list_devices(const OrtHardwareDevice* const* devices, std::size_t count,
                          OrtEpDevice** found, std::size_t most, std::size_t* found_count);
  OrtStatus* make_provider(const OrtSessionOptions* options, OrtEp** provider) const;

  const Host host_;
  const std::vector<OperatorInfo> rows_ = kernel_rows();
  const std::string version_{windrow::version()};
};

Factory::Factory(const Host& host) : OrtEpFactory{}, host_(host) {
  ort_version_supported = kHostVersion;
  GetName = [](const OrtEpFactory*) noexcept { return kProviderName; };
  GetVendor = [](const OrtEpFactory*) noexcept { return "Windrow"; };
  GetVersion = [](const OrtEpFactory* self) noexcept {
    return static_cast<const Factory*>(self)->version_.c_str();
  };
  GetSupportedDevices = [](OrtEpFactory* self, const OrtHardwareDevice* const* devices,
                           std::size_t count, OrtEpDevice** found, std::size_t most,
                           std::size_t* found_count) noexcept -> OrtStatus* {
    return static_cast<Factory*>(self)->list_devices(devices, count, found, most, found_count);
  };
  CreateEp = [](OrtEpFactory* self, const OrtHardwareDevice* const*, const OrtKeyValuePairs* const*,
                std::size_t, const OrtSessionOptions* options, const OrtLogger*,
                OrtEp** provider) noexcept -> OrtStatus* {
    const auto& factory = *static_cast<Factory*>(self);
    return guarded(factory.host_.ort, [&] { return factory.make_provider(options, provider); });
  };
  ReleaseEp = [](OrtEpFactory*, OrtEp* provider) noexcept {
    delete static_cast<Provider*>(provider);
  };
  // The host calls this function without checking for null.
  CreateDataTransfer = [](OrtEpFactory*, OrtDataTransferImpl** transfer) noexcept -> OrtStatus* {
    *transfer = nullptr;
    return nullptr;
  };
}

OrtStatus* Factory::list_devices(const OrtHardwareDevice* const* devices, std::size_t count,
                                 OrtEpDevice** found, std::size_t most, std::size_t* found_count) {
  *found_count = 0;
  for (std::size_t i = 0; i < count && *found_count < most; ++i) {
    if (host_.ort.HardwareDevice_Type(devices[i]) != OrtHardwareDeviceType_CPU) continue;
    if (OrtStatus* status =
            host_.ep.CreateEpDevice(this, devices[i], nullptr, nullptr, &found[*found_count]))
      return status;
    ++*found_count;
  }
  return nullptr;
}

OrtStatus* Factory::make_provider(const OrtSessionOptions* options, OrtEp** provider) const {
  auto made = std::make_unique<Provider>(host_, rows_, thread_count(host_.ort, options));
  if (OrtStatus* status = made->set_up()) return status;
  *provider = made.release();
  return nullptr;
}

}  // namespace
}  // namespace windrow::plugins

// The host prescribes the names.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

WINDROW_EXPORT OrtStatus* CreateEpFactories(const char* /*registered_name*/, const OrtApiBase* base,
                                            const OrtLogger* /*logger*/, OrtEpFactory** factories,
                                            std::size_t most, std::size_t* count) {
  using namespace windrow::plugins;  // NOLINT: the function is outside because the host says so
  *count = 0;
  const OrtApi* ort = base->GetApi(kHostVersion);
  if (ort == nullptr)
    return base->GetApi(1)->CreateStatus(ORT_NOT_IMPLEMENTED,
                                         "windrow: needs ONNX Runtime 1.24 or newer");
  if (most == 0) return ort->CreateStatus(ORT_INVALID_ARGUMENT, "windrow: no room for a factory");
  return guarded(*ort, [&] {
    const OrtEpApi* ep = ort->GetEpApi();
    factories[0] = std::make_unique<Factory>(Host{*ort, *ep}).release();
    *count = 1;
    return static_cast<OrtStatus*>(nullptr);
  });
}

WINDROW_EXPORT OrtStatus* ReleaseEpFactory(OrtEpFactory* factory) {
  delete static_cast<windrow::plugins::Factory*>(factory);
  return nullptr;
}
}
// NOLINTEND(readability-identifier-naming)
