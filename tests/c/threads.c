/* SPDX-License-Identifier: Apache-2.0
 * Threads share one plan, each with a context of its own: all blocks are equal, and all come back. */
#include <pthread.h>

#include "tests/c/check.h"

enum { kThreads = 4, kCount = 20000, kBytes = 4 * kCount, kRounds = 5 };

struct job {
  const tdz_plan* plan;
  const int32_t* numbers;
  unsigned char* block;
  size_t length;
};

static void* run(void* user) {
  struct job* const job = user;
  tdz_error error;
  tdz_context* context;
  CHECK_OK(tdz_context_new(&context, &error));
  const size_t room = tdz_block_bound(kBytes);
  job->block = malloc(room);
  unsigned char* const again = malloc(kBytes);
  for (int round = 0; round < kRounds; ++round) {
    size_t length;
    CHECK_OK(
        tdz_encode_block(context, job->plan, job->numbers, kBytes, job->block, room, &job->length, &error));
    CHECK_OK(tdz_decode_block(context, job->block, job->length, again, kBytes, &length, &error));
    CHECK(length == kBytes && memcmp(again, job->numbers, kBytes) == 0);
    CHECK(tdz_plan_json(job->plan, NULL)[0] == '{');
  }
  free(again);
  tdz_context_free(context);
  return NULL;
}

int main(void) {
  tdz_error error;
  tdz_plan* plan;
  CHECK_OK(tdz_plan_for("i32", 1, 0, &plan, &error));
  int32_t* const numbers = some_numbers(kCount);
  struct job jobs[kThreads];
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    jobs[i] = (struct job){plan, numbers, NULL, 0};
    CHECK(pthread_create(&threads[i], NULL, run, &jobs[i]) == 0);
  }
  for (int i = 0; i < kThreads; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
  for (int i = 0; i < kThreads; ++i) {
    CHECK(jobs[i].length == jobs[0].length && memcmp(jobs[i].block, jobs[0].block, jobs[0].length) == 0);
    if (i > 0) free(jobs[i].block);
  }
  free(jobs[0].block);
  free(numbers);
  tdz_plan_free(plan);
  return 0;
}
