#ifndef WINDROW_PLUGINS_ONNXRUNTIME_KERNEL_H_
#define WINDROW_PLUGINS_ONNXRUNTIME_KERNEL_H_

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugins/onnxruntime/host.h"
#include "src/base/shelf.h"
#include "windrow/operators.h"
#include "windrow/plan.h"
#include "windrow/tensor.h"

namespace windrow::plugins {

// A plan with the views that it runs on; only their memory changes from call to call. Belongs to
// one thread at a time.
struct ReadyCall {
  Plan plan;
  std::vector<TensorView> inputs;
  MutableTensorView output;
};

// The latest calls of one node: enough for the shapes of a few batch sizes in a few threads.
using ReadyCalls = internal::Shelf<ReadyCall, 16>;

// The largest number of inputs of a row that may become a kernel.
inline constexpr std::size_t kMostInputs = 4;

// The host's input in one call. An omitted input has no type.
struct HostTensor {
  DType dtype = DType::kAbsent;
  const std::int64_t* shape = nullptr;
  std::size_t rank = 0;
  const void* data = nullptr;  // for strings, the host's value is `value`
  const OrtValue* value = nullptr;
};

// One node of a session. Runs may come from several threads at the same time.
class Kernel : public OrtKernelImpl {
 public:
  Kernel(const Host& host, const OperatorInfo& row, const OrtKernelInfo* info, int threads);

 private:
  using Inputs = std::array<HostTensor, kMostInputs>;

  OrtStatus* run(OrtKernelContext* context);
  OrtStatus* read_inputs(const OrtKernelContext* context, Inputs& inputs) const;
  OrtStatus* run_numbers(ReadyCall& call, OrtKernelContext* context) const;
  OrtStatus* run_strings(ReadyCall& call, const Inputs& inputs, OrtKernelContext* context) const;
  Result<std::unique_ptr<ReadyCall>> make_call(const Inputs& inputs) const;
  bool fits(const ReadyCall& call, const Inputs& inputs) const noexcept;
  Status run_plan(ReadyCall& call, const MutableTensorView& output,
                  const OrtKernelContext* context) const;

  const Host host_;
  const OperatorInfo& row_;
  const Attributes attributes_;
  const int threads_;
  std::size_t input_count_ = 0;
  // The strings of inputs that are constant string tensors, read once; empty for other inputs.
  std::array<std::vector<std::string>, kMostInputs> constant_strings_;
  ReadyCalls calls_;
};

// The attributes of `row` that a node gives. Returns nothing if one of them has another type.
std::optional<Attributes> read_attributes(const OrtApi& ort, const OrtNode* node,
                                          const OperatorInfo& row);

// Same as above when the host makes the node's kernel. The types must have been checked.
Attributes read_attributes(const OrtApi& ort, const OrtKernelInfo* info, const OperatorInfo& row);

}  // namespace windrow::plugins

#endif  // WINDROW_PLUGINS_ONNXRUNTIME_KERNEL_H_
