/* SPDX-License-Identifier: Apache-2.0
 * What the C tests share: a condition that must hold, and some numbers. */
#ifndef TDZ_TESTS_C_CHECK_H
#define TDZ_TESTS_C_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tdz/tdz.h"

/* Prints what was expected, and ends the program. */
#define CHECK(condition)                                                         \
  do {                                                                           \
    if (!(condition)) {                                                          \
      fprintf(stderr, "%s:%d: must hold: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                   \
    }                                                                            \
  } while (0)

/* A call that must succeed; `error` is in scope. */
#define CHECK_OK(call)                                                                                   \
  do {                                                                                                   \
    const tdz_status status_of_call = (call);                                                            \
    if (status_of_call != TDZ_OK) {                                                                      \
      fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call, tdz_status_name(status_of_call), \
              error.message);                                                                            \
      exit(1);                                                                                           \
    }                                                                                                    \
  } while (0)

/* A call that must fail with this kind, and say why. */
#define CHECK_FAILS(kind, call)                                                                              \
  do {                                                                                                       \
    error.message[0] = 0;                                                                                    \
    const tdz_status status_of_call = (call);                                                                \
    if (status_of_call != (kind) || error.message[0] == 0) {                                                 \
      fprintf(stderr, "%s:%d: %s: got %s: %s\n", __FILE__, __LINE__, #call, tdz_status_name(status_of_call), \
              error.message);                                                                                \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

/* A walk with small steps: numbers that a difference makes small. Freed by the caller. */
static inline int32_t* some_numbers(size_t count) {
  int32_t* const numbers = malloc(count * sizeof *numbers + 1);
  CHECK(numbers != NULL);
  uint32_t random = 20261122;
  int32_t value = 0;
  for (size_t i = 0; i < count; ++i) {
    random = random * 1664525u + 1013904223u;
    value += (int32_t)(random >> 28) - 8;
    numbers[i] = value;
  }
  return numbers;
}

/* A file in memory, for callbacks. */
struct memory {
  unsigned char* bytes;
  size_t length, room, at;
  int fail_after; /* from the call of this number on, counted from 1, all fail; 0: none */
  int fail_with;
};

static inline int memory_fails(struct memory* m) {
  if (m->fail_after > 1) return --m->fail_after, 0;
  return m->fail_after == 1;
}

static inline int memory_read(void* user, void* into, size_t most, size_t* got) {
  struct memory* const m = user;
  if (memory_fails(m)) return m->fail_with;
  if (most > 50000) most = 50000; /* short reads are allowed */
  *got = m->length - m->at < most ? m->length - m->at : most;
  memcpy(into, m->bytes + m->at, *got);
  m->at += *got;
  return 0;
}

static inline int memory_read_at(void* user, uint64_t offset, void* into, size_t bytes) {
  struct memory* const m = user;
  if (memory_fails(m)) return m->fail_with;
  CHECK(offset <= m->length && bytes <= m->length - offset);
  memcpy(into, m->bytes + offset, bytes);
  return 0;
}

static inline int memory_write(void* user, const void* bytes, size_t count) {
  struct memory* const m = user;
  if (memory_fails(m)) return m->fail_with;
  if (count > m->room - m->length) {
    m->room = 2 * (m->length + count);
    m->bytes = realloc(m->bytes, m->room);
    CHECK(m->bytes != NULL);
  }
  memcpy(m->bytes + m->length, bytes, count);
  m->length += count;
  return 0;
}

static inline tdz_input ordered_input(struct memory* m) {
  return (tdz_input){.size = sizeof(tdz_input), .user = m, .read = memory_read};
}
static inline tdz_input file_input(struct memory* m) {
  return (tdz_input){.size = sizeof(tdz_input), .user = m, .read_at = memory_read_at, .bytes = m->length};
}
static inline tdz_output ordered_output(struct memory* m) {
  return (tdz_output){.size = sizeof(tdz_output), .user = m, .write = memory_write};
}

#endif
