#include "tests/random/call_digest.h"

#include "tests/random/run_call.h"
#include "tests/support/elements.h"

namespace windrow::tests {

void Digest::add_bytes(std::string_view bytes) noexcept {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  for (const char byte : bytes) value_ = (value_ ^ static_cast<unsigned char>(byte)) * kPrime;
}

void Digest::add_text(std::string_view text) noexcept {
  std::string length;
  for (unsigned shift = 0; shift < 64; shift += 8)
    length.push_back(static_cast<char>((std::uint64_t{text.size()} >> shift) & 0xff));
  add_bytes(length);
  add_bytes(text);
}

void add_tensor(const TensorView& tensor, Digest& digest) {
  digest.add_text(dtype_name(tensor.dtype));
  digest.add_text(to_string(tensor.shape));
  if (element_count(tensor.shape).value_or(0) == 0) return;
  Dims position = Dims::filled(tensor.shape.rank(), 0);
  do {
    const std::string element = read_element(tensor, position);
    if (tensor.dtype == DType::kString) {
      digest.add_text(element);
    } else {
      digest.add_bytes(element);
    }
  } while (next_position(tensor.shape, position));
}

void add_error(const Status& error, Digest& digest) {
  digest.add_text(error_code_name(error.code()));
  digest.add_text(error.constraint());
  digest.add_text(error.operator_name());
  digest.add_text(error.message());
}

void add_call(const RandomCall& call, Digest& digest) {
  digest.add_text(describe(call));
  for (const TensorView& input : call.views())
    if (!input.is_absent()) add_tensor(input, digest);
}

void add_outcome(const RandomCall& call, const std::string& kernels, Digest& digest) {
  if (is_too_large(call)) return digest.add_text("too large");
  const Result<Plan> plan = compile_call(call, kernels);
  if (!plan) return add_error(plan.error(), digest);
  StridedBuffer out = make_out(call, *plan);
  const Status status = plan->run(views_of_run(call, out), out.mutable_view());
  if (!status.ok()) return add_error(status, digest);
  add_tensor(out.view(), digest);
}

}  // namespace windrow::tests
