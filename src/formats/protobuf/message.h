#ifndef WINDROW_FORMATS_PROTOBUF_MESSAGE_H_
#define WINDROW_FORMATS_PROTOBUF_MESSAGE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "src/formats/protobuf/wire.h"

namespace windrow::internal::pb {

// What became of a field that was read.
enum class Parsed : std::uint8_t {
  kDone,     // it is a member
  kUnknown,  // it is none, and its value has not been read
  kKept,     // its value has been read, and is kept as the bytes that it is
  kBroken,   // it is not of the format
};

// A message of Protocol Buffers. Its fields are members of the classes that messages.h makes; a
// field that a class does not have is kept, as the bytes that it is, and written behind the others.
class Message {
 public:
  virtual ~Message() = default;

  // Reads fields into the message, as if they stood behind those that it has: of a single field the
  // last value holds, messages are merged, lists grow. Returns false, and leaves the message with
  // any part of them, if the bytes are not of the format.
  bool merge(std::string_view bytes) { return merge_from(WireReader(bytes)); }
  bool merge_from(WireReader in);
  // The same of a message without fields.
  bool parse(std::string_view bytes) {
    clear();
    return merge(bytes);
  }

  // Fields in the order of their numbers, those that are not known last.
  std::string serialize() const;
  void serialize_to(WireWriter& out) const;
  std::size_t byte_size() const;

  virtual void clear() = 0;

  const std::string& unknown_fields() const noexcept { return unknown_; }
  std::string* mutable_unknown_fields() noexcept { return &unknown_; }

  // For the fields that hold messages: what byte_size() found last, and serialize_to() after it.
  std::size_t cached_size() const noexcept { return size_; }
  void write_to(WireWriter& out) const;

 protected:
  Message() = default;
  Message(const Message&) = default;
  Message(Message&&) noexcept = default;
  Message& operator=(const Message&) = default;
  Message& operator=(Message&&) noexcept = default;

 private:
  virtual Parsed parse_field(const Tag& tag, WireReader& in) = 0;
  virtual void write_fields(WireWriter& out) const = 0;
  virtual std::size_t size_of_fields() const = 0;

  std::string unknown_;
  mutable std::size_t size_ = 0;
};

}  // namespace windrow::internal::pb

#endif  // WINDROW_FORMATS_PROTOBUF_MESSAGE_H_
