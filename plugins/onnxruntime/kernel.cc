#include "plugins/onnxruntime/kernel.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "plugins/onnxruntime/host.h"
#include "plugins/onnxruntime/strings.h"

namespace windrow::plugins {
namespace {

// The value of an input that is an initializer, or null.
const OrtValue* constant_input(const OrtApi& ort, const OrtKernelInfo* info, std::size_t input) {
  int is_constant = 0;
  const OrtValue* value = nullptr;
  OrtStatus* status = ort.KernelInfoGetConstantInput_tensor(info, input, &is_constant, &value);
  return succeeded(ort, status) && is_constant != 0 ? value : nullptr;
}

DType type_of(const OrtApi& ort, const OrtValue* value) {
  HostTensor tensor;
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  OrtStatus* status =
      ort.GetTensorElementTypeAndShapeDataReference(value, &type, &tensor.shape, &tensor.rank);
  return succeeded(ort, status) ? from_host(type) : DType::kAbsent;
}

}  // namespace

Kernel::Kernel(const Host& host, const OperatorInfo& row, const OrtKernelInfo* info, int threads)
    : OrtKernelImpl{},
      host_(host),
      row_(row),
      attributes_(read_attributes(host.ort, info, row)),
      threads_(threads) {
  ort_version_supported = kHostVersion;
  Compute = [](OrtKernelImpl* self, OrtKernelContext* context) noexcept -> OrtStatus* {
    auto& kernel = *static_cast<Kernel*>(self);
    return guarded(kernel.host_.ort, [&] { return kernel.run(context); });
  };
  Release = [](OrtKernelImpl* self) noexcept { delete static_cast<Kernel*>(self); };
  if (!succeeded(host.ort, host.ort.KernelInfo_GetInputCount(info, &input_count_))) return;
  for (std::size_t i = 0; i < std::min(input_count_, kMostInputs); ++i) {
    const OrtValue* value = constant_input(host.ort, info, i);
    // Strings that cannot be read now are read by the run, which reports the error.
    if (value != nullptr && type_of(host.ort, value) == DType::kString)
      succeeded(host.ort, read_strings(host.ort, value, constant_strings_[i]));
  }
}

OrtStatus* Kernel::run(OrtKernelContext* context) {
  Inputs inputs;
  if (OrtStatus* status = read_inputs(context, inputs)) return status;
  auto call = calls_.take([&](const ReadyCall& ready) { return fits(ready, inputs); });
  if (call == nullptr) {
    auto made = make_call(inputs);
    if (!made) return to_host(host_.ort, made.error());
    call = *std::move(made);
  }
  for (std::size_t i = 0; i < row_.inputs.size(); ++i) call->inputs[i].data = inputs[i].data;
  OrtStatus* status = call->output.dtype == DType::kString ? run_strings(*call, inputs, context)
                                                           : run_numbers(*call, context);
  calls_.put(std::move(call));
  return status;
}

OrtStatus* Kernel::read_inputs(const OrtKernelContext* context, Inputs& inputs) const {
  const OrtApi& ort = host_.ort;
  for (std::size_t i = 0; i < std::min(input_count_, row_.inputs.size()); ++i) {
    HostTensor& input = inputs[i];
    if (OrtStatus* status = ort.KernelContext_GetInput(context, i, &input.value)) return status;
    if (input.value == nullptr) continue;
    ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
    if (OrtStatus* status = ort.GetTensorElementTypeAndShapeDataReference(
            input.value, &type, &input.shape, &input.rank))
      return status;
    input.dtype = from_host(type);
    if (input.dtype == DType::kString) continue;
    if (OrtStatus* status = ort.GetTensorData(input.value, &input.data)) return status;
  }
  return nullptr;
}

bool Kernel::fits(const ReadyCall& call, const Inputs& inputs) const noexcept {
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const TensorView& view = call.inputs[i];
    if (view.dtype != inputs[i].dtype) return false;
    if (!std::equal(view.shape.begin(), view.shape.end(), inputs[i].shape,
                    inputs[i].shape + inputs[i].rank))
      return false;
  }
  return true;
}

Result<std::unique_ptr<ReadyCall>> Kernel::make_call(const Inputs& inputs) const {
  std::vector<TensorView> views;
  std::vector<TensorSpec> specs;
  for (std::size_t i = 0; i < row_.inputs.size(); ++i) {
    const std::span<const std::int64_t> shape(inputs[i].shape, inputs[i].rank);
    if (shape.size() > static_cast<std::size_t>(kMaxRank))
      return Status(ErrorCode::kShape, row_.name + ": " + row_.inputs[i].name + " has rank " +
                                           std::to_string(shape.size()) + "; the most is " +
                                           std::to_string(kMaxRank));
    views.emplace_back(inputs[i].dtype, Shape(shape), nullptr);
    specs.push_back({inputs[i].dtype, views.back().shape, std::nullopt, nullptr});
  }
  auto plan = compile({row_.dialect, row_.name, row_.since_version}, attributes_, specs);
  if (!plan) return plan.error();
  const MutableTensorView output(plan->result().dtype, plan->result().shape, nullptr);
  return std::make_unique<ReadyCall>(ReadyCall{*std::move(plan), std::move(views), output});
}

OrtStatus* Kernel::run_numbers(ReadyCall& call, OrtKernelContext* context) const {
  const Shape& shape = call.output.shape;
  OrtValue* value = nullptr;
  if (OrtStatus* status = host_.ort.KernelContext_GetOutput(
          context, 0, shape.begin(), static_cast<std::size_t>(shape.rank()), &value))
    return status;
  if (OrtStatus* status = host_.ort.GetTensorMutableData(value, &call.output.data)) return status;
  return to_host(host_.ort, run_plan(call, call.output, context));
}

OrtStatus* Kernel::run_strings(ReadyCall& call, const Inputs& inputs,
                               OrtKernelContext* context) const {
  std::array<std::vector<std::string>, kMostInputs> strings;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (inputs[i].dtype != DType::kString) continue;
    const auto* elements = &constant_strings_[i];
    if (elements->empty()) {
      if (OrtStatus* status = read_strings(host_.ort, inputs[i].value, strings[i])) return status;
      elements = &strings[i];
    }
    call.inputs[i].data = elements->data();
  }
  auto result = Tensor::allocate(DType::kString, call.output.shape);
  if (!result) return to_host(host_.ort, result.error());
  if (Status status = run_plan(call, result->mutable_view(), context); !status)
    return to_host(host_.ort, status);
  const Shape& shape = call.output.shape;
  OrtValue* value = nullptr;
  if (OrtStatus* status = host_.ort.KernelContext_GetOutput(
          context, 0, shape.begin(), static_cast<std::size_t>(shape.rank()), &value))
    return status;
  return write_strings(host_.ort, result->values<std::string>(), value);
}

Status Kernel::run_plan(ReadyCall& call, const MutableTensorView& output,
                        const OrtKernelContext* context) const {
  HostThreads threads(host_.ort, context, threads_);
  return call.plan.run(call.inputs, output, {.threads = &threads});
}

namespace {

std::optional<AttributeValue> read_integer(const OrtApi& ort, const OrtOpAttr* attribute) {
  std::int64_t value = 0;
  std::size_t size = 0;
  if (!succeeded(ort, ort.ReadOpAttr(attribute, ORT_OP_ATTR_INT, &value, sizeof(value), &size)))
    return std::nullopt;
  return value;
}

std::optional<AttributeValue> read_text(const OrtApi& ort, const OrtOpAttr* attribute) {
  std::size_t size = 0;  // the first call fails and sets the size that is needed
  succeeded(ort, ort.ReadOpAttr(attribute, ORT_OP_ATTR_STRING, nullptr, 0, &size));
  std::string value(size, '\0');
  if (!succeeded(ort, ort.ReadOpAttr(attribute, ORT_OP_ATTR_STRING, value.data(), size, &size)))
    return std::nullopt;
  return value.c_str();  // whether or not `size` counts a zero byte at the end
}

std::optional<AttributeValue> read(const OrtApi& ort, const OrtOpAttr* attribute,
                                   const AttributeValue& example) {
  OrtOpAttrType type = ORT_OP_ATTR_UNDEFINED;
  if (!succeeded(ort, ort.OpAttr_GetType(attribute, &type))) return std::nullopt;
  if (type == ORT_OP_ATTR_INT && std::holds_alternative<std::int64_t>(example))
    return read_integer(ort, attribute);
  if (type == ORT_OP_ATTR_STRING && std::holds_alternative<std::string>(example))
    return read_text(ort, attribute);
  return std::nullopt;
}

std::optional<AttributeValue> read(const OrtApi& ort, const OrtKernelInfo* info,
                                   const OperatorAttribute& attribute) {
  const char* name = attribute.name.c_str();
  if (std::holds_alternative<std::int64_t>(attribute.default_value)) {
    std::int64_t value = 0;
    if (!succeeded(ort, ort.KernelInfoGetAttribute_int64(info, name, &value))) return std::nullopt;
    return value;
  }
  std::size_t size = 0;
  if (!succeeded(ort, ort.KernelInfoGetAttribute_string(info, name, nullptr, &size)))
    return std::nullopt;
  std::string value(size, '\0');
  if (!succeeded(ort, ort.KernelInfoGetAttribute_string(info, name, value.data(), &size)))
    return std::nullopt;
  return value.c_str();
}

}  // namespace

std::optional<Attributes> read_attributes(const OrtApi& ort, const OrtNode* node,
                                          const OperatorInfo& row) {
  Attributes attributes;
  for (const OperatorAttribute& known : row.attributes) {
    const OrtOpAttr* attribute = nullptr;
    const bool found =
        succeeded(ort, ort.Node_GetAttributeByName(node, known.name.c_str(), &attribute));
    if (!found || attribute == nullptr) continue;
    auto value = read(ort, attribute, known.default_value);
    if (!value) return std::nullopt;
    attributes.emplace(known.name, *std::move(value));
  }
  return attributes;
}

Attributes read_attributes(const OrtApi& ort, const OrtKernelInfo* info, const OperatorInfo& row) {
  Attributes attributes;
  for (const OperatorAttribute& known : row.attributes) {
    auto value = read(ort, info, known);
    if (value) attributes.emplace(known.name, *std::move(value));
  }
  return attributes;
}

}  // namespace windrow::plugins
