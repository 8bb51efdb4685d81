#include "src/tables/table_state.h"

#include <unistd.h>

#include <algorithm>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "src/base/integers.h"
#include "src/formats/tensor_place.h"
#include "src/tables/call_number.h"

namespace windrow::internal {
namespace {

constexpr int kMostDepth = 1024;

Status invalid(std::string message) {
  return Status(ErrorCode::kInvalidArgument, "a table on disk: " + std::move(message));
}

// Whether the caller describes what is in the file.
bool is_described(const TablePart& part) {
  return part.dtype != DType::kAbsent && !part.shape.empty();
}

// Where the tensor stands of a file that does not say what is in it.
Result<TensorPlace> described_place(const TablePart& part) {
  TensorPlace place{part.path, part.name, part.dtype, part.shape, part.first_byte};
  if (part.first_byte < 0) return invalid("first_byte is " + std::to_string(part.first_byte));
  if (!part.name.empty())
    return invalid("a name is given for '" + part.path.string() +
                   "', whose type and shape are given, too");
  const auto file = BlockFile::open(part.path, false);
  if (!file) return file.error();
  const Status status = check_place(place, file->size());
  if (!status) return status.with_context("'" + part.path.string() + "'");
  return place;
}

// Where the tensor stands of a file that says what is in it. A type that is given is of elements
// that the file has no name for, or must be that of the file.
Result<std::vector<TensorPlace>> found_places(const TablePart& part) {
  const std::string file = "'" + part.path.string() + "'";
  if (!part.shape.empty()) return invalid("a shape is given for " + file + " without a type");
  if (part.first_byte != 0)
    return invalid("first_byte is given for " + file + " without a type and a shape");
  auto places = find_tensor(part.path, part.name, part.dtype);
  if (!places || part.dtype == DType::kAbsent) return places;
  for (const TensorPlace& place : *places)
    if (place.dtype != part.dtype)
      return Status(ErrorCode::kType, file + " has type " + std::string(dtype_name(place.dtype)) +
                                          ", the type given is " +
                                          std::string(dtype_name(part.dtype)));
  return places;
}

Result<std::vector<TensorPlace>> places_of(const TablePart& part) {
  if (!is_described(part)) return found_places(part);
  auto place = described_place(part);
  if (!place) return place.error();
  return std::vector<TensorPlace>{*std::move(place)};
}

// An archive has a checksum of every member, which would no longer be right.
Status check_may_be_written(std::span<const TablePart> parts) {
  for (const TablePart& part : parts)
    if (!is_described(part) && part.path.extension() == ".npz")
      return Status(ErrorCode::kUnsupported,
                    "'" + part.path.string() +
                        "' cannot be opened for writing: an archive has checksums of its members");
  return {};
}

bool same_rows(const Shape& a, const Shape& b) {
  if (a.rank() != b.rank()) return false;
  for (int axis = 1; axis < a.rank(); ++axis)
    if (a[axis] != b[axis]) return false;
  return true;
}

}  // namespace

IdleEngines::~IdleEngines() {
  while (take() != nullptr) {
  }
}

std::unique_ptr<ReadEngine> IdleEngines::take() {
  for (std::atomic<Idle*>& place : places_) {
    const std::unique_ptr<Idle> idle(place.exchange(nullptr));
    if (idle != nullptr && idle->process == ::getpid()) return std::move(idle->engine);
  }
  return nullptr;
}

void IdleEngines::put(std::unique_ptr<ReadEngine> engine) noexcept {
  std::unique_ptr<Idle> idle(new (std::nothrow) Idle{std::move(engine), ::getpid()});
  if (idle == nullptr) return;
  for (std::atomic<Idle*>& place : places_) {
    Idle* none = nullptr;
    if (!place.compare_exchange_strong(none, idle.get())) continue;
    (void)idle.release();  // NOLINT: the place owns it now
    return;
  }
}

Result<std::shared_ptr<const TableState>> TableState::open(std::span<const TablePart> parts,
                                                           const TableOptions& options,
                                                           std::shared_ptr<RowCache> cache,
                                                           bool is_shard) {
  if (parts.empty()) return invalid("no part is given");
  if (options.depth < 1 || options.depth > kMostDepth)
    return invalid("depth is " + std::to_string(options.depth) + ", must be in [1, " +
                   std::to_string(kMostDepth) + "]");
  if (options.reads == TableReads::kReadAhead && options.direct.value_or(false))
    return invalid("reads of 'read_ahead' go through the page cache, and direct is true");
  if (options.writable)
    if (Status status = check_may_be_written(parts); !status) return status;
  const std::shared_ptr<TableState> state(new TableState());
  std::optional<bool> direct = options.direct;
  if (options.reads == TableReads::kReadAhead) direct = false;
  for (const TablePart& part : parts)
    if (Status status = state->add(part, direct); !status) return status;
  if (Status status = state->hold_files(options, is_shard); !status) return status;
  static std::atomic<std::uint64_t> last_number = 0;
  state->number_ = ++last_number;
  state->cache_ = std::move(cache);
  state->process_ = ::getpid();
  state->depth_ = options.depth;
  if (Status status = state->choose_reads(options); !status) return status;
  return std::shared_ptr<const TableState>(state);
}

Status TableState::add(const TablePart& part, std::optional<bool> direct) {
  const auto places = places_of(part);
  if (!places) return places.error();
  for (const TensorPlace& place : *places) {
    const std::string file = "'" + place.path.string() + "'";
    if (place.shape.empty())
      return Status(ErrorCode::kShape, file + " holds a scalar, which has no rows");
    if (pieces_.empty() && shape_.empty()) {
      dtype_ = place.dtype;
      shape_ = place.shape;
      shape_[0] = 0;
    }
    if (place.dtype != dtype_)
      return Status(ErrorCode::kType, file + " has type " + std::string(dtype_name(place.dtype)) +
                                          ", the parts before it have " +
                                          std::string(dtype_name(dtype_)));
    if (!same_rows(shape_, place.shape))
      return Status(ErrorCode::kShape, file + " has shape " + to_string(place.shape) +
                                           ", whose rows are not those of " + to_string(shape_));
    const auto rows = checked_add(shape_[0], place.shape[0]);
    Shape shape = shape_;
    shape[0] = rows.value_or(-1);
    const auto bytes = dense_byte_count(dtype_, shape);
    if (!bytes) return Status(ErrorCode::kShape, "a table on disk has more than 2^63-1 bytes");
    const std::int64_t low = dense_byte_count(dtype_, shape_).value_or(0);
    shape_ = shape;
    if (*bytes == low) continue;
    auto opened = BlockFile::open(place.path, direct);
    if (!opened) return opened.error();
    if (place.first_byte > opened->size() - (*bytes - low))
      return Status(ErrorCode::kFormat, file + " was cut while it was opened");
    files_.push_back(std::make_unique<BlockFile>(*std::move(opened)));
    pieces_.push_back({files_.back().get(), low, *bytes, place.first_byte});
  }
  return {};
}

Status TableState::hold_files(const TableOptions& options, bool is_shard) {
  if (!options.writable) return lock_for_reading(layout());
  auto writer = TableWriter::open(layout(), options.durability, is_shard);
  if (!writer) return writer.error();
  writer_ = *std::move(writer);
  return {};
}

Result<std::int64_t> TableState::read_call_number() const {
  if (pieces_.empty()) return 0;
  const std::filesystem::path path = call_number_path(files_.front()->path());
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return 0;
  const auto file = SystemFile::open_for_reading(path);
  if (!file) return file.error();
  return internal::read_call_number(**file);
}

Status TableState::write(const Tensor& rows, const TensorView& values,
                         std::optional<std::int64_t> call_number) const {
  const auto bytes = static_cast<std::size_t>(*dense_byte_count(values.dtype, values.shape));
  return writer_->write(rows.values<std::int64_t>(),
                        {static_cast<const std::byte*>(values.data), bytes}, call_number,
                        [&](std::int64_t byte) {
                          if (RowCache* const kept = cache(); kept != nullptr)
                            kept->erase(number_, std::span(&byte, 1));
                        });
}

Status TableState::choose_reads(const TableOptions& options) {
  const bool is_direct =
      std::all_of(files_.begin(), files_.end(), [](const auto& file) { return file->is_direct(); });
  // A kernel may refuse a ring although it knows the operation: the first one is made now.
  const auto try_engine = [&](TableReads reads) -> Status {
    reads_ = reads;
    auto engine = make_engine_of(reads);
    if (!engine) return engine.error();
    engines_.put(*std::move(engine));
    return {};
  };
  spare_reads_ = options.reads;
  if (options.reads != TableReads::kBest) return try_engine(options.reads);
  spare_reads_ = is_direct ? TableReads::kThreads : TableReads::kReadAhead;
  if (has_ring_engine() && try_engine(TableReads::kUring)) return {};
  return try_engine(spare_reads_);
}

// A lock of the cache may be closed for good in a process that was forked.
RowCache* TableState::cache() const noexcept {
  return cache_ != nullptr && process_ == ::getpid() ? cache_.get() : nullptr;
}

Engine TableState::make_engine() const {
  Engine engine = make_engine_of(reads_);
  if (engine || spare_reads_ == reads_) return engine;
  return make_engine_of(spare_reads_);
}

Engine TableState::make_engine_of(TableReads reads) const {
  const EngineOptions options{depth_, kMostReadBytes};
  switch (reads) {
    case TableReads::kThreads:
      return make_thread_engine(options);
    case TableReads::kReadAhead:
      return make_read_ahead_engine(options);
    default:
      return make_ring_engine(options);
  }
}

Status TableState::read(RowFetch& fetch) const {
  std::unique_ptr<ReadEngine> engine = engines_.take();
  if (engine == nullptr) {
    auto made = make_engine();
    if (!made) return made.error();
    engine = *std::move(made);
  }
  Status status = engine->run(fetch);
  // After an error nobody knows the engine's state.
  if (status) engines_.put(std::move(engine));
  counters_.reads += fetch.counts().reads;
  counters_.read_bytes += fetch.counts().bytes;
  return status;
}

TableDescription TableState::describe() const {
  TableDescription description;
  description.dtype = dtype_;
  description.shape = shape_;
  description.reads = std::string(table_reads_name(reads_));
  description.depth = depth_;
  description.is_direct = !files_.empty();
  for (const auto& file : files_) {
    description.files.push_back(file->path().string());
    description.is_direct &= file->is_direct();
    description.block = std::max(description.block, file->block());
  }
  return description;
}

}  // namespace windrow::internal
