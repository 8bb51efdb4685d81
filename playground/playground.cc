#include <cstddef>
#include <cstdint>
#include <string>

#include "playground/answer.h"
#include "tools/windrow/documents.h"

// What the page calls: it writes a question into room(), calls ask() and reads the answer.

namespace {

std::string& question() {
  static std::string text;
  return text;
}

std::string& last_answer() {
  static std::string text;
  return text;
}

}  // namespace

namespace windrow::playground {

void set_failure(const Status& status) {
  last_answer() = tool::json_text(tool::error_document(status), tool::JsonForm::kLine);
}

}  // namespace windrow::playground

extern "C" {

// Memory for a question of that length in bytes, UTF-8.
__attribute__((export_name("room"))) char* room(std::size_t length) {
  question().resize(length);
  return question().data();
}

// Answers the question in room(); a trap means that answer_text() is an error.
__attribute__((export_name("ask"))) void ask() {
  last_answer().clear();
  last_answer() = windrow::playground::answer(question());
}

__attribute__((export_name("answer_text"))) const char* answer_text() {
  return last_answer().data();
}

__attribute__((export_name("answer_length"))) std::size_t answer_length() {
  return last_answer().size();
}

}  // extern "C"
