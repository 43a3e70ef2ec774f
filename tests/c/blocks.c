/* SPDX-License-Identifier: Apache-2.0
 * Lone blocks: round trips, with and without a context; rooms that are too small; damage. */
#include "tests/c/check.h"

enum { kCount = 5000, kBytes = 4 * kCount };

struct block {
  unsigned char* bytes;
  size_t length, room;
};

static struct block block_of(const void* original, size_t bytes) {
  tdz_error error;
  tdz_plan* plan;
  CHECK_OK(tdz_plan_for("i32", 1, 0, &plan, &error));
  struct block block = {.room = tdz_block_bound(bytes)};
  block.bytes = malloc(block.room);
  CHECK_OK(tdz_encode_block(NULL, plan, original, bytes, block.bytes, block.room, &block.length, &error));
  tdz_plan_free(plan);
  return block;
}

static void comes_back(tdz_context* context) {
  tdz_error error;
  int32_t* const numbers = some_numbers(kCount);
  int32_t* const again = malloc(kBytes);
  for (size_t bytes = 1; bytes <= kBytes; bytes = 3 * bytes + 1) {
    struct block block = block_of(numbers, bytes);
    CHECK(block.length <= block.room);
    uint64_t promised;
    size_t length;
    CHECK_OK(tdz_block_original_bytes(block.bytes, block.length, &promised, &error));
    CHECK(promised == bytes);
    CHECK_OK(tdz_decode_block(context, block.bytes, block.length, again, kBytes, &length, &error));
    CHECK(length == bytes && memcmp(numbers, again, bytes) == 0);
    free(block.bytes);
  }
  free(again);
  free(numbers);
}

static void keeps_its_context(void) {
  tdz_error error;
  tdz_context* context;
  CHECK_OK(tdz_context_new(&context, &error));
  comes_back(context);
  comes_back(context);
  tdz_context_free(context);
  tdz_context_free(NULL);
}

static void wants_room(void) {
  tdz_error error;
  tdz_plan* plan;
  int32_t* const numbers = some_numbers(kCount);
  struct block block = block_of(numbers, kBytes);
  size_t length = 77;
  unsigned char* const again = malloc(kBytes);
  CHECK_FAILS(TDZ_LIMIT,
              tdz_decode_block(NULL, block.bytes, block.length, again, kBytes - 1, &length, &error));
  CHECK_OK(tdz_plan_for("i32", 1, 0, &plan, &error));
  unsigned char* const small = malloc(block.length - 1);
  CHECK_FAILS(TDZ_LIMIT,
              tdz_encode_block(NULL, plan, numbers, kBytes, small, block.length - 1, &length, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_encode_block(NULL, plan, numbers, 0, small, block.length - 1, &length, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_encode_block(NULL, NULL, numbers, 4, small, block.length - 1, &length, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_encode_block(NULL, plan, NULL, 4, small, block.length - 1, &length, &error));
  CHECK(tdz_block_bound(0) == 0 && tdz_block_bound((size_t)TDZ_MAX_BLOCK_ORIGINAL + 1) == 0);
  tdz_plan_free(plan);
  free(small);
  free(again);
  free(block.bytes);
  free(numbers);
}

/* Every byte that is wrong, and every length that is too short, is an error that says why. */
static void refuses_damage(void) {
  tdz_error error;
  int32_t* const numbers = some_numbers(100);
  struct block block = block_of(numbers, 400);
  unsigned char again[400];
  size_t length;
  uint64_t promised;
  for (size_t cut = 0; cut < block.length; ++cut)
    CHECK_FAILS(TDZ_TRUNCATED,
                tdz_decode_block(NULL, block.bytes, cut, again, sizeof again, &length, &error));
  CHECK_FAILS(TDZ_TRUNCATED, tdz_block_original_bytes(block.bytes, 40, &promised, &error));
  for (size_t at = 0; at < block.length; ++at) {
    block.bytes[at] ^= 0x10;
    const tdz_status status =
        tdz_decode_block(NULL, block.bytes, block.length, again, sizeof again, &length, &error);
    CHECK(status == TDZ_OK || status == TDZ_CORRUPT || status == TDZ_UNSUPPORTED || status == TDZ_TRUNCATED);
    if (status == TDZ_OK) CHECK(memcmp(again, numbers, 400) == 0); /* a byte that no reader judges */
    block.bytes[at] ^= 0x10;
  }
  free(block.bytes);
  free(numbers);
}

static void tells_its_plan(void) {
  tdz_error error;
  tdz_plan *plan, *same;
  int32_t* const numbers = some_numbers(kCount);
  struct block block = block_of(numbers, kBytes);
  CHECK_OK(tdz_block_plan(block.bytes, block.length, &plan, &error));
  CHECK_OK(tdz_plan_for("i32", 1, 0, &same, &error));
  CHECK(strcmp(tdz_plan_json(plan, NULL), tdz_plan_json(same, NULL)) == 0);
  tdz_plan_free(same);
  tdz_plan_free(plan);
  free(block.bytes);
  free(numbers);
}

int main(void) {
  comes_back(NULL);
  keeps_its_context();
  wants_room();
  refuses_damage();
  tells_its_plan();
  return 0;
}
