// SPDX-License-Identifier: Apache-2.0
// Versions, the machine, and a report on a file, of tdz.h.
#include <cstdlib>
#include <string>

#include "codec/c/call.hpp"
#include "codec/json.hpp"
#include "codec/stream/pipeline.hpp"
#include "codec/stream/resources.hpp"
#include "tdz/tdz.hpp"

const char* tdz_status_name(tdz_status status) {
  if (status == TDZ_OK) return "ok";
  const tdz::ErrorKind kind = tdz::c::kind_of(status);
  return tdz::c::status_of(kind) == status ? tdz::name_of(kind).data() : "";
}

// The texts behind these three end with a 0 byte: they are literals, or strings that live as long as the
// program.
const char* tdz_version(void) {
  return tdz::version().data();
}
const char* tdz_format_version(void) {
  return tdz::format_version().data();
}
const char* tdz_zstd_version(void) {
  static const std::string text = tdz::zstd_version();
  return text.c_str();
}

unsigned tdz_default_threads(void) {
  const auto cores = tdz::guarded([]() -> tdz::Result<unsigned> { return tdz::usable_cores(); });
  return cores ? *cores : 1;
}

uint64_t tdz_available_memory(void) {
  try {
    return tdz::available_memory();
  } catch (const std::exception&) {  // no memory to find out
    return 0;
  }
}

void tdz_free(void* memory) {
  std::free(memory);
}

// ---- A report on a file

using namespace tdz;
using namespace tdz::c;

namespace {

Status give(const std::string& text, char** out, size_t* length) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  *out = copy;
  if (length != nullptr) *length = text.size();
  return ok();
}

}  // namespace

tdz_status tdz_info(const tdz_input* from, unsigned flags, char** json, size_t* length, tdz_error* error) {
  return guarded(error, {{json, "json"}}, [&]() -> Status {
    if ((flags & ~TDZ_INFO_CHUNKS) != 0) return usage("a flag that does not exist");
    const auto input = read_file(from);
    if (!input) return input.error();
    CallbackFile file(*input);
    const auto text = file_json(file, (flags & TDZ_INFO_CHUNKS) != 0);
    if (!text) return text.error();
    return give(*text, json, length);
  });
}
