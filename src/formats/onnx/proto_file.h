#ifndef WINDROW_FORMATS_ONNX_PROTO_FILE_H_
#define WINDROW_FORMATS_ONNX_PROTO_FILE_H_

#include <google/protobuf/message_lite.h>

#include <string_view>

#include "src/formats/aside_file.h"
#include "src/formats/byte_source.h"
#include "windrow/status.h"

// Protobuf messages from and to bytes. Limits are checked before protobuf is asked: where it
// refuses something itself, it prints to stderr.
namespace windrow::internal {

// Errors: kFormat (empty, or not a message), kUnsupported (2 GiB and more), kIo.
// Whether a message of so many bytes can be parsed. Errors: kFormat (none), kUnsupported (2 GiB).
Status check_message_size(std::int64_t bytes);

Status parse_message(const FileSource& file, google::protobuf::MessageLite& message);
Status parse_message(std::string_view bytes, google::protobuf::MessageLite& message);

// Errors: kUnsupported (2 GiB and more), kIo.
Status write_message(const google::protobuf::MessageLite& message, AsideFile& file);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_PROTO_FILE_H_
