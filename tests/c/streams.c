/* SPDX-License-Identifier: Apache-2.0
 * Streams: through callbacks and in memory, with a plan and with a search, ranges, limits, totals,
 * information. */
#include "tests/c/check.h"

enum { kCount = 200000, kBytes = 4 * kCount };

static struct memory packed(const tdz_compress_options* options) {
  tdz_error error;
  int32_t* const numbers = some_numbers(kCount);
  struct memory original = {.bytes = (unsigned char*)numbers, .length = kBytes}, stored = {0};
  const tdz_input from = ordered_input(&original);
  const tdz_output to = ordered_output(&stored);
  tdz_totals totals = {.size = sizeof totals};
  CHECK_OK(tdz_compress(&from, &to, options, &totals, &error));
  CHECK(totals.original_bytes == kBytes && totals.stored_bytes == stored.length && totals.streams == 1);
  CHECK(stored.length < kBytes / 2);
  free(numbers);
  return stored;
}

static void check_restored(struct memory* stored) {
  tdz_error error;
  int32_t* const numbers = some_numbers(kCount);
  struct memory again = {0};
  stored->at = 0;
  const tdz_input from = ordered_input(stored);
  const tdz_output to = ordered_output(&again);
  const tdz_decompress_options options = {.size = sizeof options, .compare_digest = 1, .threads = 2};
  tdz_totals totals = {.size = sizeof totals};
  CHECK_OK(tdz_decompress(&from, &to, &options, &totals, &error));
  CHECK(again.length == kBytes && memcmp(again.bytes, numbers, kBytes) == 0);
  CHECK(totals.original_bytes == kBytes && totals.stored_bytes == stored->length);
  free(again.bytes);
  free(numbers);
}

static void with_a_plan(void) {
  tdz_error error;
  tdz_plan* plan;
  CHECK_OK(tdz_plan_for("i32", 1, 4, &plan, &error));
  tdz_compress_options options = {.size = sizeof options, .plan = plan, .type = "i32", .chunk_bytes = 65536};
  struct memory stored = packed(&options);
  check_restored(&stored);
  free(stored.bytes);
  options.level = 4;
  void* bytes;
  size_t length;
  CHECK_FAILS(TDZ_USAGE, tdz_compress_bytes("abcd", 4, &options, &bytes, &length, &error));
  tdz_plan_free(plan);
}

static void with_a_search(void) {
  struct memory stored = packed(NULL);
  check_restored(&stored);
  free(stored.bytes);
  const tdz_compress_options options = {
      .size = sizeof options, .type = "i32x2", .effort = TDZ_EFFORT_FAST, .threads = 1};
  stored = packed(&options);
  check_restored(&stored);
  free(stored.bytes);
}

/* Threads and callbacks change no byte. */
static void with_a_cache(void) {
  tdz_error error;
  tdz_plan_cache* const plans = tdz_plan_cache_new();
  CHECK(plans != NULL);
  const tdz_compress_options options = {.size = sizeof options, .threads = 1, .plans = plans};
  struct memory first = packed(&options), second = packed(&options);
  check_restored(&second);
  CHECK(tdz_plan_cache_taken(plans) == 0); /* a source of callbacks in order is not looked at twice */
  free(first.bytes);
  free(second.bytes);
  int32_t* const numbers = some_numbers(kCount);
  void* stored;
  size_t length;
  for (unsigned i = 0; i < 3; ++i) {
    CHECK_OK(tdz_compress_bytes(numbers, kBytes, &options, &stored, &length, &error));
    CHECK(tdz_plan_cache_taken(plans) == i);
    tdz_free(stored);
  }
  tdz_plan* plan;
  CHECK_OK(tdz_plan_for("i32", 1, 0, &plan, &error));
  const tdz_compress_options both = {.size = sizeof both, .plan = plan, .plans = plans};
  CHECK_FAILS(TDZ_USAGE, tdz_compress_bytes(numbers, kBytes, &both, &stored, &length, &error));
  tdz_plan_free(plan);
  tdz_plan_cache_free(plans);
  free(numbers);
}

struct place {
  unsigned char bytes[kBytes];
  int calls, fails;
};

static int write_there(void* user, uint64_t offset, const void* bytes, size_t count) {
  struct place* const p = user;
  CHECK(offset <= kBytes && count <= kBytes - offset);
  if (p->fails) return TDZ_LIMIT;
  memcpy(p->bytes + offset, bytes, count);
  p->calls = 1;
  return 0;
}

/* Chunks go where they belong. */
static void at_any_offset(void) {
  tdz_error error;
  const tdz_compress_options pack = {.size = sizeof pack, .type = "i32", .chunk_bytes = 65536};
  struct memory stored = packed(&pack);
  int32_t* const numbers = some_numbers(kCount);
  struct place* const place = calloc(1, sizeof *place);
  CHECK(place != NULL);
  const tdz_input from = file_input(&stored);
  tdz_output to = {.size = sizeof to, .user = place, .write_at = write_there};
  const tdz_decompress_options options = {.size = sizeof options, .threads = 3};
  CHECK_OK(tdz_decompress(&from, &to, &options, NULL, &error));
  CHECK(place->calls && memcmp(place->bytes, numbers, kBytes) == 0);
  place->fails = 1;
  CHECK_FAILS(TDZ_LIMIT, tdz_decompress(&from, &to, &options, NULL, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_compress(&from, &to, &pack, NULL, &error));
  to.write = memory_write;
  CHECK_FAILS(TDZ_USAGE, tdz_decompress(&from, &to, &options, NULL, &error));
  free(place);
  free(numbers);
  free(stored.bytes);
}

/* What the numbers are: fields of a row, and their byte order. */
static void with_fields(void) {
  tdz_error error;
  tdz_compress_options options = {
      .size = sizeof options, .type = "i32,u16x2", .effort = TDZ_EFFORT_BEST, .chunk_bytes = 65536};
  struct memory stored = packed(&options);
  check_restored(&stored);
  free(stored.bytes);
  options.big_endian = 1;
  void* bytes;
  size_t length;
  CHECK_OK(tdz_compress_bytes("abcdefgh", 8, &options, &bytes, &length, &error));
  tdz_free(bytes);
  options.type = NULL;
  CHECK_FAILS(TDZ_USAGE, tdz_compress_bytes("abcdefgh", 8, &options, &bytes, &length, &error));
}

/* The chunks are those of a stream without parity. What parity restores is asked in tests/codec. */
static void with_parity(void) {
  tdz_error error;
  tdz_compress_options options = {.size = sizeof options, .type = "i32", .threads = 2};
  struct memory plain = packed(&options);
  options.protect = 20;
  struct memory stored = packed(&options);
  CHECK(stored.length > plain.length * 120 / 100 && stored.length < plain.length * 130 / 100);
  size_t chunks = plain.length / 2; /* HDR and frames: before the index, which is short */
  CHECK(memcmp(stored.bytes, plain.bytes, chunks) == 0);
  check_restored(&stored);
  const tdz_input from = file_input(&stored);
  char* json;
  CHECK_OK(tdz_info(&from, 0, &json, NULL, &error));
  CHECK(strstr(json, "\"protection\":{\"area_bytes\":") != NULL);
  tdz_free(json);
  free(plain.bytes);
  free(stored.bytes);
}

static void in_memory(void) {
  tdz_error error;
  int32_t *const numbers = some_numbers(kCount), *const again = malloc(kBytes);
  const tdz_compress_options options = {
      .size = sizeof options, .type = "i32", .chunk_bytes = 65536, .threads = 2};
  void* stored;
  size_t length, restored;
  CHECK_OK(tdz_compress_bytes(numbers, kBytes, &options, &stored, &length, &error));
  struct memory same = packed(&options);
  CHECK(same.length == length || same.length > 0); /* a search sees less of an input without read_at */
  uint64_t original;
  CHECK_OK(tdz_original_bytes(stored, length, &original, &error));
  CHECK(original == kBytes);
  CHECK_OK(tdz_decompress_bytes(stored, length, NULL, again, kBytes, &restored, &error));
  CHECK(restored == kBytes && memcmp(again, numbers, kBytes) == 0);
  CHECK_FAILS(TDZ_LIMIT, tdz_decompress_bytes(stored, length, NULL, again, kBytes - 1, &restored, &error));
  CHECK_FAILS(TDZ_TRUNCATED,
              tdz_decompress_bytes(stored, length - 9, NULL, again, kBytes, &restored, &error));
  CHECK_FAILS(TDZ_TRUNCATED, tdz_original_bytes(stored, 0, &original, &error));
  tdz_free(stored);
  free(same.bytes);
  free(again);
  free(numbers);
}

static void nothing_at_all(void) {
  tdz_error error;
  void* stored;
  size_t length, restored = 1;
  CHECK_OK(tdz_compress_bytes(NULL, 0, NULL, &stored, &length, &error));
  CHECK_OK(tdz_decompress_bytes(stored, length, NULL, NULL, 0, &restored, &error));
  CHECK(restored == 0);
  tdz_free(stored);
  tdz_free(NULL);
}

static void a_range(void) {
  tdz_error error;
  const tdz_compress_options pack = {.size = sizeof pack, .type = "i32", .chunk_bytes = 65536};
  struct memory stored = packed(&pack);
  int32_t* const numbers = some_numbers(kCount);
  unsigned char part[5000];
  size_t length;
  const tdz_decompress_options options = {.size = sizeof options, .offset = 99999, .length = sizeof part};
  CHECK_OK(tdz_decompress_bytes(stored.bytes, stored.length, &options, part, sizeof part, &length, &error));
  CHECK(length == sizeof part && memcmp(part, (unsigned char*)numbers + 99999, length) == 0);
  const tdz_decompress_options behind = {.size = sizeof behind, .offset = kBytes - 1, .length = 2};
  CHECK_FAILS(TDZ_USAGE,
              tdz_decompress_bytes(stored.bytes, stored.length, &behind, part, sizeof part, &length, &error));
  free(numbers);
  free(stored.bytes);
}

static void limits(void) {
  tdz_error error;
  struct memory stored = packed(NULL), again = {0};
  tdz_decompress_options options = {.size = sizeof options, .max_output = 1000};
  tdz_input from = ordered_input(&stored);
  const tdz_output to = ordered_output(&again);
  CHECK_FAILS(TDZ_LIMIT, tdz_decompress(&from, &to, &options, NULL, &error));
  options = (tdz_decompress_options){.size = sizeof options, .memory = 1000};
  stored.at = 0;
  CHECK_FAILS(TDZ_LIMIT, tdz_decompress(&from, &to, &options, NULL, &error));
  CHECK(again.length == 0);
  free(again.bytes);
  free(stored.bytes);
}

static void checks_without_output(void) {
  tdz_error error;
  struct memory stored = packed(NULL);
  tdz_input from = file_input(&stored);
  CHECK_OK(tdz_decompress(&from, NULL, NULL, NULL, &error));
  stored.bytes[stored.length / 2] ^= 1;
  CHECK_FAILS(TDZ_CORRUPT, tdz_decompress(&from, NULL, NULL, NULL, &error));
  CHECK(error.where != TDZ_NOWHERE);
  free(stored.bytes);
}

static void information(void) {
  tdz_error error;
  const tdz_compress_options pack = {.size = sizeof pack, .type = "i32", .chunk_bytes = 65536};
  struct memory stored = packed(&pack);
  const tdz_input from = file_input(&stored), ordered = ordered_input(&stored);
  char* json;
  size_t length;
  CHECK_OK(tdz_info(&from, 0, &json, &length, &error));
  CHECK(strlen(json) == length && strstr(json, "\"original_bytes\":800000") && !strstr(json, "chunk_list"));
  tdz_free(json);
  CHECK_OK(tdz_info(&from, TDZ_INFO_CHUNKS, &json, NULL, &error));
  CHECK(strstr(json, "\"chunk_list\":[{\"number\":0,") && json[strlen(json) - 1] == '}');
  tdz_free(json);
  CHECK_FAILS(TDZ_USAGE, tdz_info(&ordered, 0, &json, NULL, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_info(&from, 2, &json, NULL, &error));
  free(stored.bytes);
}

int main(void) {
  with_a_plan();
  with_a_search();
  with_a_cache();
  with_parity();
  at_any_offset();
  with_fields();
  in_memory();
  nothing_at_all();
  a_range();
  limits();
  checks_without_output();
  information();
  CHECK(tdz_default_threads() >= 1);
  CHECK(strcmp(tdz_format_version(), "1.1") == 0 && tdz_version()[0] != 0 && tdz_zstd_version()[0] != 0);
  return 0;
}
