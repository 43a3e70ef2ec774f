// SPDX-License-Identifier: Apache-2.0
// A report on a file, of tdz.h.
#include <cstdlib>

#include "codec/c/callbacks.hpp"
#include "codec/plan/info_json.hpp"

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
