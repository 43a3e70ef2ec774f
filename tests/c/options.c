/* SPDX-License-Identifier: Apache-2.0
 * Structs of another age: a shorter one has defaults for what it lacks; a longer one may hold only zeros
 * behind what the library knows. */
#include <stddef.h>

#include "tests/c/check.h"

/* A compress_options of a later version. */
struct later {
  tdz_compress_options known;
  uint64_t new_member;
};

static tdz_status compress_with(const tdz_compress_options* options, tdz_error* error) {
  void* stored;
  size_t length;
  const tdz_status status = tdz_compress_bytes("abcdefgh", 8, options, &stored, &length, error);
  if (status == TDZ_OK) tdz_free(stored);
  return status;
}

int main(void) {
  tdz_error error;
  struct later later = {.known = {.size = sizeof later}};
  CHECK_OK(compress_with(&later.known, &error));
  later.new_member = 1;
  CHECK_FAILS(TDZ_UNSUPPORTED, compress_with(&later.known, &error));

  /* Behind its end stands what would be an error. */
  tdz_compress_options earlier = {.size = offsetof(tdz_compress_options, level), .level = 99};
  CHECK_OK(compress_with(&earlier, &error));
  earlier.size = sizeof earlier;
  CHECK_FAILS(TDZ_USAGE, compress_with(&earlier, &error));

  earlier = (tdz_compress_options){.size = offsetof(tdz_compress_options, protect), .protect = 101};
  CHECK_OK(compress_with(&earlier, &error));
  earlier.size = sizeof earlier;
  CHECK_FAILS(TDZ_USAGE, compress_with(&earlier, &error));
  earlier.protect = (uint64_t)1 << 32; /* would be 0 in a number of 32 bits */
  CHECK_FAILS(TDZ_USAGE, compress_with(&earlier, &error));
  earlier.protect = 100;
  CHECK_OK(compress_with(&earlier, &error));

  const tdz_compress_options forgotten = {0};
  CHECK_FAILS(TDZ_USAGE, compress_with(&forgotten, &error));

  /* A result of an earlier version gets only what it has. */
  struct memory m = {.bytes = (unsigned char*)"abcdefgh", .length = 8}, out = {0};
  const tdz_input from = file_input(&m);
  const tdz_output to = ordered_output(&out);
  tdz_totals totals = {.size = offsetof(tdz_totals, stored_bytes), .stored_bytes = 77};
  CHECK_OK(tdz_compress(&from, &to, NULL, &totals, &error));
  CHECK(totals.original_bytes == 8 && totals.stored_bytes == 77);
  free(out.bytes);
  return 0;
}
