/* SPDX-License-Identifier: Apache-2.0
 * Decoding into the memory of a device through tdz.h, on a stream of the caller. The device is used through
 * the driver's own library, so that nothing but tdz loads the CUDA runtime. Without a device this is Skipped.
 */
#include <dlfcn.h>

#include "tests/c/check.h"

enum { kCount = 700000, kBytes = 4 * kCount, kBlocks = 3 };

static void* driver;

/* Calls a function of the driver; its arguments are numbers of 8 bytes and pointers. */
static void cuda(const char* name, uint64_t a, uint64_t b, uint64_t c) {
  int (*function)(uint64_t, uint64_t, uint64_t);
  *(void**)&function = dlsym(driver, name);
  CHECK(function != NULL);
  const int code = function(a, b, c);
  if (code != 0) fprintf(stderr, "%s: %d\n", name, code);
  CHECK(code == 0);
}
static uint64_t at(void* place) {
  return (uint64_t)(uintptr_t)place;
}

static void* stream;

static void open_driver(void) {
  driver = dlopen("libcuda.so.1", RTLD_NOW);
  CHECK(driver != NULL);
  void* context;
  cuda("cuInit", 0, 0, 0);
  cuda("cuDevicePrimaryCtxRetain", at(&context), 0, 0);
  cuda("cuCtxSetCurrent", at(context), 0, 0);
  cuda("cuStreamCreate", at(&stream), 1, 0);
}

static void* device_memory(size_t bytes) {
  uint64_t memory;
  cuda("cuMemAlloc_v2", at(&memory), bytes, 0);
  return (void*)(uintptr_t)memory;
}

/* Decodes twice, compares with `originals`, and frees the decoder. */
static void gives(tdz_device_decoder* decoder, const unsigned char* originals, size_t bytes) {
  tdz_error error;
  tdz_device_sizes sizes = {.size = sizeof sizes};
  CHECK_OK(tdz_device_load(decoder, &sizes, &error));
  CHECK(sizes.original == bytes);
  void* const values = device_memory(bytes);
  void* const scratch = device_memory(sizes.scratch + 1);
  unsigned char* const again = malloc(bytes);
  for (int time = 0; time < 2; ++time) {
    cuda("cuMemsetD8_v2", at(values), 0, bytes);
    cuda("cuCtxSynchronize", 0, 0, 0); /* nothing else orders it before the work on `stream` */
    CHECK_OK(tdz_device_decode(decoder, values, scratch, stream, &error));
    CHECK_OK(tdz_device_finish(decoder, &error));
    cuda("cuMemcpyDtoH_v2", at(again), at(values), bytes);
    CHECK(memcmp(again, originals, bytes) == 0);
  }
  free(again);
  cuda("cuMemFree_v2", at(values), 0, 0);
  cuda("cuMemFree_v2", at(scratch), 0, 0);
  tdz_device_free(decoder);
}

/* One plan of frames for a GPU, and two that the CPU decodes in part. */
static tdz_plan* plan_of(int i, const void* sample) {
  tdz_error error;
  tdz_plan* plan;
  tdz_search_options options = {.size = sizeof options, .type = "i32", .gpu = 1};
  if (i == 0)
    CHECK_OK(tdz_plan_search(sample, kBytes, &options, &plan, &error));
  else
    CHECK_OK(tdz_plan_for("i32", (unsigned)i, 0, &plan, &error));
  return plan;
}

static void blocks(const unsigned char* original) {
  tdz_error error;
  unsigned char* const all = malloc(kBlocks * (size_t)kBytes);
  unsigned char* stored[kBlocks];
  tdz_bytes list[kBlocks];
  for (int i = 0; i < kBlocks; ++i) {
    tdz_plan* const plan = plan_of(i, original);
    const size_t room = tdz_block_bound(kBytes);
    stored[i] = malloc(room);
    list[i].data = stored[i];
    CHECK_OK(tdz_encode_block(NULL, plan, original, kBytes, stored[i], room, &list[i].bytes, &error));
    memcpy(all + i * (size_t)kBytes, original, kBytes);
    tdz_plan_free(plan);
  }
  tdz_device_decoder* decoder;
  CHECK_OK(tdz_device_open_blocks(list, kBlocks, &decoder, &error));
  gives(decoder, all, kBlocks * (size_t)kBytes);

  /* The same blocks on the device: side by side, with a gap, and the last one first. */
  size_t room = 64;
  for (int i = 0; i < kBlocks; ++i) room += list[i].bytes + 77;
  unsigned char* const together = device_memory(room);
  tdz_bytes there[kBlocks];
  size_t begin = 0;
  for (int i = kBlocks; i-- > 0; begin += list[i].bytes + 77) {
    there[i] = (tdz_bytes){together + begin, list[i].bytes};
    cuda("cuMemcpyHtoD_v2", at(together + begin), at((void*)(uintptr_t)list[i].data), list[i].bytes);
  }
  CHECK_OK(tdz_device_open_blocks_on_device(there, kBlocks, &decoder, &error));
  gives(decoder, all, kBlocks * (size_t)kBytes);
  cuda("cuMemFree_v2", at(together), 0, 0);

  /* A wrong byte of a digest or a frame is found, at the latest by finish. */
  stored[0][list[0].bytes - 100] ^= 1;
  tdz_device_sizes sizes = {.size = sizeof sizes};
  CHECK_OK(tdz_device_open_blocks(list, 1, &decoder, &error));
  tdz_status status = tdz_device_load(decoder, &sizes, &error);
  if (status == TDZ_OK) {
    void* const memory = device_memory(kBytes + sizes.scratch + 256);
    status = tdz_device_decode(decoder, memory, (char*)memory + (kBytes + 255) / 256 * 256, stream, &error);
    if (status == TDZ_OK) status = tdz_device_finish(decoder, &error);
  }
  CHECK(status == TDZ_CORRUPT);
  tdz_device_free(decoder);
  for (int i = 0; i < kBlocks; ++i) free(stored[i]);
  free(all);
}

static void files(const unsigned char* original) {
  tdz_error error;
  tdz_plan* const plan = plan_of(0, original);
  const tdz_compress_options options = {.size = sizeof options, .plan = plan};
  void* stored;
  size_t length;
  CHECK_OK(tdz_compress_bytes(original, kBytes, &options, &stored, &length, &error));
  tdz_plan_free(plan);
  tdz_device_decoder* decoder;
  CHECK_OK(tdz_device_open_bytes(stored, length, &decoder, &error));
  gives(decoder, original, kBytes);
  struct memory m = {.bytes = stored, .length = length};
  const tdz_input from = file_input(&m);
  CHECK_OK(tdz_device_open(&from, &decoder, &error));
  gives(decoder, original, kBytes);
  tdz_free(stored);
}

int main(void) {
  if (tdz_device_count() == 0) return 77;
  open_driver();
  int32_t* const numbers = some_numbers(kCount);
  blocks((const unsigned char*)numbers);
  files((const unsigned char*)numbers);
  free(numbers);
  return 0;
}
