// The functions that ONNX Runtime looks for in a library of execution providers.

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "plugins/onnxruntime/host.h"
#include "plugins/onnxruntime/provider.h"
#include "windrow/export.h"
#include "windrow/operators.h"

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
