#include <memory>
#include <new>
#include <vector>

#include "src/arrow/output.h"

namespace windrow::arrow {
namespace {

// What an exported schema points to.
struct WrittenField {
  std::string format;
  std::string name;
  std::string metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
};

void release_schema(ArrowSchema* schema) {
  for (std::int64_t i = 0; i < schema->n_children; ++i) {
    ArrowSchema* const child = schema->children[i];
    if (child->release != nullptr) child->release(child);  // else its consumer has moved it
  }
  delete static_cast<WrittenField*>(schema->private_data);
  schema->release = nullptr;
}

// May throw std::bad_alloc; then `out` is left as it is.
void write(const Field& field, const Made& array, ArrowSchema* out) {
  auto kept = std::make_unique<WrittenField>();
  kept->format = field.format;
  kept->name = field.name;
  kept->metadata = field.metadata;
  kept->children.resize(field.children.size());
  kept->pointers.resize(field.children.size());
  std::size_t done = 0;
  try {
    for (; done < field.children.size(); ++done) {
      write(field.children[done], array.children[done], &kept->children[done]);
      kept->pointers[done] = &kept->children[done];
    }
  } catch (const std::bad_alloc&) {
    while (done-- > 0) kept->children[done].release(&kept->children[done]);
    throw;
  }
  out->format = kept->format.c_str();
  out->name = kept->name.c_str();
  out->metadata = kept->metadata.empty() ? nullptr : kept->metadata.data();
  out->flags = field.flags | (array.null_count > 0 ? ARROW_FLAG_NULLABLE : 0);
  out->n_children = static_cast<std::int64_t>(kept->children.size());
  out->children = kept->pointers.data();
  out->dictionary = nullptr;
  out->release = &release_schema;
  out->private_data = kept.release();
}

}  // namespace

Status write_schema(const Field& field, const Made& array, ArrowSchema* out) {
  try {
    write(field, array, out);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kOutOfMemory, "no memory for the schema of a result"};
  }
  return {};
}

}  // namespace windrow::arrow
