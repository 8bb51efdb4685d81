#include "src/arrow/output.h"

#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "src/base/result_pool.h"

namespace windrow::arrow {
namespace {

using State = std::shared_ptr<const OutputState>;

// What an exported array points to.
struct WrittenArray {
  State state;  // keeps the buffers
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
};

void release_array(ArrowArray* array) {
  for (std::int64_t i = 0; i < array->n_children; ++i) {
    ArrowArray* const child = array->children[i];
    if (child->release != nullptr) child->release(child);  // else its consumer has moved it
  }
  delete static_cast<WrittenArray*>(array->private_data);
  array->release = nullptr;
}

// May throw std::bad_alloc; then `out` is left as it is.
void write(const State& state, const Made& made, ArrowArray* out) {
  auto kept = std::make_unique<WrittenArray>();
  kept->state = state;
  for (const Buffer& buffer : made.buffers) kept->buffers.push_back(buffer.data);
  kept->children.resize(made.children.size());
  kept->pointers.resize(made.children.size());
  std::size_t done = 0;
  try {
    for (; done < made.children.size(); ++done) {
      write(state, made.children[done], &kept->children[done]);
      kept->pointers[done] = &kept->children[done];
    }
  } catch (const std::bad_alloc&) {
    while (done-- > 0) kept->children[done].release(&kept->children[done]);
    throw;
  }
  out->length = made.length;
  out->null_count = made.null_count;
  out->offset = 0;
  out->n_buffers = static_cast<std::int64_t>(kept->buffers.size());
  out->n_children = static_cast<std::int64_t>(kept->children.size());
  out->buffers = kept->buffers.data();
  out->children = kept->pointers.data();
  out->dictionary = nullptr;
  out->release = &release_array;
  out->private_data = kept.release();
}

// What an exported stream points to.
struct WrittenStream {
  Output output;
  bool is_done = false;
  std::string error;
};

WrittenStream& written(ArrowArrayStream* stream) {
  return *static_cast<WrittenStream*>(stream->private_data);
}

int code_of(WrittenStream& stream, const Status& status) {
  if (status) return 0;
  stream.error = status.message();
  return ENOMEM;
}

int next_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return code_of(written(stream), written(stream).output.export_schema(out));
}

int next_array(ArrowArrayStream* stream, ArrowArray* out) {
  WrittenStream& kept = written(stream);
  if (kept.is_done) {
    *out = ArrowArray{};
    return 0;
  }
  const int code = code_of(kept, kept.output.export_array(out));
  kept.is_done = code == 0;
  return code;
}

const char* last_error(ArrowArrayStream* stream) {
  const std::string& error = written(stream).error;
  return error.empty() ? nullptr : error.c_str();
}

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<WrittenStream*>(stream->private_data);
  stream->release = nullptr;
}

// Consumers of columns hold on to many results of some megabytes, and free them in any order. In
// the heap of malloc() each of these would have new pages again and again.
constexpr std::size_t kLeastPooledBuffer = std::size_t{1} << 20;

struct FreeBuffer {
  ResultMemory memory;
  void operator()(void* /*data*/) const noexcept {
    if (memory.bytes < kLeastPooledBuffer) return free_result(memory);
    windrow::internal::free_pooled(memory);
  }
};

}  // namespace

Result<NewBuffer> new_buffer(std::int64_t bytes) {
  constexpr std::int64_t kGrain = 64;
  if (bytes > std::numeric_limits<std::int64_t>::max() - kGrain)
    return Status(ErrorCode::kOutOfMemory, "a buffer of the result needs more than 2^63-1 bytes");
  const std::int64_t rounded = bytes / kGrain * kGrain + kGrain;
  const auto size = static_cast<std::size_t>(rounded);
  const ResultMemory memory =
      size >= kLeastPooledBuffer ? windrow::internal::allocate_pooled(size) : allocate_result(size);
  if (memory.data == nullptr)
    return Status(ErrorCode::kOutOfMemory,
                  "a buffer of the result needs " + std::to_string(rounded) + " bytes");
  auto* const data = static_cast<std::byte*>(memory.data);
  std::memset(data + rounded - kGrain, 0, kGrain);
  // If there is no memory for the owner itself, the constructor frees the block.
  return NewBuffer{std::shared_ptr<void>(data, FreeBuffer{memory}), data, memory.is_recycled};
}

std::int64_t Output::length() const noexcept { return state_->array.length; }
bool Output::is_table() const noexcept { return state_->is_table; }

Status Output::export_schema(ArrowSchema* out) const {
  return write_schema(state_->field, state_->array, out);
}

Status Output::export_array(ArrowArray* out) const {
  try {
    write(state_, state_->array, out);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kOutOfMemory, "no memory for the description of a result"};
  }
  return {};
}

Status Output::export_stream(ArrowArrayStream* out) const {
  auto* const kept = new (std::nothrow) WrittenStream{*this, false, {}};
  if (kept == nullptr) return {ErrorCode::kOutOfMemory, "no memory for the stream of a result"};
  *out = {&next_schema, &next_array, &last_error, &release_stream, kept};
  return {};
}

}  // namespace windrow::arrow
