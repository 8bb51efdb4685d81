#ifndef WINDROW_ARROW_H_
#define WINDROW_ARROW_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "windrow/export.h"
#include "windrow/options.h"
#include "windrow/plan.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// The structures of Arrow's C data interface and C stream interface, as their specifications
// declare them (https://arrow.apache.org/docs/format/CDataInterface.html).
extern "C" {

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif  // ARROW_C_STREAM_INTERFACE
}

// Look-ups on Arrow columns through Arrow's C data interface. What is supported, and which checks
// of a producer's structures are possible: docs/guide/arrow.md.
namespace windrow::arrow {

struct InputState;
struct OutputState;

// The rows of a column, or of a table, whose memory belongs to another library: arrays of one
// type, one after another. Immutable and cheap to copy. The producer's arrays are released, each
// once, when the last copy and the last result that shares memory with it are gone; on any thread.
// A struct that is not nullable is a table: null ids make nulls in its fields.
class Input {
 public:
  // Takes the schema and the array over, also when it fails: both are released structures then.
  // `role` names the input in messages, "values". Errors: kInvalidArgument (a released structure,
  // or one that contradicts itself; the message names column and rule), kUnsupported (a type that
  // cannot be looked up; the message names column and type), kOutOfMemory.
  WINDROW_EXPORT static Result<Input> from_array(ArrowSchema* schema, ArrowArray* array,
                                                 std::string role);
  // Takes the stream over and reads all its arrays. Errors as above, and kIo with the stream's own
  // message.
  WINDROW_EXPORT static Result<Input> from_stream(ArrowArrayStream* stream, std::string role);

  WINDROW_EXPORT std::int64_t length() const noexcept;
  WINDROW_EXPORT bool is_table() const noexcept;

  explicit Input(std::shared_ptr<const InputState> state) noexcept : state_(std::move(state)) {}
  const InputState& state() const noexcept { return *state_; }
  const std::shared_ptr<const InputState>& shared() const noexcept { return state_; }

 private:
  std::shared_ptr<const InputState> state_;
};

// The rows that a function of this header made, in one array. Immutable and cheap to copy.
class Output {
 public:
  WINDROW_EXPORT std::int64_t length() const noexcept;
  WINDROW_EXPORT bool is_table() const noexcept;
  // Each fills in a structure whose release is null, or which is not initialised. The structure
  // shares the memory and keeps it alive until its consumer releases it. Errors: kOutOfMemory.
  WINDROW_EXPORT Status export_schema(ArrowSchema* out) const;
  WINDROW_EXPORT Status export_array(ArrowArray* out) const;
  // A stream of the one array.
  WINDROW_EXPORT Status export_stream(ArrowArrayStream* out) const;

  explicit Output(std::shared_ptr<const OutputState> state) noexcept : state_(std::move(state)) {}
  const OutputState& state() const noexcept { return *state_; }

 private:
  std::shared_ptr<const OutputState> state_;
};

// Row numbers: a column of integers of any width, or a tensor of rank 1 that outlives the call.
struct Ids {
  std::optional<Input> column;  // present: the members below are ignored
  TensorView tensor;            // integers, rank 1, any stride
  const std::uint8_t* validity =
      nullptr;  // bit i, from the lowest of byte 0: whether id i is valid
};

struct Options {
  // Absent, or kFromEnd and no policy: as array.Take says (docs/operators/array.md). Policies:
  // take() has all but kSkip, scatter() all but kZero. `duplicates` is for scatter(); `strict` has
  // no effect, `kernels` none on what no plan moves.
  CallOptions call;
  // take(): an id that is out of range gives null. Outranks call.out_of_range.
  bool null_out_of_range = false;
};

// Rows of `values`: row i of the result is row ids[i], null if the id is null. A bad id
// is never used, also if ids change during the call. Errors: kIndexOutOfRange (names the column,
// position and value, and lists as many bad ids as the run asks for), kType (ids that are not
// integers), kInvalidArgument (options; text offsets that contradict themselves; a result with more
// text than its type can address), kOutOfMemory, kInterrupted.
WINDROW_EXPORT Result<Output> take(const Input& values, const Ids& ids, const Options& options = {},
                                   const RunOptions& run = {});

// The rows that take() gives for values of `length` rows: a column of int64 without nulls, -1 where
// the result is null or zero. Errors: those of take() about ids and options; kInvalidArgument for a
// negative length.
WINDROW_EXPORT Result<Output> row_numbers(std::int64_t length, const Ids& ids,
                                          const Options& options = {}, const RunOptions& run = {});

// A copy of `column` whose row ids[i] is row i of `values`, in order: the last one wins. A null in
// `values` makes a null, a null id has no effect. `values` has the type of `column`. Errors as
// above; kType, kShape (unequal numbers of ids and values), kDuplicate.
WINDROW_EXPORT Result<Output> scatter(const Input& column, const Ids& ids, const Input& values,
                                      const Options& options = {}, const RunOptions& run = {});

}  // namespace windrow::arrow

#endif  // WINDROW_ARROW_H_
