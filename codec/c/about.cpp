// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>

#include "codec/c/call.hpp"
#include "codec/pipe/pipeline.hpp"
#include "codec/pipe/resources.hpp"
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
