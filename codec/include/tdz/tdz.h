/* SPDX-License-Identifier: Apache-2.0
 * The library's interface for C, and for every language that can call C. C11.
 *
 *     tdz_error error;
 *     tdz_plan *plan;
 *     if (tdz_plan_for("f32x3", 1, 0, &plan, &error)) return fail(error.message);
 *     size_t room = tdz_block_bound(bytes), length;
 *     void *block = malloc(room);
 *     if (tdz_encode_block(NULL, plan, numbers, bytes, block, room, &length, &error)) return
 * fail(error.message);
 *
 * Every function that can fail returns TDZ_OK, which is 0, or the kind of the error. `error` may be NULL; it
 * is written only after an error. After an error, outputs are unspecified, except where a comment says more.
 * No function prints, and none throws. Where a comment lists errors, two are left out, because every function
 * can return them: TDZ_LIMIT, if there is too little memory, and TDZ_USAGE, if a pointer that is needed is
 * NULL. A function that has no status returns NULL or 0 for a handle that is NULL, and a length of 0.
 *
 * All lengths and offsets are bytes. Structs of options begin with their own size, and 0 or NULL in every
 * other member is the default:
 *
 *     tdz_compress_options options = {.size = sizeof options};
 *     options.type = "i16x2";
 *
 * So a program that was compiled with this header also works with a later libtdz.so.0. If a member that this
 * library does not know yet is not 0, the call returns TDZ_UNSUPPORTED. A pointer to options may be NULL:
 * all members have their defaults.
 *
 * Threads: functions may be called by several threads at once. Plans never change, so threads share them. A
 * context, a reader and a device decoder are used by one thread at a time. */
#ifndef TDZ_TDZ_H
#define TDZ_TDZ_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TDZ_API __attribute__((visibility("default")))
#else
#define TDZ_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors
 * ------------------------------------------------------------------------------------------------ */

typedef enum tdz_status {
  TDZ_OK = 0,
  TDZ_USAGE = 1,     /* the request itself makes no sense */
  TDZ_CORRUPT = 2,   /* the bytes contradict themselves */
  TDZ_TRUNCATED = 3, /* the bytes end too early */
  TDZ_UNSUPPORTED =
      4,            /* the bytes are intact, but this version or build cannot read them; or there is no GPU */
  TDZ_IO = 5,       /* reading or writing failed */
  TDZ_LIMIT = 6,    /* memory or another limit was reached */
  TDZ_CANCELLED = 7 /* the caller asked to stop */
} tdz_status;

#define TDZ_NOWHERE UINT64_MAX

/* Belongs to the caller. A message that is too long is cut; it always ends with a 0 byte. */
typedef struct tdz_error {
  uint64_t where; /* offset in the stream or block, or TDZ_NOWHERE */
  char message[248];
} tdz_error;

/* One word, such as "corrupt"; "ok" for TDZ_OK, "" for other numbers. */
TDZ_API const char* tdz_status_name(tdz_status status);

/* ---- About this library
 * ------------------------------------------------------------------------------------ */

TDZ_API const char* tdz_version(void);        /* such as "0.2.0" */
TDZ_API const char* tdz_format_version(void); /* of the format that it writes, such as "1.1" */
TDZ_API const char* tdz_zstd_version(void);   /* of the zstd library that is loaded */

/* What 0 means where `threads` is given: the cores that the calling thread may use, within its CPU mask and
 * the CPU quota of its cgroup (of a container). At least 1. */
TDZ_API unsigned tdz_default_threads(void);

/* Frees what a function of this library allocated, where its comment says so. NULL is allowed. */
TDZ_API void tdz_free(void* memory);

/* The bytes that this process may still take, at most: the machine's free memory, not swap; or the limit of
 * its container or of its address space, if that is smaller. UINT64_MAX: the system does not tell.
 *
 * No function of this library allocates what a file claims before its bytes are there: originals go to the
 * caller's memory or callback. A caller that collects them in memory, from files of strangers, gives this as
 * `max_output`. */
TDZ_API uint64_t tdz_available_memory(void);

/* ---- Plans
 * ------------------------------------------------------------------------------------------------- */

/* Says which columns of numbers the bytes are, and the steps of each column. It never changes. The caller
 * frees every plan that a function gives. */
typedef struct tdz_plan tdz_plan;
TDZ_API void tdz_plan_free(tdz_plan* plan); /* NULL is allowed */

/* The plans that calls of tdz_compress found, for their next inputs (plan_cache.hpp). Threads may share it,
 * but only calls one after another, in one order, write the same bytes every time. NULL: no memory. */
typedef struct tdz_plan_cache tdz_plan_cache;
TDZ_API tdz_plan_cache* tdz_plan_cache_new(void);
TDZ_API void tdz_plan_cache_free(tdz_plan_cache* cache); /* NULL is allowed; after the calls that use it */
/* How many inputs took a plan from it. All others were searched. NULL: 0. */
TDZ_API uint64_t tdz_plan_cache_taken(const tdz_plan_cache* cache);

/* The plan for a type such as "f32x3", or for the fields of a row such as "u64,f32x5,i24": for each column a
 * difference of this order (0 to 8; 0: none), zigzag and tuple-planes. Level: of zstd, 1 to 22; 0: 3. Error
 * usage: no such type, order or level. */
TDZ_API tdz_status tdz_plan_for(const char* types, unsigned order, int level, tdz_plan** plan,
                                tdz_error* error);

typedef enum tdz_layout {
  TDZ_LAYOUT_AUTO = 0, /* tuple-planes; for a tuple of 1: planes; for a word of 1 byte: interleaved */
  TDZ_INTERLEAVED = 1,
  TDZ_PLANES = 2,
  TDZ_TUPLE_PLANES = 3,
  TDZ_BIT_PLANES = 4,
  TDZ_PACKED = 5 /* groups of 16 numbers, each with as many bits as its widest needs; format 1.1 */
} tdz_layout;

/* One column, described by numbers. HDF5's filter has the same numbers. */
typedef struct tdz_numbers {
  size_t size;     /* sizeof(tdz_numbers) */
  unsigned word;   /* bytes of a number: 1 to 8 */
  uint32_t tuple;  /* numbers of a record; 0: 1 */
  unsigned order;  /* of the difference over the tuple, 0 to 8 */
  unsigned layout; /* tdz_layout */
  uint32_t row;    /* numbers: a second difference, of order 1, over rows, as in a grid; 0: none */
  unsigned flags;  /* TDZ_BIG_ENDIAN, TDZ_NO_ZIGZAG */
  int level;       /* of zstd, 1 to 22; 0: 3. TDZ_PACKED has no zstd */
} tdz_numbers;
#define TDZ_BIG_ENDIAN 1u /* the words are big-endian */
#define TDZ_NO_ZIGZAG 2u  /* without the step zigzag */
/* Error usage: a number that is out of its range. */
TDZ_API tdz_status tdz_plan_of_numbers(const tdz_numbers* numbers, tdz_plan** plan, tdz_error* error);

typedef enum tdz_effort {
  TDZ_EFFORT_NORMAL = 0,
  TDZ_EFFORT_FAST = 1,
  TDZ_EFFORT_BEST = 2,
  TDZ_EFFORT_FASTEST = 3 /* packed groups without zstd: larger, and faster */
} tdz_effort;

typedef struct tdz_search_options {
  size_t size;      /* sizeof(tdz_search_options) */
  const char* type; /* as in tdz_plan_for; NULL: the search finds out */
  int level;        /* of zstd, 1 to 22; 0: the effort's */
  unsigned effort;  /* tdz_effort */
  int gpu;          /* 1: ask for frames that a GPU decodes quickly, if at most 20 % larger */
  int big_endian;   /* 1: the words are big-endian; needs a type */
} tdz_search_options;
/* The plan that packs this sample best. The more bytes of the data the sample has, the better; 16 MiB are
 * plenty. Error usage: an empty sample, or options out of range. */
TDZ_API tdz_status tdz_plan_search(const void* sample, size_t bytes, const tdz_search_options* options,
                                   tdz_plan** plan, tdz_error* error);

/* JSON, as docs/json.md describes it. `length` does not count a 0 byte at the end, and none is needed.
 * Errors: usage (no valid plan; the message names the place), unsupported (a later version of this JSON). */
TDZ_API tdz_status tdz_plan_from_json(const char* text, size_t length, tdz_plan** plan, tdz_error* error);
/* In one line, with a 0 byte at the end. It lives as long as the plan. `length` may be NULL. */
TDZ_API const char* tdz_plan_json(const tdz_plan* plan, size_t* length);
/* For people: a line for each column, such as "numbers of f32: difference of order 1 to the number before;
 * zigzag; byte shuffle". They may be worded otherwise in another version. It lives as long as the plan. */
TDZ_API const char* tdz_plan_words(const tdz_plan* plan, size_t* length);

/* The bytes of a plan, as a chunk's record has them (FORMAT.md, section 3); its pad, up to 7 bytes of zeros,
 * may follow. They say nothing of level and frames, so the level comes with them; 0: 3. Errors: corrupt,
 * unsupported. */
TDZ_API tdz_status tdz_plan_from_bytes(const void* bytes, size_t length, int level, tdz_plan** plan,
                                       tdz_error* error);
/* They live as long as the plan. */
TDZ_API const void* tdz_plan_bytes(const tdz_plan* plan, size_t* length);

/* The same plan with another level of zstd, 1 to 22; 0: 3. Error usage: another number. */
TDZ_API tdz_status tdz_plan_with_level(const tdz_plan* plan, int level, tdz_plan** other, tdz_error* error);
/* The level of zstd, 1 to 22; 0: level 3. */
TDZ_API int tdz_plan_level(const tdz_plan* plan);
/* Bytes of a row. Cut data into chunks at its multiples. */
TDZ_API size_t tdz_plan_record_bytes(const tdz_plan* plan);

/* ---- Lone blocks: one chunk without a stream, as in Zarr and HDF5
 * ------------------------------------------- */

/* Keeps the memory of an encoder and a decoder for the next block. Used by one thread at a time. */
typedef struct tdz_context tdz_context;
TDZ_API tdz_status tdz_context_new(tdz_context** context, tdz_error* error);
TDZ_API void tdz_context_free(tdz_context* context); /* NULL is allowed */

#define TDZ_MAX_BLOCK_ORIGINAL 1073741824 /* 1 GiB */

/* The number of the filter for HDF5, whose chunks are lone blocks. It is NOT registered: 32768 to 65535 are
 * free for tests, so another filter may have it too. It will change when The HDF Group gives one. */
#define TDZ_HDF5_FILTER 54842

/* No block of so many original bytes is longer. 0: there is no such block (no bytes, or more than 1 GiB). */
TDZ_API size_t tdz_block_bound(size_t original_bytes);

/* Writes the block to the front of `out`, and its bytes to `*length`. tdz_block_bound() bytes are always
 * enough. `original` and `out` do not overlap. Without a context (NULL) the call allocates its memory and
 * frees it. Errors: usage (no bytes, more than 1 GiB), unsupported (the plan asks for blocks of a length that
 * this version cannot make), limit (`room` is too small). */
TDZ_API tdz_status tdz_encode_block(tdz_context* context, const tdz_plan* plan, const void* original,
                                    size_t bytes, void* out, size_t room, size_t* length, tdz_error* error);

/* The number of original bytes, from the record at the front of the block; the frames need not be there.
 * Errors: corrupt, truncated, unsupported. */
TDZ_API tdz_status tdz_block_original_bytes(const void* block, size_t bytes, uint64_t* original,
                                            tdz_error* error);

/* Restores the original to the front of `out`, and its bytes to `*length`. `context` as above. Errors:
 * corrupt, truncated, unsupported, limit (the original is longer than `room`). */
TDZ_API tdz_status tdz_decode_block(tdz_context* context, const void* block, size_t bytes, void* out,
                                    size_t room, size_t* length, tdz_error* error);

/* The plan of a block, from the record at its front. Errors: corrupt, truncated, unsupported. */
TDZ_API tdz_status tdz_block_plan(const void* block, size_t bytes, tdz_plan** plan, tdz_error* error);

/* ---- Input and output of streams
 * --------------------------------------------------------------------------- */

/* A callback returns 0, or any other number to end the call: one of tdz_status, other numbers count as
 * TDZ_IO. The call then returns that kind. Callbacks of one input, and of one output, are called by one
 * thread at a time, but not always by the same thread; only write_at may be called by several threads at
 * once. A callback must not throw and must not jump out. */

/* Bytes to read. At least one of the callbacks is there; with read_at a range needs only its own chunks, and
 * the search sees all of the input. */
typedef struct tdz_input {
  size_t size; /* sizeof(tdz_input) */
  void* user;  /* given to the callbacks */
  /* Reads 1 to `most` bytes; `*got` is their number, 0 at the end. NULL: read_at is used. */
  int (*read)(void* user, void* into, size_t most, size_t* got);
  /* Reads exactly `bytes` bytes. NULL: the input can only be read in order. */
  int (*read_at)(void* user, uint64_t offset, void* into, size_t bytes);
  /* How many bytes there are. 0 and no read_at: not known. */
  uint64_t bytes;
} tdz_input;

/* Where bytes go. Exactly one of the callbacks is there. */
typedef struct tdz_output {
  size_t size; /* sizeof(tdz_output) */
  void* user;  /* given to the callbacks */
  /* Writes all these bytes after those of the calls before. */
  int (*write)(void* user, const void* bytes, size_t count);
  /* Writes at any offset, in any order, from several threads at once. Not for tdz_compress. */
  int (*write_at)(void* user, uint64_t offset, const void* bytes, size_t count);
} tdz_output;

/* The number of bytes done so far. Called after each chunk, by one thread at a time. A number other than 0
 * ends the call with TDZ_CANCELLED. */
typedef int (*tdz_progress)(void* user, uint64_t original_bytes, uint64_t stored_bytes);

/* What a call did. */
typedef struct tdz_totals {
  size_t size; /* sizeof(tdz_totals), set by the caller */
  uint64_t original_bytes;
  uint64_t stored_bytes;
  uint64_t chunks;
  uint64_t streams;         /* 0 for a range */
  unsigned char digest[16]; /* XXH3-128 of the original; zero where nobody asked for it */
} tdz_totals;

/* ---- Compress
 * ---------------------------------------------------------------------------------------------- */

typedef struct tdz_compress_options {
  size_t size;          /* sizeof(tdz_compress_options) */
  const tdz_plan* plan; /* NULL: search for one, with the effort, `gpu` and the level below */
  const char* type;     /* what the numbers are, such as "i16x2"; with a plan it only goes to `info` */
  int level;            /* of zstd, 1 to 22; 0: the plan's or the effort's. With a plan it must be 0 */
  unsigned effort;      /* tdz_effort */
  int gpu;              /* as in tdz_search_options */
  unsigned threads;     /* 0: tdz_default_threads() */
  uint32_t chunk_bytes; /* 64 KiB to 1 GiB, cut down to whole rows; 0: suits the numbers */
  uint32_t frame_bytes; /* longest zstd frame, 4 KiB to chunk_bytes; 0: the plan's, or as long as the chunk */
  uint64_t raw_prefix;  /* length of a header before the numbers; it is stored without steps */
  uint64_t memory;      /* limit for chunks and contexts; 0: no limit */
  int no_digest;        /* 1: END gets no XXH3-128 of the whole original */
  tdz_progress progress;
  void* progress_user;
  int big_endian;        /* as in tdz_search_options; without a plan */
  tdz_plan_cache* plans; /* without a plan: of earlier inputs, and for later ones; NULL: none */
  /* Percent of the stream, 0 to 100, that parity is added for, so that `tdz recover` brings back so much. It
   * takes 128 MiB of memory more. 0: none. */
  uint64_t protect;
} tdz_compress_options;

/* Reads the input to its end and writes one stream. `totals` may be NULL. Errors: usage (options out of
 * range), limit
 * (`memory`), cancelled, io (the input has more or fewer bytes than it said), and those of the callbacks. */
TDZ_API tdz_status tdz_compress(const tdz_input* from, const tdz_output* to,
                                const tdz_compress_options* options, tdz_totals* totals, tdz_error* error);

/* The same in memory, with the same errors. `*stored` is freed with tdz_free. */
TDZ_API tdz_status tdz_compress_bytes(const void* original, size_t bytes, const tdz_compress_options* options,
                                      void** stored, size_t* length, tdz_error* error);

/* ---- Restore
 * ----------------------------------------------------------------------------------------------- */

typedef struct tdz_decompress_options {
  size_t size;         /* sizeof(tdz_decompress_options) */
  uint64_t offset;     /* restore only a range of the original: its first byte, */
  uint64_t length;     /* and its length; 0: to the end */
  unsigned threads;    /* 0: tdz_default_threads() */
  int compare_digest;  /* 1: compare the XXH3-128 of the whole too; the chunks' digests are always checked */
  uint64_t memory;     /* limit for chunks and contexts; 0: a quarter of what this process may use */
  uint64_t max_output; /* a longer output is TDZ_LIMIT; 0: no limit */
  tdz_progress progress;
  void* progress_user;
} tdz_decompress_options;

/* Restores one or more streams that follow one another. After an error, the bytes written are a correct
 * prefix of the original; with write_at there may be holes between them. `to` may be NULL: everything is
 * checked, and nothing is written. `totals` may be NULL. Errors: corrupt, truncated, unsupported, limit,
 * cancelled, usage (the original ends before the range ends), and those of the callbacks. */
TDZ_API tdz_status tdz_decompress(const tdz_input* from, const tdz_output* to,
                                  const tdz_decompress_options* options, tdz_totals* totals,
                                  tdz_error* error);

/* The same into the caller's memory: a range, or all, to the front of `out`. `*length` is the number of bytes
 * written. Error limit too: they are more than `room`. */
TDZ_API tdz_status tdz_decompress_bytes(const void* stored, size_t bytes,
                                        const tdz_decompress_options* options, void* out, size_t room,
                                        size_t* length, tdz_error* error);

/* The number of original bytes of all streams, from the ends of the streams; no data is decoded. What it says
 * is not proved before the data is decoded. Errors: corrupt, truncated, unsupported. */
TDZ_API tdz_status tdz_original_bytes(const void* stored, size_t bytes, uint64_t* original, tdz_error* error);

/* ---- Read at any offset
 * ------------------------------------------------------------------------------------ */

/* Restores any part of a file. It keeps a list of all chunks (48 bytes each) and the chunk that it read last.
 * Used by one thread at a time. */
typedef struct tdz_reader tdz_reader;

/* `from` needs read_at; what `from->user` points to lives longer than the reader, the struct itself need not.
 * Of the options only `threads`, `memory`, `max_output` and `size` may be set. Reads the index of every
 * stream. Errors: corrupt, truncated, unsupported, limit (the original is longer than `max_output`, or the
 * list of chunks than `memory`), usage (another option is set), and those of read_at. */
TDZ_API tdz_status tdz_reader_open(const tdz_input* from, const tdz_decompress_options* options,
                                   tdz_reader** reader, tdz_error* error);
TDZ_API void tdz_reader_free(tdz_reader* reader); /* NULL is allowed */
/* The number of original bytes. */
TDZ_API uint64_t tdz_reader_size(const tdz_reader* reader);
/* What the first stream says of its numbers, such as "i16x2", or "". Printable ASCII. It lives as long as the
 * reader. */
TDZ_API const char* tdz_reader_type(const tdz_reader* reader);
/* Restores `bytes` bytes from `offset` on, fewer at the end of the original; `*got` is their number. Several
 * chunks are decoded by several threads. Errors: corrupt, truncated, unsupported, limit, and those of
 * read_at. */
TDZ_API tdz_status tdz_reader_read(tdz_reader* reader, uint64_t offset, void* into, size_t bytes, size_t* got,
                                   tdz_error* error);

/* ---- Information
 * ------------------------------------------------------------------------------------------- */

#define TDZ_INFO_CHUNKS 1u /* with a list of all chunks */

/* The streams of a file as one line of JSON, freed with tdz_free; `length` without the 0 byte at its end.
 * `from` needs read_at. The object has "original_bytes", "stored_bytes" and "streams"; a stream has the
 * members of `tdz info --json` (docs/json.md), and "chunk_list" with TDZ_INFO_CHUNKS. No data is decoded.
 * Errors: corrupt, truncated, unsupported, usage (another flag), and those of read_at. */
TDZ_API tdz_status tdz_info(const tdz_input* from, unsigned flags, char** json, size_t* length,
                            tdz_error* error);

/* ---- On a device
 * ------------------------------------------------------------------------------------------- */

/* libtdz_cuda.so is opened when it is needed first; tdz's docs/building.md says where it is searched. */

/* The number of CUDA devices that it can use; 0 without it, and without a driver. */
TDZ_API int tdz_device_count(void);

/* An item of a list: bytes in host memory, or in that of a device. */
typedef struct tdz_bytes {
  const void* data;
  size_t bytes;
} tdz_bytes;

/* Decodes lone blocks or files into the memory of the device that is current when it is opened. The same
 * device must be current in every later call. Used by one thread at a time. Without libtdz_cuda.so, a driver
 * or a device, opening it returns TDZ_UNSUPPORTED and says what is missing. Every call returns TDZ_IO if a
 * call of CUDA fails. */
typedef struct tdz_device_decoder tdz_device_decoder;

/* The list is copied; the blocks are not, and live longer than the decoder. The originals follow one another
 * in the values. */
TDZ_API tdz_status tdz_device_open_blocks(const tdz_bytes* blocks, size_t count, tdz_device_decoder** decoder,
                                          tdz_error* error);
/* The same for blocks in the memory of the device, anywhere there. The 64 bytes behind each block are
 * readable too; what they are does not matter. Whoever writes the blocks is done. */
TDZ_API tdz_status tdz_device_open_blocks_on_device(const tdz_bytes* blocks, size_t count,
                                                    tdz_device_decoder** decoder, tdz_error* error);
/* A file in host memory, which lives longer than the decoder. */
TDZ_API tdz_status tdz_device_open_bytes(const void* stored, size_t bytes, tdz_device_decoder** decoder,
                                         tdz_error* error);
/* A file. `from` needs read_at; what `from->user` points to lives longer than the decoder. */
TDZ_API tdz_status tdz_device_open(const tdz_input* from, tdz_device_decoder** decoder, tdz_error* error);
TDZ_API void tdz_device_free(tdz_device_decoder* decoder); /* NULL is allowed */

typedef struct tdz_device_sizes {
  size_t size;       /* sizeof(tdz_device_sizes), set by the caller */
  uint64_t original; /* bytes of the values: all originals, one behind the other */
  uint64_t scratch;  /* bytes of device memory that tdz_device_decode works in */
} tdz_device_sizes;

/* Reads and checks all records, then the packed bytes, and allocates what tdz_device_decode needs. Errors:
 * corrupt, truncated, unsupported, limit, and those of read_at. */
TDZ_API tdz_status tdz_device_load(tdz_device_decoder* decoder, tdz_device_sizes* sizes, tdz_error* error);
/* Puts the work on a stream: `stream` is a cudaStream_t. `values` and `scratch` are device memory of at least
 * the sizes above; scratch is aligned to 256 bytes. Nobody else uses either until tdz_device_finish returns.
 * The call allocates nothing and waits for nothing. Error usage: no tdz_device_load before, or a wrong
 * alignment. */
TDZ_API tdz_status tdz_device_decode(tdz_device_decoder* decoder, void* values, void* scratch, void* stream,
                                     tdz_error* error);
/* Waits for the work and checks it. Only after TDZ_OK the values are right. tdz_device_decode may follow
 * again. Errors: corrupt, truncated, unsupported, limit. */
TDZ_API tdz_status tdz_device_finish(tdz_device_decoder* decoder, tdz_error* error);

#ifdef __cplusplus
}
#endif

#endif
