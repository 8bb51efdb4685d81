#ifndef WINDROW_FORMATS_ONNX_PROTO_FILE_H_
#define WINDROW_FORMATS_ONNX_PROTO_FILE_H_

#include <google/protobuf/message_lite.h>

#include <string_view>

#include "src/formats/aside_file.h"
#include "src/formats/byte_source.h"
#include "windrow/status.h"

// Protobuf messages from and to bytes. Limits are checked before protobuf is called, since it
// prints to stderr when it refuses something itself.
namespace windrow::internal {

// Checks that protobuf can parse a message of `bytes` bytes. Errors: kFormat (no bytes),
// kUnsupported (2 GiB and more).
Status check_message_size(std::int64_t bytes);

// Errors: those of check_message_size(), kFormat (not a message), kIo.
Status parse_message(const FileSource& file, google::protobuf::MessageLite& message);
Status parse_message(std::string_view bytes, google::protobuf::MessageLite& message);

// Errors: kUnsupported (2 GiB and more), kIo.
Status write_message(const google::protobuf::MessageLite& message, AsideFile& file);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_PROTO_FILE_H_
