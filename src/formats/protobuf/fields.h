#ifndef WINDROW_FORMATS_PROTOBUF_FIELDS_H_
#define WINDROW_FORMATS_PROTOBUF_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/formats/protobuf/message.h"
#include "src/formats/protobuf/wire.h"

// What the fields of messages hold, by how often they may appear and what they are. All have the
// functions parse(), write() and size(), which messages.h calls with the number of the field.
namespace windrow::internal::pb {

// Codecs: values as they stand in the bytes of a message.

template <class T>
struct Varint {
  using Value = T;
  static constexpr WireType kWire = WireType::kVarint;

  // A signed number stands as the 64-bit one, and only its low bits count.
  static bool read(WireReader& in, T& value) {
    std::uint64_t number = 0;
    if (!in.read_varint(number)) return false;
    value = static_cast<T>(number);
    return true;
  }
  static void write(WireWriter& out, T value) { out.write_varint(wide(value)); }
  static std::size_t size(T value) { return varint_size(wide(value)); }

 private:
  static std::uint64_t wide(T value) {
    if constexpr (std::is_signed_v<T>)
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    else
      return value;
  }
};

template <class T>
struct Fixed {
  using Value = T;
  static constexpr WireType kWire = sizeof(T) == 4 ? WireType::kI32 : WireType::kI64;

  static bool read(WireReader& in, T& value) { return in.read_fixed(value); }
  static void write(WireWriter& out, T value) { out.write_fixed(value); }
  static std::size_t size(T /*value*/) { return sizeof(T); }
};

struct Text {
  using Value = std::string;
  static constexpr WireType kWire = WireType::kLen;

  static bool read(WireReader& in, std::string& value) {
    std::string_view bytes;
    if (!in.read_len(bytes)) return false;
    value = bytes;
    return true;
  }
  static void write(WireWriter& out, const std::string& value) {
    out.write_varint(value.size());
    out.write_bytes(value);
  }
  static std::size_t size(const std::string& value) {
    return varint_size(value.size()) + value.size();
  }
};

// The serialized message of a kind that nobody here reads: of two that are merged the bytes follow
// each other.
struct RawMessage : Text {
  static bool read(WireReader& in, std::string& value) {
    std::string_view bytes;
    if (!in.read_len(bytes)) return false;
    value += bytes;
    return true;
  }
};

// A number that an enumeration names. is_known(Enum): others are kept as fields that are not known.
template <class Enum>
struct EnumOf : Varint<std::int32_t> {
  static bool is_value(std::int32_t number) { return is_known(static_cast<Enum>(number)); }
};

// A field that appears once. Of several the last one holds.
template <class Codec>
class Single {
 public:
  using Value = typename Codec::Value;

  bool has() const noexcept { return has_; }
  const Value& get() const noexcept { return value_; }
  Value& mutate() noexcept {
    has_ = true;
    return value_;
  }
  void clear() {
    has_ = false;
    value_ = Value();
  }

  Parsed parse(const Tag& tag, WireReader& in) {
    if (tag.wire != Codec::kWire) return Parsed::kUnknown;
    if constexpr (requires { Codec::is_value(0); }) {
      Value number = 0;
      if (!Codec::read(in, number)) return Parsed::kBroken;
      if (!Codec::is_value(number)) return Parsed::kKept;
      mutate() = number;
      return Parsed::kDone;
    } else {
      return Codec::read(in, mutate()) ? Parsed::kDone : Parsed::kBroken;
    }
  }
  void write(std::uint32_t number, WireWriter& out) const {
    if (!has_) return;
    out.write_tag(number, Codec::kWire);
    Codec::write(out, value_);
  }
  std::size_t size(std::uint32_t number) const {
    return has_ ? tag_size(number) + Codec::size(value_) : 0;
  }

 private:
  Value value_{};
  bool has_ = false;
};

// A list of values. They are read one by one or packed into one field, as all readers do it, and
// written as the schema says.
template <class Codec, bool kPacked>
class Repeated {
 public:
  using value_type = typename Codec::Value;

  int size() const noexcept { return static_cast<int>(values_.size()); }
  bool empty() const noexcept { return values_.empty(); }
  const value_type& operator[](int i) const { return values_[static_cast<std::size_t>(i)]; }
  value_type& operator[](int i) { return values_[static_cast<std::size_t>(i)]; }
  auto begin() const noexcept { return values_.begin(); }
  auto end() const noexcept { return values_.end(); }
  void add(value_type value) { values_.push_back(std::move(value)); }
  template <class Iterator>
  void add(Iterator first, Iterator last) {
    values_.insert(values_.end(), first, last);
  }
  void clear() noexcept { values_.clear(); }

  Parsed parse(const Tag& tag, WireReader& in) {
    if (tag.wire == Codec::kWire) return read_one(in) ? Parsed::kDone : Parsed::kBroken;
    if (tag.wire != WireType::kLen) return Parsed::kUnknown;
    std::string_view bytes;
    if (!in.read_len(bytes)) return Parsed::kBroken;
    for (WireReader packed(bytes); !packed.is_at_end();)
      if (!read_one(packed)) return Parsed::kBroken;
    return Parsed::kDone;
  }
  void write(std::uint32_t number, WireWriter& out) const {
    if (kPacked && !values_.empty()) {
      out.write_tag(number, WireType::kLen);
      out.write_varint(values_size());
    }
    for (const value_type& value : values_) {
      if (!kPacked) out.write_tag(number, Codec::kWire);
      Codec::write(out, value);
    }
  }
  std::size_t size(std::uint32_t number) const {
    if (values_.empty()) return 0;
    const std::size_t bytes = values_size();
    if (kPacked) return tag_size(number) + varint_size(bytes) + bytes;
    return tag_size(number) * values_.size() + bytes;
  }

 private:
  bool read_one(WireReader& in) { return Codec::read(in, values_.emplace_back()); }
  std::size_t values_size() const {
    std::size_t bytes = 0;
    for (const value_type& value : values_) bytes += Codec::size(value);
    return bytes;
  }

  std::vector<value_type> values_;
};

// Reads a message that stands in another one.
template <class Inner>
Parsed parse_inner(WireReader& in, Inner& message) {
  std::string_view bytes;
  if (!in.read_len(bytes) || in.depth() == 0) return Parsed::kBroken;
  return message.merge_from(WireReader(bytes, in.depth() - 1)) ? Parsed::kDone : Parsed::kBroken;
}

inline void write_inner(std::uint32_t number, const Message& message, WireWriter& out) {
  out.write_tag(number, WireType::kLen);
  out.write_varint(message.cached_size());
  message.write_to(out);
}

inline std::size_t size_of_inner(std::uint32_t number, const Message& message) {
  const std::size_t bytes = message.byte_size();
  return tag_size(number) + varint_size(bytes) + bytes;
}

// A message that appears once; of several all fields are merged.
template <class Inner>
class SingleMessage {
 public:
  SingleMessage() noexcept = default;
  SingleMessage(const SingleMessage& other)
      : message_(other.has() ? std::make_unique<Inner>(other.get()) : nullptr) {}
  SingleMessage(SingleMessage&&) noexcept = default;
  SingleMessage& operator=(const SingleMessage& other) {
    if (this != &other) *this = SingleMessage(other);
    return *this;
  }
  SingleMessage& operator=(SingleMessage&&) noexcept = default;
  ~SingleMessage() = default;

  bool has() const noexcept { return message_ != nullptr; }
  // A message without fields where there is none.
  const Inner& get() const {
    static const Inner none;
    return has() ? static_cast<const Inner&>(*message_) : none;
  }
  Inner& mutate() {
    if (!has()) message_ = std::make_unique<Inner>();
    return static_cast<Inner&>(*message_);
  }
  void clear() noexcept { message_.reset(); }

  Parsed parse(const Tag& tag, WireReader& in) {
    return tag.wire == WireType::kLen ? parse_inner(in, mutate()) : Parsed::kUnknown;
  }
  void write(std::uint32_t number, WireWriter& out) const {
    if (has()) write_inner(number, *message_, out);
  }
  std::size_t size(std::uint32_t number) const {
    return has() ? size_of_inner(number, *message_) : 0;
  }

 private:
  // Always an Inner. It is owned by its base class because Inner may still be incomplete where the
  // destructor is compiled: messages hold each other.
  std::unique_ptr<Message> message_;
};

// A list of messages, which stay where they are while it grows.
template <class Inner>
class RepeatedMessages {
 public:
  using value_type = Inner;

  template <class Target, class Base>
  class Iterator {
   public:
    explicit Iterator(Base at) : at_(at) {}
    Target& operator*() const { return static_cast<Target&>(**at_); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    Base at_;
  };

  RepeatedMessages() noexcept = default;
  RepeatedMessages(const RepeatedMessages& other) {
    for (const Inner& message : other) add() = message;
  }
  RepeatedMessages(RepeatedMessages&&) noexcept = default;
  RepeatedMessages& operator=(const RepeatedMessages& other) {
    if (this != &other) *this = RepeatedMessages(other);
    return *this;
  }
  RepeatedMessages& operator=(RepeatedMessages&&) noexcept = default;
  ~RepeatedMessages() = default;

  int size() const noexcept { return static_cast<int>(messages_.size()); }
  bool empty() const noexcept { return messages_.empty(); }
  const Inner& operator[](int i) const {
    return static_cast<const Inner&>(*messages_[static_cast<std::size_t>(i)]);
  }
  Inner& operator[](int i) { return static_cast<Inner&>(*messages_[static_cast<std::size_t>(i)]); }
  auto begin() const { return iterator<const Inner>(messages_.begin()); }
  auto end() const { return iterator<const Inner>(messages_.end()); }
  auto begin() { return iterator<Inner>(messages_.begin()); }
  auto end() { return iterator<Inner>(messages_.end()); }
  Inner& add() { return static_cast<Inner&>(*messages_.emplace_back(std::make_unique<Inner>())); }
  void swap_elements(int i, int j) {
    std::swap(messages_[static_cast<std::size_t>(i)], messages_[static_cast<std::size_t>(j)]);
  }
  // Keeps the first `count`.
  void truncate(int count) { messages_.resize(static_cast<std::size_t>(count)); }
  void clear() noexcept { messages_.clear(); }

  Parsed parse(const Tag& tag, WireReader& in) {
    return tag.wire == WireType::kLen ? parse_inner(in, add()) : Parsed::kUnknown;
  }
  void write(std::uint32_t number, WireWriter& out) const {
    for (const Inner& message : *this) write_inner(number, message, out);
  }
  std::size_t size(std::uint32_t number) const {
    std::size_t bytes = 0;
    for (const Inner& message : *this) bytes += size_of_inner(number, message);
    return bytes;
  }

 private:
  template <class Target, class Base>
  static Iterator<Target, Base> iterator(Base at) {
    return Iterator<Target, Base>(at);
  }

  std::vector<std::unique_ptr<Message>> messages_;  // always of Inner, as above
};

}  // namespace windrow::internal::pb

#endif  // WINDROW_FORMATS_PROTOBUF_FIELDS_H_
