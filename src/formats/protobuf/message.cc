#include "src/formats/protobuf/message.h"

namespace windrow::internal::pb {

bool Message::merge_from(WireReader in) {
  while (!in.is_at_end()) {
    const char* const start = in.at();
    Tag tag;
    if (!in.read_tag(tag)) return false;
    Parsed parsed = parse_field(tag, in);
    if (parsed == Parsed::kUnknown) parsed = in.skip(tag) ? Parsed::kKept : Parsed::kBroken;
    if (parsed == Parsed::kBroken) return false;
    if (parsed == Parsed::kKept) unknown_.append(start, in.at());
  }
  return true;
}

std::size_t Message::byte_size() const {
  size_ = size_of_fields() + unknown_.size();
  return size_;
}

void Message::write_to(WireWriter& out) const {
  write_fields(out);
  out.write_bytes(unknown_);
}

void Message::serialize_to(WireWriter& out) const {
  byte_size();
  write_to(out);
  out.flush();
}

std::string Message::serialize() const {
  WireWriter out;
  serialize_to(out);
  return out.take();
}

}  // namespace windrow::internal::pb
