/* SPDX-License-Identifier: Apache-2.0
 * Callbacks that fail: the call ends with what they returned. A progress callback may end a call. */
#include "tests/c/check.h"

enum { kCount = 400000, kBytes = 4 * kCount };

static const tdz_compress_options kOptions = {.size = sizeof(tdz_compress_options),
                                              .type = "i32",
                                              .effort = TDZ_EFFORT_FAST,
                                              .chunk_bytes = 65536,
                                              .threads = 2};

static struct memory stored_numbers(void) {
  tdz_error error;
  int32_t* const numbers = some_numbers(kCount);
  struct memory original = {.bytes = (unsigned char*)numbers, .length = kBytes}, stored = {0};
  const tdz_input from = file_input(&original);
  const tdz_output to = ordered_output(&stored);
  CHECK_OK(tdz_compress(&from, &to, &kOptions, NULL, &error));
  free(numbers);
  return stored;
}

static void reading_fails(void) {
  tdz_error error;
  int32_t* const numbers = some_numbers(kCount);
  for (int call = 1; call < 20; call += 6) {
    struct memory original = {.bytes = (unsigned char*)numbers, .length = kBytes}, stored = {0};
    const tdz_input ordered = ordered_input(&original), file = file_input(&original);
    const tdz_output to = ordered_output(&stored);
    original.fail_after = call, original.fail_with = TDZ_IO;
    CHECK_FAILS(TDZ_IO, tdz_compress(&ordered, &to, &kOptions, NULL, &error));
    original.at = 0, original.fail_after = call, original.fail_with = -5; /* any other number */
    CHECK_FAILS(TDZ_IO, tdz_compress(&file, &to, &kOptions, NULL, &error));
    original.at = 0, original.fail_after = call, original.fail_with = TDZ_CANCELLED;
    CHECK_FAILS(TDZ_CANCELLED, tdz_compress(&ordered, &to, &kOptions, NULL, &error));
    free(stored.bytes);
  }
  free(numbers);
}

static void writing_fails(void) {
  tdz_error error;
  struct memory stored = stored_numbers();
  for (int call = 1; call < 10; call += 4) {
    struct memory out = {.fail_after = call, .fail_with = TDZ_LIMIT};
    const tdz_input from = file_input(&stored);
    const tdz_output to = ordered_output(&out);
    CHECK_FAILS(TDZ_LIMIT, tdz_decompress(&from, &to, NULL, NULL, &error));
    CHECK(out.length < kBytes);
    free(out.bytes);
  }
  free(stored.bytes);
}

static int too_many(void* user, void* into, size_t most, size_t* got) {
  (void)user, (void)into;
  *got = most + 1;
  return 0;
}

static int stops(void* user, uint64_t original, uint64_t stored) {
  (void)stored;
  ++*(int*)user;
  return original > 300000;
}

static void progress_stops(void) {
  tdz_error error;
  struct memory stored = stored_numbers(), out = {0};
  int calls = 0;
  const tdz_decompress_options options = {
      .size = sizeof options, .threads = 1, .progress = stops, .progress_user = &calls};
  const tdz_input from = file_input(&stored);
  const tdz_output to = ordered_output(&out);
  CHECK_FAILS(TDZ_CANCELLED, tdz_decompress(&from, &to, &options, NULL, &error));
  CHECK(calls > 1 && out.length > 300000 && out.length < kBytes);
  free(out.bytes);
  free(stored.bytes);
}

static int stops_at_once(void* user, uint64_t original, uint64_t stored) {
  (void)user, (void)original, (void)stored;
  return 1;
}

/* Also after the only chunk, when nothing is left to stop. */
static void progress_stops_late(void) {
  tdz_error error;
  void* stored;
  size_t length;
  char out[8];
  tdz_compress_options options = {.size = sizeof options, .type = "i32", .progress = stops_at_once};
  CHECK_FAILS(TDZ_CANCELLED, tdz_compress_bytes("abcdefgh", 8, &options, &stored, &length, &error));
  options.progress = NULL;
  CHECK_OK(tdz_compress_bytes("abcdefgh", 8, &options, &stored, &length, &error));
  const tdz_decompress_options restore = {.size = sizeof restore, .progress = stops_at_once};
  size_t restored;
  CHECK_FAILS(TDZ_CANCELLED,
              tdz_decompress_bytes(stored, length, &restore, out, sizeof out, &restored, &error));
  tdz_free(stored);
}

static void shapes(void) {
  tdz_error error;
  struct memory m = {0};
  tdz_input from = {.size = sizeof from};
  tdz_output to = ordered_output(&m), none = {.size = sizeof none};
  CHECK_FAILS(TDZ_USAGE, tdz_compress(&from, &to, NULL, NULL, &error));
  from.read = too_many;
  CHECK_FAILS(TDZ_USAGE, tdz_compress(&from, &to, NULL, NULL, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_compress(&from, &none, NULL, NULL, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_compress(&from, NULL, NULL, NULL, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_compress(NULL, &to, NULL, NULL, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_decompress(NULL, &to, NULL, NULL, &error));
  free(m.bytes);
}

int main(void) {
  reading_fails();
  writing_fails();
  progress_stops();
  progress_stops_late();
  shapes();
  return 0;
}
