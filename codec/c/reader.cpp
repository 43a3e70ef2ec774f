// SPDX-License-Identifier: Apache-2.0
// Reading at any offset, of tdz.h.
#include <memory>

#include "codec/c/callbacks.hpp"
#include "codec/c/chunk_reader.hpp"
#include "kernels/float_environment.hpp"

struct tdz_reader {
  explicit tdz_reader(const tdz_input& from) : file(from) {}

  tdz::c::CallbackFile file;
  std::optional<tdz::c::ChunkReader> chunks;
  std::string type;
};

using namespace tdz;
using namespace tdz::c;

namespace {

/// The type comes from the file.
std::string printable(std::string text) {
  for (char& letter : text)
    if (letter < 0x20 || letter > 0x7E) letter = '?';
  return text;
}

Status check(const tdz_decompress_options& said) {
  if (said.offset != 0 || said.length != 0 || said.compare_digest != 0 || said.progress != nullptr)
    return usage("a reader has only the options threads, memory and max_output");
  return ok();
}

}  // namespace

tdz_status tdz_reader_open(const tdz_input* from, const tdz_decompress_options* options, tdz_reader** reader,
                           tdz_error* error) {
  return guarded(error, {{reader, "reader"}}, [&]() -> Status {
    const auto said = read_struct(options);
    if (!said) return said.error();
    if (auto good = check(*said); !good) return good;
    const auto input = read_file(from);
    if (!input) return input.error();
    auto opened = std::make_unique<tdz_reader>(*input);
    InspectOptions limits{.memory = said->memory};
    if (said->max_output != 0) limits.max_output = said->max_output;
    auto chunks = ChunkReader::open(opened->file, said->threads, limits);
    if (!chunks) return chunks.error();
    opened->chunks.emplace(std::move(chunks).value());
    opened->type = printable(opened->chunks->type());
    *reader = opened.release();
    return ok();
  });
}

void tdz_reader_free(tdz_reader* reader) {
  delete reader;
}

uint64_t tdz_reader_size(const tdz_reader* reader) {
  return reader != nullptr ? reader->chunks->size() : 0;
}

const char* tdz_reader_type(const tdz_reader* reader) {
  return reader != nullptr ? reader->type.c_str() : nullptr;
}

tdz_status tdz_reader_read(tdz_reader* reader, uint64_t offset, void* into, size_t bytes, size_t* got,
                           tdz_error* error) {
  return guarded(error, {{reader, "reader"}, {into, "into", bytes}, {got, "got"}}, [&]() -> Status {
    const FloatEnvironment usual;
    const auto length = reader->chunks->read(offset, room_at(into, bytes));
    if (!length) return length.error();
    *got = *length;
    return ok();
  });
}
