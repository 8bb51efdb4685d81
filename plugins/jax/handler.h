#ifndef WINDROW_PLUGINS_JAX_HANDLER_H_
#define WINDROW_PLUGINS_JAX_HANDLER_H_

namespace windrow::jax {

// The function that XLA calls for the CPU: an XLA_FFI_Handler of the execute stage, to be
// registered under any name. Null if the library was built without XLA's header.
//
// One call runs one operator. Attributes: "dialect" and "operator" (text); "version" and
// "padding_index" (integers), "out_of_range" and "negative" (text), which are optional; every other
// attribute is the operator's: an integer, a truth value, a float or text. Operands are the
// operator's inputs in its order, dense and row-major. An input whose value the plan is compiled
// for (OpenVINO's axis) is an integer attribute instead. There is one result. Every type and extent
// of operands and result is checked here, since XLA checks none. A result in the memory of the
// first operand is an in-place scatter. Several threads may call the handler at the same time.
// Errors are passed to XLA with the library's text.
void* ffi_handler() noexcept;

}  // namespace windrow::jax

#endif  // WINDROW_PLUGINS_JAX_HANDLER_H_
