#ifndef WINDROW_PLUGINS_ONNXRUNTIME_PROVIDER_H_
#define WINDROW_PLUGINS_ONNXRUNTIME_PROVIDER_H_

#include <vector>

#include "plugins/onnxruntime/host.h"
#include "windrow/operators.h"

namespace windrow::plugins {

// Windrow's part of one session: the nodes that it takes and the kernels that run them.
class Provider : public OrtEp {
 public:
  // `rows` must outlive the provider; `threads` is the size of the session's pool.
  Provider(const Host& host, const std::vector<OperatorInfo>& rows, int threads);
  Provider(const Provider&) = delete;
  Provider& operator=(const Provider&) = delete;
  ~Provider();

  // Makes the registry. Must be called once, before the host receives the provider.
  OrtStatus* set_up();

 private:
  // The object that the host passes back when it makes a kernel.
  struct KernelMaker {
    const Provider* provider;
    const OperatorInfo* row;
  };

  OrtStatus* add_kernel(KernelMaker& maker);
  OrtStatus* take_nodes(const OrtGraph* graph, OrtEpGraphSupportInfo* support) const;
  OrtStatus* take_node(const OrtNode* node, OrtEpGraphSupportInfo* support) const;

  const Host host_;
  const int threads_;
  std::vector<KernelMaker> makers_;
  OrtKernelRegistry* registry_ = nullptr;
};

// The rows of the operators that the host has and can call without knowing the value of an input in
// advance.
std::vector<OperatorInfo> kernel_rows();

}  // namespace windrow::plugins

#endif  // WINDROW_PLUGINS_ONNXRUNTIME_PROVIDER_H_
