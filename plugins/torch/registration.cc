#include <torch/csrc/stable/library.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>

#include "plugins/torch/operators.h"

// The operators as torch sees them: torch.ops.windrow.*. Functions for shapes without data, and
// gradients, are registered in Python (windrow.torch).
namespace windrow::torch_plugin {
namespace {

template <std::size_t kSize>
struct Name {
  char text[kSize];
  consteval Name(const char (&given)[kSize]) { std::copy_n(given, kSize, text); }
};

// Calls `kFunction`, and puts the operator's name in front of its errors.
template <Name kName, auto kFunction>
struct Named;

template <Name kName, typename Result, typename... Arguments, Result (*kFunction)(Arguments...)>
struct Named<kName, kFunction> {
  static Result call(Arguments... arguments) {
    try {
      return kFunction(arguments...);
    } catch (const std::exception& error) {
      throw std::runtime_error("windrow::" + std::string(kName.text) + ": " + error.what());
    }
  }
};

template <Name kName, auto kFunction>
void implement(torch::stable::detail::StableLibrary& library) {
  using Kernel = Named<kName, kFunction>;
  library.impl(kName.text, TORCH_BOX(&Kernel::call));
}

STABLE_TORCH_LIBRARY(windrow, library) {
  library.def("index_select(Tensor self, int dim, Tensor index) -> Tensor");
  library.def("take(Tensor self, Tensor index, *, int? dim=None) -> Tensor");
  library.def("gather(Tensor self, int dim, Tensor index) -> Tensor");
  library.def(
      "embedding(Tensor weight, Tensor indices, int padding_idx=-1, "
      "bool scale_grad_by_freq=False) -> Tensor");
  library.def("gather_nd(Tensor self, Tensor index) -> Tensor");
  library.def("index_add(Tensor self, int dim, Tensor index, Tensor source) -> Tensor");
  library.def("index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> ()");
  library.def("scatter(Tensor self, int dim, Tensor index, Tensor src) -> Tensor");
  library.def("scatter_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> ()");
  library.def(
      "scatter_reduce(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, "
      "bool include_self=True) -> Tensor");
  library.def(
      "scatter_reduce_(Tensor(a!) self, int dim, Tensor index, Tensor src, str reduce, *, "
      "bool include_self=True) -> ()");
  library.def("scatter_nd(Tensor self, Tensor index, Tensor src, str reduce=\"none\") -> Tensor");
  library.def("scatter_nd_(Tensor(a!) self, Tensor index, Tensor src, str reduce=\"none\") -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(windrow, CPU, library) {
  implement<"index_select", index_select>(library);
  implement<"take", take>(library);
  implement<"gather", gather>(library);
  implement<"embedding", embedding>(library);
  implement<"gather_nd", gather_nd>(library);
  implement<"index_add", index_add>(library);
  implement<"index_add_", index_add_in_place>(library);
  implement<"scatter", scatter>(library);
  implement<"scatter_", scatter_in_place>(library);
  implement<"scatter_reduce", scatter_reduce>(library);
  implement<"scatter_reduce_", scatter_reduce_in_place>(library);
  implement<"scatter_nd", scatter_nd>(library);
  implement<"scatter_nd_", scatter_nd_in_place>(library);
}

}  // namespace
}  // namespace windrow::torch_plugin
