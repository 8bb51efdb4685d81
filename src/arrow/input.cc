#include "src/arrow/input.h"

#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace windrow::arrow {
namespace {

using SharedState = std::shared_ptr<InputState>;

Status no_memory(const std::string& role) {
  return {ErrorCode::kOutOfMemory, role + ": no memory for the columns' descriptions"};
}

Result<SharedState> start(const ArrowSchema& schema, std::string role) {
  auto state = std::make_shared<InputState>();
  const bool is_table = is_table_schema(schema);
  const bool named = !is_table && schema.name != nullptr;
  state->place = {std::move(role), named ? schema.name : "", is_table};
  Result<Field> field = read_field(schema, state->place);
  if (!field) return field.error();
  state->field = *std::move(field);
  return state;
}

// Takes over an array that is not released.
Status add(InputState& state, Owned<ArrowArray> array) {
  Result<Chunk> chunk = read_chunk(state.field, *array, 0, (*array).length, state.place);
  if (!chunk) return chunk.error();
  if (chunk->length == 0) return {};
  if (__builtin_add_overflow(state.length, chunk->length, &state.length))
    return contradiction(state.place, "the arrays have more than 2^63-1 rows");
  state.starts.push_back(state.length - chunk->length);
  state.chunks.push_back(*std::move(chunk));
  state.arrays.push_back(std::move(array));
  return {};
}

Result<Input> finish(SharedState state) {
  state->starts.push_back(state->length);
  return Input(std::move(state));
}

// The error of a stream's function, which returned `code`.
Status stream_error(Owned<ArrowArrayStream>& stream, const std::string& role, int code) {
  const char* const said =
      stream->get_last_error == nullptr ? nullptr : stream->get_last_error(&*stream);
  return {ErrorCode::kIo, role + ": the stream failed: " +
                              (said != nullptr ? said : "error " + std::to_string(code))};
}

Result<Input> read_stream(Owned<ArrowArrayStream>& stream, std::string role) {
  if (stream->release == nullptr || stream->get_schema == nullptr || stream->get_next == nullptr)
    return Status(ErrorCode::kInvalidArgument, role + ": the stream has been released");
  ArrowSchema schema{};
  if (const int code = stream->get_schema(&*stream, &schema); code != 0)
    return stream_error(stream, role, code);
  const Owned<ArrowSchema> owned(&schema);
  Result<SharedState> state = start(*owned, role);
  if (!state) return state.error();
  for (;;) {
    ArrowArray array{};
    if (const int code = stream->get_next(&*stream, &array); code != 0)
      return stream_error(stream, role, code);
    if (array.release == nullptr) return finish(*std::move(state));
    if (Status status = add(**state, Owned<ArrowArray>(&array)); !status) return status;
  }
}

}  // namespace

Result<Input> Input::from_array(ArrowSchema* schema, ArrowArray* array, std::string role) {
  const Owned<ArrowSchema> owned_schema(schema);
  Owned<ArrowArray> owned_array(array);
  try {
    if ((*owned_array).release == nullptr)
      return Status(ErrorCode::kInvalidArgument, role + ": the array has been released");
    Result<SharedState> state = start(*owned_schema, std::move(role));
    if (!state) return state.error();
    if (Status status = add(**state, std::move(owned_array)); !status) return status;
    return finish(*std::move(state));
  } catch (const std::bad_alloc&) {
    return no_memory("arrow");
  }
}

Result<Input> Input::from_stream(ArrowArrayStream* stream, std::string role) {
  Owned<ArrowArrayStream> owned(stream);
  try {
    return read_stream(owned, std::move(role));
  } catch (const std::bad_alloc&) {
    return no_memory("arrow");
  }
}

std::int64_t Input::length() const noexcept { return state_->length; }
bool Input::is_table() const noexcept { return state_->place.is_table; }

}  // namespace windrow::arrow
