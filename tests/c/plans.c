/* SPDX-License-Identifier: Apache-2.0
 * Plans: from types, numbers, a search, JSON and bytes; what they say; and what is no plan. */
#include "tests/c/check.h"

static void from_a_type(void) {
  tdz_error error;
  tdz_plan* plan;
  CHECK_OK(tdz_plan_for("u64,f32x5", 1, 7, &plan, &error));
  CHECK(tdz_plan_record_bytes(plan) == 28);
  CHECK(tdz_plan_level(plan) == 7);
  tdz_plan_free(plan);
  CHECK_FAILS(TDZ_USAGE, tdz_plan_for("q17", 1, 0, &plan, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_plan_for("i16", 9, 0, &plan, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_plan_for("i16", 1, 23, &plan, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_plan_for("i16", 1, -1, &plan, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_plan_for(NULL, 1, 0, &plan, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_plan_for("i16", 1, 0, NULL, &error));
}

static void through_json(void) {
  tdz_error error;
  tdz_plan *plan, *again;
  size_t length;
  CHECK_OK(tdz_plan_for("i16x2", 2, 5, &plan, &error));
  const char* const text = tdz_plan_json(plan, &length);
  CHECK(strlen(text) == length && strstr(text, "\"difference\"") != NULL);
  CHECK_OK(tdz_plan_from_json(text, length, &again, &error));
  CHECK(strcmp(text, tdz_plan_json(again, NULL)) == 0);
  CHECK(tdz_plan_level(again) == 5);
  CHECK_FAILS(TDZ_USAGE, tdz_plan_from_json(text, length - 1, &again, &error));
  CHECK_FAILS(TDZ_UNSUPPORTED, tdz_plan_from_json("{\"version\": 9}", 14, &plan, &error));
  tdz_plan_free(again);
  tdz_plan_free(plan);
}

static void in_words(void) {
  tdz_error error;
  tdz_plan* plan;
  size_t length;
  CHECK_OK(tdz_plan_for("f32,i16x2", 2, 0, &plan, &error));
  const char* const words = tdz_plan_words(plan, &length);
  CHECK(strlen(words) == length && strchr(words, '\n') == strrchr(words, '\n'));
  CHECK(strncmp(words, "column 1, f32: difference of order 2", 36) == 0);
  CHECK(strstr(words, "\ncolumn 2, 2 x i16: difference of order 2") != NULL);
  CHECK(strcmp(words, tdz_plan_words(plan, NULL)) == 0);
  tdz_plan_free(plan);
}

static void through_bytes(void) {
  tdz_error error;
  tdz_plan *plan, *again, *third;
  size_t length;
  CHECK_OK(tdz_plan_for("i16x2", 2, 5, &plan, &error));
  const void* const bytes = tdz_plan_bytes(plan, &length);
  CHECK_OK(tdz_plan_from_bytes(bytes, length, 5, &again, &error));
  size_t again_length;
  const void* const again_bytes = tdz_plan_bytes(again, &again_length);
  CHECK(again_length == length && memcmp(bytes, again_bytes, length) == 0);
  CHECK_OK(tdz_plan_with_level(again, 9, &third, &error));
  CHECK(tdz_plan_level(again) == 5 && tdz_plan_level(third) == 9);
  tdz_plan_free(again);
  unsigned char padded[200] = {0};
  memcpy(padded, bytes, length);
  CHECK_OK(tdz_plan_from_bytes(padded, length + 7, 5, &again, &error));
  CHECK(strcmp(tdz_plan_json(plan, NULL), tdz_plan_json(again, NULL)) == 0);
  tdz_plan* none;
  CHECK_FAILS(TDZ_CORRUPT, tdz_plan_from_bytes(padded, length + 8, 0, &none, &error));
  padded[length] = 1;
  CHECK_FAILS(TDZ_CORRUPT, tdz_plan_from_bytes(padded, length + 1, 0, &none, &error));
  CHECK_FAILS(TDZ_CORRUPT, tdz_plan_from_bytes(bytes, length - 1, 0, &none, &error));
  CHECK_FAILS(TDZ_CORRUPT, tdz_plan_from_bytes(NULL, 0, 0, &none, &error));
  tdz_plan_free(third);
  tdz_plan_free(again);
  tdz_plan_free(plan);
}

static void from_numbers(void) {
  tdz_error error;
  tdz_plan *plan, *same;
  tdz_numbers numbers = {.size = sizeof numbers, .word = 2, .tuple = 3, .order = 2};
  CHECK_OK(tdz_plan_of_numbers(&numbers, &plan, &error));
  CHECK_OK(tdz_plan_for("i16x3", 2, 0, &same, &error));
  size_t a, b;
  const void *const one = tdz_plan_bytes(plan, &a), *const other = tdz_plan_bytes(same, &b);
  CHECK(a == b && memcmp(one, other, a) == 0);
  tdz_plan_free(plan);
  tdz_plan_free(same);

  numbers = (tdz_numbers){.size = sizeof numbers,
                          .word = 4,
                          .order = 1,
                          .row = 512,
                          .layout = TDZ_BIT_PLANES,
                          .flags = TDZ_BIG_ENDIAN | TDZ_NO_ZIGZAG};
  CHECK_OK(tdz_plan_of_numbers(&numbers, &plan, &error));
  const char* const text = tdz_plan_json(plan, NULL);
  CHECK(strstr(text, "byteswap") && strstr(text, "bit-planes") && strstr(text, "512") &&
        !strstr(text, "zigzag"));
  tdz_plan_free(plan);

  numbers = (tdz_numbers){.size = sizeof numbers, .word = 9};
  CHECK_FAILS(TDZ_USAGE, tdz_plan_of_numbers(&numbers, &plan, &error));
  numbers = (tdz_numbers){.size = sizeof numbers, .word = 3, .tuple = 2, .order = 1, .layout = TDZ_PACKED};
  CHECK_OK(tdz_plan_of_numbers(&numbers, &plan, &error));
  CHECK(strstr(tdz_plan_json(plan, NULL), "packed") && strstr(tdz_plan_json(plan, NULL), "zigzag"));
  const void* const packed = tdz_plan_bytes(plan, &a);
  CHECK_OK(tdz_plan_from_bytes(packed, a, 0, &same, &error));
  CHECK(strcmp(tdz_plan_json(plan, NULL), tdz_plan_json(same, NULL)) == 0);
  tdz_plan_free(same);
  tdz_plan_free(plan);
  numbers.tuple = 257; /* more lanes than groups have */
  CHECK_OK(tdz_plan_of_numbers(&numbers, &plan, &error));
  tdz_plan_free(plan);

  numbers = (tdz_numbers){.size = sizeof numbers, .word = 2, .layout = 6};
  CHECK_FAILS(TDZ_USAGE, tdz_plan_of_numbers(&numbers, &plan, &error));
  numbers = (tdz_numbers){.size = sizeof numbers, .word = 2, .flags = 4};
  CHECK_FAILS(TDZ_USAGE, tdz_plan_of_numbers(&numbers, &plan, &error));
}

static void from_a_search(void) {
  tdz_error error;
  tdz_plan* plan;
  int32_t* const numbers = some_numbers(50000);
  tdz_search_options options = {.size = sizeof options, .type = "i32", .level = 5, .effort = TDZ_EFFORT_FAST};
  CHECK_OK(tdz_plan_search(numbers, 200000, &options, &plan, &error));
  CHECK(tdz_plan_level(plan) == 5 && strstr(tdz_plan_json(plan, NULL), "difference") != NULL);
  tdz_plan_free(plan);
  CHECK_OK(tdz_plan_search(numbers, 200000, NULL, &plan, &error));
  tdz_plan_free(plan);
  options.effort = TDZ_EFFORT_FASTEST;
  CHECK_OK(tdz_plan_search(numbers, 200000, &options, &plan, &error));
  CHECK(strstr(tdz_plan_json(plan, NULL), "packed") != NULL &&
        strstr(tdz_plan_json(plan, NULL), "stored") != NULL);
  tdz_plan_free(plan);
  options.effort = 4;
  CHECK_FAILS(TDZ_USAGE, tdz_plan_search(numbers, 200000, &options, &plan, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_plan_search(numbers, 0, NULL, &plan, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_plan_search(NULL, 5, NULL, &plan, &error));
  free(numbers);
}

int main(void) {
  from_a_type();
  through_json();
  in_words();
  through_bytes();
  from_numbers();
  from_a_search();
  tdz_plan_free(NULL);
  return 0;
}
