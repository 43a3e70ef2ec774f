/* SPDX-License-Identifier: Apache-2.0
 * A first program in C: packs a wave of 16-bit numbers as one block, and restores it.
 *
 *     cc blocks.c $(pkg-config --cflags --libs tdz) -lm -o blocks && ./blocks */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tdz/tdz.h"

static int16_t wave[48000], again[48000];
static unsigned char block[200000];

int main(void) {
  for (int i = 0; i < 48000; ++i) wave[i] = (int16_t)(20000 * sin(i * 0.01));

  tdz_error error;
  tdz_plan* plan;
  size_t packed, restored;
  /* The differences of a sine are a sine again, only smaller: two of them pay. */
  tdz_status status = tdz_plan_for("i16", 2, 0, &plan, &error);
  if (status == TDZ_OK) {
    status = tdz_encode_block(NULL, plan, wave, sizeof wave, block, sizeof block, &packed, &error);
    tdz_plan_free(plan);
  }
  if (status == TDZ_OK)
    status = tdz_decode_block(NULL, block, packed, again, sizeof again, &restored, &error);
  if (status != TDZ_OK) {
    fprintf(stderr, "%s: %s\n", tdz_status_name(status), error.message);
    return 1;
  }
  printf("%zu bytes packed to %zu\n", sizeof wave, packed);
  return restored == sizeof wave && memcmp(wave, again, sizeof wave) == 0 ? 0 : 1;
}
