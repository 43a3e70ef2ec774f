/* SPDX-License-Identifier: Apache-2.0
 * Every function of tdz.h with NULL for each pointer that it takes: an error of usage, or NULL or 0 where
 * there is no status. exports.sh checks that no function is missing here. */
#include "tests/c/check.h"

#define REFUSES(call) CHECK_FAILS(TDZ_USAGE, call)

static tdz_error error;

static void about(void) {
  CHECK(tdz_version() != NULL && tdz_format_version() != NULL && tdz_zstd_version() != NULL);
  CHECK(tdz_status_name((tdz_status)-1)[0] == 0);
  CHECK(tdz_available_memory() > 0);
  CHECK(tdz_default_threads() > 0);
  tdz_free(NULL);
}

static void plans(tdz_plan* plan) {
  tdz_plan* made = NULL;
  size_t length = 7;
  const tdz_numbers numbers = {.size = sizeof numbers, .word = 2};
  REFUSES(tdz_plan_for(NULL, 1, 0, &made, &error));
  REFUSES(tdz_plan_for("i16", 1, 0, NULL, &error));
  REFUSES(tdz_plan_of_numbers(NULL, &made, &error));
  REFUSES(tdz_plan_of_numbers(&numbers, NULL, &error));
  REFUSES(tdz_plan_search(NULL, 4, NULL, &made, &error));
  REFUSES(tdz_plan_search(NULL, 0, NULL, &made, &error));
  REFUSES(tdz_plan_search("abcd", 4, NULL, NULL, &error));
  REFUSES(tdz_plan_from_json(NULL, 2, &made, &error));
  REFUSES(tdz_plan_from_json(NULL, 0, &made, &error));
  REFUSES(tdz_plan_from_json("{}", 2, NULL, &error));
  REFUSES(tdz_plan_from_bytes(NULL, 8, 0, &made, &error));
  REFUSES(tdz_plan_from_bytes("abcd", 4, 0, NULL, &error));
  REFUSES(tdz_plan_with_level(NULL, 3, &made, &error));
  REFUSES(tdz_plan_with_level(plan, 3, NULL, &error));
  CHECK(made == NULL);
  tdz_plan_cache_free(NULL);
  CHECK(tdz_plan_cache_taken(NULL) == 0);
  tdz_plan_cache_free(tdz_plan_cache_new());

  CHECK(tdz_plan_json(NULL, NULL) == NULL);
  CHECK(tdz_plan_json(NULL, &length) == NULL && length == 0);
  CHECK(tdz_plan_json(plan, NULL) != NULL);
  length = 7;
  CHECK(tdz_plan_words(NULL, NULL) == NULL);
  CHECK(tdz_plan_words(NULL, &length) == NULL && length == 0);
  CHECK(tdz_plan_words(plan, NULL) != NULL);
  length = 7;
  CHECK(tdz_plan_bytes(NULL, NULL) == NULL);
  CHECK(tdz_plan_bytes(NULL, &length) == NULL && length == 0);
  CHECK(tdz_plan_bytes(plan, NULL) != NULL);
  CHECK(tdz_plan_level(NULL) == 0 && tdz_plan_record_bytes(NULL) == 0);
  tdz_plan_free(NULL);
}

static void blocks(const tdz_plan* plan) {
  char original[4] = "abc", block[1000];
  size_t length;
  uint64_t bytes;
  tdz_plan* made;
  CHECK(tdz_block_bound(sizeof original) <= sizeof block);
  REFUSES(tdz_context_new(NULL, &error));
  tdz_context_free(NULL);
  REFUSES(tdz_encode_block(NULL, NULL, original, 4, block, sizeof block, &length, &error));
  REFUSES(tdz_encode_block(NULL, plan, NULL, 4, block, sizeof block, &length, &error));
  REFUSES(tdz_encode_block(NULL, plan, NULL, 0, block, sizeof block, &length, &error));
  REFUSES(tdz_encode_block(NULL, plan, original, 4, NULL, sizeof block, &length, &error));
  REFUSES(tdz_encode_block(NULL, plan, original, 4, block, sizeof block, NULL, &error));
  CHECK_OK(tdz_encode_block(NULL, plan, original, 4, block, sizeof block, &length, &error));
  const size_t packed = length;
  REFUSES(tdz_block_original_bytes(NULL, packed, &bytes, &error));
  REFUSES(tdz_block_original_bytes(block, packed, NULL, &error));
  REFUSES(tdz_decode_block(NULL, NULL, packed, original, 4, &length, &error));
  REFUSES(tdz_decode_block(NULL, block, packed, NULL, 4, &length, &error));
  REFUSES(tdz_decode_block(NULL, block, packed, original, 4, NULL, &error));
  CHECK_FAILS(TDZ_LIMIT, tdz_decode_block(NULL, block, packed, NULL, 0, &length, &error));
  REFUSES(tdz_block_plan(NULL, packed, &made, &error));
  REFUSES(tdz_block_plan(block, packed, NULL, &error));
}

static void streams(void) {
  char original[4] = "abc", out[4];
  size_t length;
  uint64_t bytes;
  void* stored = NULL;
  REFUSES(tdz_compress_bytes(NULL, 4, NULL, &stored, &length, &error));
  REFUSES(tdz_compress_bytes(original, 4, NULL, NULL, &length, &error));
  REFUSES(tdz_compress_bytes(original, 4, NULL, &stored, NULL, &error));
  CHECK_OK(tdz_compress_bytes(original, 4, NULL, &stored, &length, &error));
  const size_t packed = length;
  struct memory in = {.bytes = stored, .length = packed, .room = packed}, to = {0};
  const tdz_input from = ordered_input(&in);
  const tdz_output output = ordered_output(&to);
  const tdz_input no_input = {.size = sizeof no_input};
  const tdz_output no_output = {.size = sizeof no_output};
  REFUSES(tdz_compress(NULL, &output, NULL, NULL, &error));
  REFUSES(tdz_compress(&from, NULL, NULL, NULL, &error));
  REFUSES(tdz_compress(&no_input, &output, NULL, NULL, &error));
  REFUSES(tdz_compress(&from, &no_output, NULL, NULL, &error));
  REFUSES(tdz_decompress(NULL, &output, NULL, NULL, &error));
  REFUSES(tdz_decompress(&no_input, &output, NULL, NULL, &error));
  REFUSES(tdz_decompress(&from, &no_output, NULL, NULL, &error));
  CHECK_OK(tdz_decompress(&from, NULL, NULL, NULL, &error));
  REFUSES(tdz_decompress_bytes(NULL, packed, NULL, out, 4, &length, &error));
  REFUSES(tdz_decompress_bytes(stored, packed, NULL, NULL, 4, &length, &error));
  REFUSES(tdz_decompress_bytes(stored, packed, NULL, out, 4, NULL, &error));
  CHECK_FAILS(TDZ_LIMIT, tdz_decompress_bytes(stored, packed, NULL, NULL, 0, &length, &error));
  REFUSES(tdz_original_bytes(NULL, packed, &bytes, &error));
  REFUSES(tdz_original_bytes(stored, packed, NULL, &error));
  free(to.bytes);

  tdz_reader* reader = NULL;
  const tdz_input file = file_input(&in);
  REFUSES(tdz_reader_open(NULL, NULL, &reader, &error));
  REFUSES(tdz_reader_open(&no_input, NULL, &reader, &error));
  REFUSES(tdz_reader_open(&file, NULL, NULL, &error));
  CHECK(tdz_reader_size(NULL) == 0 && tdz_reader_type(NULL) == NULL);
  REFUSES(tdz_reader_read(NULL, 0, out, 4, &length, &error));
  CHECK_OK(tdz_reader_open(&file, NULL, &reader, &error));
  REFUSES(tdz_reader_read(reader, 0, NULL, 4, &length, &error));
  REFUSES(tdz_reader_read(reader, 0, out, 4, NULL, &error));
  CHECK_OK(tdz_reader_read(reader, 0, NULL, 0, &length, &error));
  tdz_reader_free(reader);
  tdz_reader_free(NULL);

  char* json = NULL;
  REFUSES(tdz_info(NULL, 0, &json, NULL, &error));
  REFUSES(tdz_info(&no_input, 0, &json, NULL, &error));
  REFUSES(tdz_info(&file, 0, NULL, NULL, &error));
  CHECK_OK(tdz_info(&file, 0, &json, NULL, &error));
  tdz_free(json);
  tdz_free(stored);
}

/* Nothing here needs a device: the arguments are judged first. */
static void device(void) {
  tdz_device_decoder* decoder = NULL;
  const tdz_bytes nowhere = {.data = NULL, .bytes = 4};
  tdz_device_sizes sizes = {.size = sizeof sizes};
  const tdz_input no_input = {.size = sizeof no_input};
  CHECK(tdz_device_count() >= 0);
  REFUSES(tdz_device_open_blocks(NULL, 1, &decoder, &error));
  REFUSES(tdz_device_open_blocks(&nowhere, 1, &decoder, &error));
  REFUSES(tdz_device_open_blocks(&nowhere, 1, NULL, &error));
  REFUSES(tdz_device_open_blocks_on_device(NULL, 1, &decoder, &error));
  REFUSES(tdz_device_open_blocks_on_device(&nowhere, 1, &decoder, &error));
  REFUSES(tdz_device_open_blocks_on_device(&nowhere, 1, NULL, &error));
  REFUSES(tdz_device_open_bytes(NULL, 4, &decoder, &error));
  REFUSES(tdz_device_open_bytes("abcd", 4, NULL, &error));
  REFUSES(tdz_device_open(NULL, &decoder, &error));
  REFUSES(tdz_device_open(&no_input, &decoder, &error));
  REFUSES(tdz_device_open(&no_input, NULL, &error));
  REFUSES(tdz_device_load(NULL, &sizes, &error));
  REFUSES(tdz_device_decode(NULL, NULL, NULL, NULL, &error));
  REFUSES(tdz_device_finish(NULL, &error));
  CHECK(decoder == NULL);
  tdz_device_free(NULL);
}

int main(void) {
  tdz_plan* plan;
  CHECK_OK(tdz_plan_for("i16", 1, 0, &plan, &error));
  about();
  plans(plan);
  blocks(plan);
  streams();
  device();
  tdz_plan_free(plan);
  CHECK(tdz_plan_for(NULL, 1, 0, NULL, NULL) == TDZ_USAGE);
  return 0;
}
