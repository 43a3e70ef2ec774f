/* SPDX-License-Identifier: Apache-2.0
 * Every kind of error, its name, its message; and calls without a place for the error. */
#include "tests/c/check.h"

static int refuses(void* user, void* into, size_t most, size_t* got) {
  (void)into, (void)most, (void)got;
  return *(int*)user;
}

/* An error that a callback returns is the error of the call, whatever its kind is. */
static void every_kind(void) {
  tdz_error error;
  struct memory out = {0};
  const tdz_output to = ordered_output(&out);
  for (int kind = TDZ_USAGE; kind <= TDZ_CANCELLED; ++kind) {
    const tdz_input from = {.size = sizeof from, .user = &kind, .read = refuses};
    CHECK_FAILS((tdz_status)kind, tdz_compress(&from, &to, NULL, NULL, &error));
    CHECK_FAILS((tdz_status)kind, tdz_decompress(&from, &to, NULL, NULL, &error));
    CHECK(tdz_status_name((tdz_status)kind)[0] != 0);
  }
  free(out.bytes);
}

static void names(void) {
  CHECK(strcmp(tdz_status_name(TDZ_OK), "ok") == 0);
  CHECK(strcmp(tdz_status_name(TDZ_CORRUPT), "corrupt") == 0);
  CHECK(strcmp(tdz_status_name((tdz_status)99), "") == 0);
}

static void long_messages_are_cut(void) {
  tdz_error error;
  tdz_plan* plan;
  char type[1000];
  memset(type, 'q', sizeof type - 1);
  type[sizeof type - 1] = 0;
  memset(&error, 'z', sizeof error);
  CHECK(tdz_plan_for(type, 1, 0, &plan, &error) == TDZ_USAGE);
  CHECK(strlen(error.message) == sizeof error.message - 1 && error.where == TDZ_NOWHERE);
}

static void nobody_listens(void) {
  tdz_plan* plan;
  uint64_t original;
  CHECK(tdz_plan_for("q", 1, 0, &plan, NULL) == TDZ_USAGE);
  CHECK(tdz_block_original_bytes("", 0, &original, NULL) == TDZ_TRUNCATED);
}

/* A good call leaves the error as it was. */
static void success_is_silent(void) {
  tdz_error error;
  tdz_plan* plan;
  memset(&error, 'z', sizeof error);
  CHECK(tdz_plan_for("i16", 1, 0, &plan, &error) == TDZ_OK);
  CHECK(error.message[0] == 'z');
  tdz_plan_free(plan);
}

int main(void) {
  every_kind();
  names();
  long_messages_are_cut();
  nobody_listens();
  success_is_silent();
  return 0;
}
