/* SPDX-License-Identifier: Apache-2.0
 * Devices: without one, opening says Unsupported; a request that makes no sense is told first. With one,
 * tests/cuda decodes. */
#include "tests/c/check.h"

int main(void) {
  tdz_error error;
  tdz_device_decoder* decoder = NULL;
  CHECK_FAILS(TDZ_USAGE, tdz_device_open_blocks(NULL, 1, &decoder, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_device_open_blocks(NULL, 0, NULL, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_device_open_blocks_on_device(NULL, 1, &decoder, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_device_load(NULL, NULL, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_device_decode(NULL, NULL, NULL, NULL, &error));
  CHECK_FAILS(TDZ_USAGE, tdz_device_finish(NULL, &error));
  tdz_device_free(NULL);
  if (tdz_device_count() > 0) return 77;

  const tdz_bytes block = {"abcdefgh", 8};
  CHECK_FAILS(TDZ_UNSUPPORTED, tdz_device_open_blocks(&block, 1, &decoder, &error));
  CHECK_FAILS(TDZ_UNSUPPORTED, tdz_device_open_bytes("abcdefgh", 8, &decoder, &error));
  struct memory m = {.bytes = (unsigned char*)"abcdefgh", .length = 8};
  const tdz_input from = file_input(&m);
  CHECK_FAILS(TDZ_UNSUPPORTED, tdz_device_open(&from, &decoder, &error));
  CHECK(decoder == NULL);
  return 0;
}
