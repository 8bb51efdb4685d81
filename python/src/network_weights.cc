#include "python/src/network_weights.h"

#include <unordered_map>

#include "python/src/input_array.h"
#include "python/src/network_types.h"
#include "python/src/run_arrays.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

using nvinfer1::IConstantLayer;

struct Constant {
  const IConstantLayer* layer;
  PyObject* network;  // borrowed: the constant's memory belongs to the network
};

std::unordered_map<const IConstantLayer*, PyObject*>& networks_of_constants() {
  static std::unordered_map<const IConstantLayer*, PyObject*> networks;
  return networks;
}

// Called when the network is destroyed. Later another network may have a constant at the same
// address.
void forget_constant(void* payload) noexcept {
  const std::unique_ptr<Constant> constant(static_cast<Constant*>(payload));
  auto& networks = networks_of_constants();
  const auto found = networks.find(constant->layer);
  if (found != networks.end() && found->second == constant->network) networks.erase(found);
}

}  // namespace

struct KeptWeights::Owner {
  nb::object object;
  InputArray array;
  Tensor copy;
};

KeptWeights::KeptWeights(nb::handle weights) : owner_(std::make_unique<Owner>()) {
  const nb::object own_class = nb::module_::import_("windrow.trt._weights").attr("Weights");
  owner_->object = nb::isinstance(weights, own_class) ? nb::object(weights.attr("numpy")())
                                                      : nb::borrow(weights);
  TensorView view;
  owner_->array.acquire(owner_->object.ptr(), {"weights"}, view);
  weights_.type = data_type_of(view.dtype, "weights");
  if (!view.is_dense()) {
    owner_->copy = Tensor::copy_of(view).value();
    view = owner_->copy.view();
  }
  weights_.values = view.data;
  weights_.count = element_count(view.shape).value_or(0);
}

KeptWeights::~KeptWeights() = default;

void keep_weights(nb::handle network, std::unique_ptr<KeptWeights> weights) {
  nb::keep_alive_cb(network, weights.release(),
                    [](void* kept) noexcept { delete static_cast<KeptWeights*>(kept); });
}

void register_constant(nb::handle network, const IConstantLayer& layer) {
  networks_of_constants()[&layer] = network.ptr();
  nb::keep_alive_cb(network, new Constant{&layer, network.ptr()}, &forget_constant);
}

nb::object network_of(const IConstantLayer& layer) {
  return nb::borrow(networks_of_constants().at(&layer));
}

nb::object to_python(const nvinfer1::Weights& weights) {
  // The values are only read.
  void* const values = const_cast<void*>(weights.values);
  return to_numpy(Tensor::adopt(dtype_of(weights.type), Shape{weights.count}, values, nullptr));
}

}  // namespace windrow::python
