/* SPDX-License-Identifier: Apache-2.0
 * Reading at any offset: every part is right, also over the ends of chunks and streams; damage is told apart.
 */
#include "tests/c/check.h"

enum { kCount = 100000, kBytes = 4 * kCount };

/* Two streams that follow one another. */
static struct memory two_streams(const int32_t* numbers) {
  tdz_error error;
  struct memory stored = {0};
  for (int stream = 0; stream < 2; ++stream) {
    const tdz_compress_options options = {.size = sizeof options, .type = "i32", .chunk_bytes = 65536};
    void* bytes;
    size_t length;
    CHECK_OK(tdz_compress_bytes((const char*)numbers + stream * (kBytes / 2), kBytes / 2, &options, &bytes,
                                &length, &error));
    CHECK(memory_write(&stored, bytes, length) == 0);
    tdz_free(bytes);
  }
  return stored;
}

static void any_part(const tdz_input* from, const int32_t* numbers, const tdz_decompress_options* options) {
  tdz_error error;
  tdz_reader* reader;
  CHECK_OK(tdz_reader_open(from, options, &reader, &error));
  CHECK(tdz_reader_size(reader) == kBytes && strcmp(tdz_reader_type(reader), "i32") == 0);
  unsigned char* const part = malloc(kBytes + 100);
  uint32_t random = 1;
  for (int i = 0; i < 60; ++i) {
    random = random * 1664525u + 1013904223u;
    const size_t offset = random % kBytes;
    const size_t wanted = i == 0 ? kBytes + 100 : random / 7 % (i % 2 ? 1000 : kBytes);
    const size_t expected = wanted < kBytes - offset ? wanted : kBytes - offset;
    size_t got = 12345678;
    CHECK_OK(tdz_reader_read(reader, offset, part, wanted, &got, &error));
    CHECK(got == expected && memcmp(part, (const char*)numbers + offset, got) == 0);
  }
  size_t got = 1;
  CHECK_OK(tdz_reader_read(reader, kBytes, part, 10, &got, &error));
  CHECK(got == 0);
  CHECK_OK(tdz_reader_read(reader, UINT64_MAX, part, 10, &got, &error));
  CHECK(got == 0);
  free(part);
  tdz_reader_free(reader);
}

static void damage(struct memory* stored) {
  tdz_error error;
  tdz_reader* reader;
  const tdz_input from = file_input(stored);
  unsigned char* const all = malloc(kBytes);
  size_t got;
  CHECK_OK(tdz_reader_open(&from, NULL, &reader, &error));
  stored->bytes[500] ^= 4;
  CHECK_FAILS(TDZ_CORRUPT, tdz_reader_read(reader, 10, all, 10, &got, &error));
  CHECK_FAILS(TDZ_CORRUPT, tdz_reader_read(reader, 0, all, kBytes, &got, &error));
  CHECK_OK(tdz_reader_read(reader, 300000, all, 1000, &got, &error)); /* another chunk */
  stored->bytes[500] ^= 4;
  CHECK_OK(tdz_reader_read(reader, 0, all, kBytes, &got, &error));
  stored->fail_after = 1, stored->fail_with = TDZ_IO;
  CHECK_FAILS(TDZ_IO, tdz_reader_read(reader, 0, all, kBytes, &got, &error));
  tdz_reader_free(reader);
  stored->fail_after = 0;

  tdz_input shorter = from;
  shorter.bytes = stored->length - 50;
  CHECK_FAILS(TDZ_TRUNCATED, tdz_reader_open(&shorter, NULL, &reader, &error));
  const tdz_input ordered = ordered_input(stored);
  CHECK_FAILS(TDZ_USAGE, tdz_reader_open(&ordered, NULL, &reader, &error));
  const tdz_decompress_options small = {.size = sizeof small, .memory = 5000};
  tdz_status status = tdz_reader_open(&from, &small, &reader, &error);
  if (status == TDZ_OK) {
    CHECK_FAILS(TDZ_LIMIT, tdz_reader_read(reader, 0, all, 10, &got, &error));
    tdz_reader_free(reader);
  } else {
    CHECK(status == TDZ_LIMIT);
  }
  free(all);
}

/* Where the second chunk stands, and the third. */
static void find_second(struct memory* stored, size_t* begin, size_t* end) {
  tdz_error error;
  char* json;
  const tdz_input from = file_input(stored);
  CHECK_OK(tdz_info(&from, TDZ_INFO_CHUNKS, &json, NULL, &error));
  const char *at = json, *const name = "\"stored_offset\":";
  for (size_t i = 0; i < 3; ++i) {
    at = strstr(at, name);
    CHECK(at != NULL);
    at += strlen(name);
    *(i == 1 ? begin : end) = (size_t)strtoull(at, NULL, 10);
  }
  tdz_free(json);
}

/* A chunk of another stream of the same id, in its place: its own checks are right, and the index lists
 * another one. */
static void another_chunk(void) {
  tdz_error error;
  tdz_plan* plan;
  CHECK_OK(tdz_plan_for("i32", 0, 0, &plan, &error));
  int32_t* const numbers = some_numbers(kCount);
  struct memory stored[2] = {{0}, {0}};
  for (int i = 0; i < 2; ++i) {
    const tdz_compress_options options = {.size = sizeof options, .plan = plan, .chunk_bytes = 65536};
    struct memory original = {.bytes = (unsigned char*)numbers, .length = kBytes};
    const tdz_input from = file_input(&original);
    const tdz_output to = ordered_output(&stored[i]);
    numbers[20000] ^= i; /* in the second chunk */
    CHECK_OK(tdz_compress(&from, &to, &options, NULL, &error));
  }
  size_t begin, end, other_begin, other_end;
  find_second(&stored[0], &begin, &end);
  find_second(&stored[1], &other_begin, &other_end);
  CHECK(begin == other_begin);
  const size_t shorter = end < other_end ? end : other_end;
  memcpy(stored[0].bytes + begin, stored[1].bytes + begin, shorter - begin);
  tdz_reader* reader;
  const tdz_input from = file_input(&stored[0]);
  CHECK_OK(tdz_reader_open(&from, NULL, &reader, &error));
  int32_t number;
  size_t got;
  CHECK_OK(tdz_reader_read(reader, 4 * 10000, &number, 4, &got, &error));
  CHECK(got == 4 && number == numbers[10000]);
  CHECK_FAILS(TDZ_CORRUPT, tdz_reader_read(reader, 4 * 20000, &number, 4, &got, &error));
  tdz_reader_free(reader);
  free(stored[0].bytes);
  free(stored[1].bytes);
  free(numbers);
  tdz_plan_free(plan);
}

static void limits(const tdz_input* from) {
  tdz_error error;
  tdz_reader* reader;
  tdz_decompress_options options = {.size = sizeof options, .max_output = kBytes - 1};
  CHECK_FAILS(TDZ_LIMIT, tdz_reader_open(from, &options, &reader, &error));
  options.max_output = kBytes;
  CHECK_OK(tdz_reader_open(from, &options, &reader, &error));
  tdz_reader_free(reader);
  options.length = 1;
  CHECK_FAILS(TDZ_USAGE, tdz_reader_open(from, &options, &reader, &error));
}

int main(void) {
  int32_t* const numbers = some_numbers(kCount);
  struct memory stored = two_streams(numbers);
  const tdz_input from = file_input(&stored);
  any_part(&from, numbers, NULL);
  const tdz_decompress_options one = {.size = sizeof one, .threads = 1},
                               three = {.size = sizeof three, .threads = 3};
  any_part(&from, numbers, &one);
  any_part(&from, numbers, &three);
  limits(&from);
  damage(&stored);
  another_chunk();
  tdz_reader_free(NULL);
  free(stored.bytes);
  free(numbers);
  return 0;
}
