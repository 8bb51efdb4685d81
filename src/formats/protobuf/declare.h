#ifndef WINDROW_FORMATS_PROTOBUF_DECLARE_H_
#define WINDROW_FORMATS_PROTOBUF_DECLARE_H_

#include "src/formats/protobuf/fields.h"

// Makes the class of a message of a list of its fields in the order of their numbers, a macro with
// one entry per field:
//
//   #define WINDROW_POINT_FIELDS(F)          class Point final : public Message {
//     F(VALUE, 1, x, Varint<std::int64_t>)     WINDROW_PB_MESSAGE(WINDROW_POINT_FIELDS)
//     F(TEXT, 2, name, Text)                 };
//
// Kinds, and the functions of a field `x`:
//
//   VALUE      a number: x(), has_x(), set_x(), clear_x()
//   TEXT       text or bytes: the same, mutable_x()
//   MESSAGE    a message: x(), has_x(), mutable_x(), clear_x()
//   VALUES     a list of values: x(), x(i), x_size(), add_x(v), set_x(i, v), mutable_x(), clear_x()
//   PACKED     the same, which is one field of the file
//   MESSAGES   a list of messages: x(), x(i), x_size(), add_x(), mutable_x(), mutable_x(i),
//              clear_x()
//
// A class may have a function `void choose(std::uint32_t number)`, which is called when a field is
// set, and clears those of which only one may be there.

#define WINDROW_PB_TYPE_VALUE(type) Single<type>
#define WINDROW_PB_TYPE_TEXT(type) Single<type>
#define WINDROW_PB_TYPE_MESSAGE(type) SingleMessage<type>
#define WINDROW_PB_TYPE_VALUES(type) Repeated<type, false>
#define WINDROW_PB_TYPE_PACKED(type) Repeated<type, true>
#define WINDROW_PB_TYPE_MESSAGES(type) RepeatedMessages<type>

#define WINDROW_PB_ACCESS_ONE(number, name)             \
  decltype(auto) name() const { return name##_.get(); } \
  bool has_##name() const { return name##_.has(); }     \
  void clear_##name() { name##_.clear(); }
#define WINDROW_PB_ACCESS_VALUE(number, name, type) \
  WINDROW_PB_ACCESS_ONE(number, name)               \
  void set_##name(typename type::Value value) {     \
    note_choice(*this, number);                     \
    name##_.mutate() = value;                       \
  }
#define WINDROW_PB_ACCESS_TEXT(number, name, type) \
  WINDROW_PB_ACCESS_ONE(number, name)              \
  std::string* mutable_##name() {                  \
    note_choice(*this, number);                    \
    return &name##_.mutate();                      \
  }                                                \
  void set_##name(std::string value) { *mutable_##name() = std::move(value); }
#define WINDROW_PB_ACCESS_MESSAGE(number, name, type) \
  WINDROW_PB_ACCESS_ONE(number, name)                 \
  type* mutable_##name() {                            \
    note_choice(*this, number);                       \
    return &name##_.mutate();                         \
  }
#define WINDROW_PB_ACCESS_LIST(name)                   \
  const auto& name() const { return name##_; }         \
  const auto& name(int i) const { return name##_[i]; } \
  int name##_size() const { return name##_.size(); }   \
  auto* mutable_##name() { return &name##_; }          \
  void clear_##name() { name##_.clear(); }
#define WINDROW_PB_ACCESS_VALUES(number, name, type)                             \
  WINDROW_PB_ACCESS_LIST(name)                                                   \
  void add_##name(typename type::Value value) { name##_.add(std::move(value)); } \
  void set_##name(int i, typename type::Value value) { name##_[i] = std::move(value); }
#define WINDROW_PB_ACCESS_PACKED(number, name, type) WINDROW_PB_ACCESS_VALUES(number, name, type)
#define WINDROW_PB_ACCESS_MESSAGES(number, name, type) \
  WINDROW_PB_ACCESS_LIST(name)                         \
  type* add_##name() { return &name##_.add(); }        \
  type* mutable_##name(int i) { return &name##_[i]; }

#define WINDROW_PB_ACCESS(kind, number, name, type) WINDROW_PB_ACCESS_##kind(number, name, type)
#define WINDROW_PB_MEMBER(kind, number, name, type) WINDROW_PB_TYPE_##kind(type) name##_;
#define WINDROW_PB_PARSE(kind, number, name, type)           \
  case number: {                                             \
    const Parsed parsed = name##_.parse(tag, in);            \
    if (parsed == Parsed::kDone) note_choice(*this, number); \
    return parsed;                                           \
  }
#define WINDROW_PB_WRITE(kind, number, name, type) name##_.write(number, out);
#define WINDROW_PB_SIZE(kind, number, name, type) +name##_.size(number)
#define WINDROW_PB_CLEAR(kind, number, name, type) name##_.clear();

// The tool takes the statements of a function for an initialiser.
// clang-format off
#define WINDROW_PB_MESSAGE(FIELDS)                                      \
 public:                                                                \
  FIELDS(WINDROW_PB_ACCESS)                                             \
  void clear() override {                                               \
    FIELDS(WINDROW_PB_CLEAR)                                            \
    mutable_unknown_fields()->clear();                                  \
  }                                                                     \
                                                                        \
 private:                                                               \
  Parsed parse_field(const Tag& tag, WireReader& in) override {         \
    switch (tag.number) {                                               \
      FIELDS(WINDROW_PB_PARSE)                                          \
      default:                                                          \
        return Parsed::kUnknown;                                        \
    }                                                                   \
  }                                                                     \
  void write_fields(WireWriter& out) const override {                   \
    FIELDS(WINDROW_PB_WRITE)                                            \
  }                                                                     \
  std::size_t size_of_fields() const override {                         \
    return std::size_t{0} FIELDS(WINDROW_PB_SIZE);                      \
  }                                                                     \
  FIELDS(WINDROW_PB_MEMBER)                                             \
  template <class M>                                                    \
  friend void note_choice(M& message, std::uint32_t number);
// clang-format on

namespace windrow::internal::pb {

template <class M>
void note_choice(M& message, std::uint32_t number) {
  if constexpr (requires { message.choose(number); }) message.choose(number);
}

}  // namespace windrow::internal::pb

#endif  // WINDROW_FORMATS_PROTOBUF_DECLARE_H_
