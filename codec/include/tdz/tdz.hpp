// SPDX-License-Identifier: Apache-2.0
// The library's public interface: compress and restore streams of fixed-width numbers.
//
//     auto packed   = tdz::compress(bytes, {.plan = tdz::plan_for("i16x2").value()});
//     auto restored = tdz::decompress(*packed);
//
// `bytes` is a span of const std::byte: std::as_bytes(std::span(samples)). For streams, write a Source and a
// Sink. A plan says which columns of numbers the bytes are, and for each column the steps that turn its
// numbers into small residuals, for example differences (delta coding) and a byte shuffle (`planes`). A
// stream is a sequence of chunks; each chunk is coded alone.
//
// No function prints. Functions return errors as values (formats/error.hpp). Two things throw: a constructor
// without memory (std::bad_alloc), and value() of a Result that holds an Error (std::bad_variant_access).
// Every function is thread-safe if each call has its own Source, Sink and options. All lengths and offsets
// are bytes, except where a comment names another unit.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"
#include "kernels/device.hpp"
#include "tdz/device.hpp"
#include "tdz/plan_cache.hpp"

namespace tdz {

// ---- Input and output -------------------------------------------------------------------------------------

/// Bytes at any offset, for example of a file. Used by one thread at a time, except as parallel_reads() says.
class RandomAccess {
 public:
  virtual ~RandomAccess() = default;
  virtual std::uint64_t size() const = 0;
  /// Fills all of `into`. If the file ends earlier, the result is Error io.
  virtual Status read_at(std::uint64_t offset, std::span<std::byte> into) = 0;
  /// Whether several threads may call read_at() at once. A GPU needs that to decode or encode.
  virtual bool parallel_reads() const { return false; }
};

/// Bytes in order. Used by one thread at a time, but not always by the same thread.
class Source {
 public:
  virtual ~Source() = default;
  /// Reads 1 to into.size() bytes and returns their number; 0 means the end. Precondition: `into` is not
  /// empty.
  virtual Result<std::size_t> read(std::span<std::byte> into) = 0;
  /// Waits until read() would not block (true), or until the time is over (false). A source that never blocks
  /// returns true at once.
  virtual bool ready_within(std::chrono::milliseconds) { return true; }
  /// The number of bytes that read() will return in all calls together, if it is known before.
  virtual std::optional<std::uint64_t> size() const { return std::nullopt; }
  /// The same bytes at any offset, or null. With it the search takes samples from the whole input, not only
  /// from its beginning. Reading through it does not change what read() returns next. It lives as long as the
  /// source.
  virtual RandomAccess* random_access() { return nullptr; }
};

/// Takes bytes in order, from one thread at a time. If positioned() is true, decompress and recover call only
/// write_at: in any order, and from several threads at once.
class Sink {
 public:
  virtual ~Sink() = default;
  /// Takes all of `bytes`, behind those of the call before.
  virtual Status write(std::span<const std::byte> bytes) = 0;
  virtual bool positioned() const { return false; }
  /// Offset 0 is the first byte of the output. Error usage from a sink that is not positioned.
  virtual Status write_at(std::uint64_t offset, std::span<const std::byte> bytes);
};

// ---- Compress and restore ---------------------------------------------------------------------------------

/// What encodes and decodes. The bytes are the same. A GPU decodes frames for a GPU (CompressOptions::gpu) of
/// a source with random_access() whose reads may be parallel; the CPU decodes all else. A GPU encodes such
/// frames if the plan is one of DeviceEncoder (tdz/device_encoder.hpp) and there is no flush_after; the CPU
/// encodes all else. `automatic` takes the GPU where that is faster, its start included
/// (docs/performance.md), and the CPU where no GPU starts. With `cuda` a call returns Error unsupported if
/// there is no usable device, and Error limit if it has no memory to start. If a device fails later, or has
/// too little memory, the CPU and the other devices do its work.
enum class BackendChoice : std::uint8_t { automatic, cpu, cuda };

/// Receives a message about a problem that tdz could correct, for example a device that failed. Called from
/// any thread, at most once in a call of compress or decompress.
using WarningCallback = std::function<void(std::string_view)>;
/// Receives a line that says what decoded or encoded a file, and why. Called at most once, at the end of a
/// call. Not called if the CPU was asked for, or if `automatic` has a short file.
using NoteCallback = std::function<void(std::string_view)>;

/// The number of bytes done so far, in the original and in the compressed stream. For a progress display.
struct Progress {
  std::uint64_t original_bytes = 0;
  std::uint64_t stored_bytes = 0;
};
/// Called after each chunk, by one thread at a time.
using ProgressCallback = std::function<void(const Progress&)>;

inline constexpr int kMinLevel = 1;
inline constexpr int kMaxLevel = 22;
inline constexpr int kDefaultLevel = 3;

inline constexpr unsigned kMaxProtect = 100;
inline constexpr unsigned kDefaultProtect = 5;

/// How many candidates the search tries, and zstd's level: 1, 3 and 16. `best` uses chunks of at least 4 MiB.
/// `fastest` packs numbers in groups without zstd (FORMAT.md, section 3, "packed"): larger, and faster.
enum class Effort : std::uint8_t { fast, normal, best, fastest };

/// What the caller knows about the numbers. The search keeps each value that is set and looks for the others.
/// It may add steps before and behind them, unless word, tuple, order, zigzag and layout are all set.
struct SearchOptions {
  Effort effort = Effort::normal;
  /// The fields of a row, each a column: {'u', 8, 1}, {'f', 4, 5}. Then word, tuple and row are not set, and
  /// the search finds the steps of each column. Words may also have 3, 5, 6 and 7 bytes.
  std::vector<NumberType> fields = {};
  std::optional<std::uint8_t> word = {};    ///< bytes of a number: 1, 2, 4 or 8
  std::optional<std::uint32_t> tuple = {};  ///< numbers of a record, at least 1
  std::optional<std::uint8_t> order = {};   ///< of the difference, 0 (no difference) .. 8
  std::optional<bool> zigzag = {};
  std::optional<Layout> layout = {};
  std::optional<std::uint32_t> row = {};  ///< words: a second difference, of order 1, over rows; 0: none
  /// The words are big-endian. False: they are little-endian if `word` is set, else the search tries both.
  bool big_endian = false;

  friend bool operator==(const SearchOptions&, const SearchOptions&) = default;
};

struct CompressOptions {
  Plan plan = plain_plan();                  ///< for every chunk after the raw prefix; by default no steps
  std::optional<SearchOptions> search = {};  ///< if set: search for a plan and ignore `plan`
  std::string type = {};         ///< what `info` shows, like "i16x2"; it does not change the coding
  std::uint64_t raw_prefix = 0;  ///< length of a header before the numbers; it is stored without steps
  /// With a search: take what a GPU decodes quickly, packed groups or frames for a GPU (FORMAT.md, section
  /// 4): the fastest that is at most 8 % larger than the steps found, else the smallest, if at most 20 %
  /// larger; with Effort::fastest packed groups that a GPU decodes in one pass. False: take frames for a GPU
  /// only where they are at most 1 % larger, with Effort::best 0.4 %.
  bool gpu = false;
  int level = 0;                  ///< of zstd, kMinLevel .. kMaxLevel; 0: the effort's, 3 without a search
  std::uint32_t chunk_bytes = 0;  ///< 64 KiB .. 1 GiB, cut down to whole rows; 0: suits the numbers
  std::uint32_t frame_bytes = 0;  ///< longest zstd frame, 4 KiB .. chunk_bytes; 0: as long as the chunk
  /// Percent of the stream, 0 to kMaxProtect, that parity is added for: recover() brings back so much, where
  /// it is lost or damaged (docs/reliability.md). Needs 128 MiB of memory more. 0: none.
  unsigned protect = 0;
  unsigned threads = 0;  ///< 0: one for each core that the process may use
  /// Limit for chunks and contexts; tdz uses fewer threads to stay below it. 0: no limit.
  std::uint64_t memory = 0;
  /// Write a short chunk when its first byte has waited this long for more input. Bytes behind the last whole
  /// row may wait twice as long.
  std::optional<std::chrono::milliseconds> flush_after = {};
  /// With a search: plans of earlier inputs come first, and what is found is kept for later ones. Not for
  /// sources without random_access(), and not with Effort::fastest, whose search is short. Null: each input
  /// is searched. It must live as long as the call.
  PlanCache* plans = nullptr;
  bool digest = true;  ///< END gets the XXH3-128 of the whole original, which one thread computes
  BackendChoice backend = BackendChoice::automatic;
  DeviceOptions device = {};
  WarningCallback warn = {};
  NoteCallback note = {};
  ProgressCallback progress = {};
  std::stop_token stop = {};  ///< a stop request ends the call with Error cancelled
};

/// An offset or a length in the original: a number of bytes, or a number of values. The type of the first
/// stream says what a value is: for i16x2 a pair of 16-bit numbers, without a type a byte.
struct Extent {
  std::uint64_t count = 0;
  bool values = false;
};
/// A part of the original. Concatenated streams count as one original.
struct Range {
  Extent offset;
  std::optional<Extent> length = {};  ///< nothing: to the end
};

struct DecompressOptions {
  std::optional<Range> range = {};  ///< restore only this; uses the index if there is random_access()
  unsigned threads = 0;             ///< 0: one for each core that the process may use
  std::uint64_t memory = 0;  ///< limit for chunks and contexts; 0: a quarter of what the process may use
  std::uint64_t max_output = ~std::uint64_t{0};  ///< a longer output is Error limit
  /// Compare the digest of the whole original too, where the file has one. The digests of chunks are always
  /// checked, and prove as much.
  bool compare_digest = false;
  BackendChoice backend = BackendChoice::automatic;
  DeviceOptions device = {};
  WarningCallback warn = {};
  NoteCallback note = {};
  ProgressCallback progress = {};
  std::stop_token stop = {};
};

/// What a call did. For concatenated streams: the sums, and the digest of the last stream. For a range: the
/// bytes read and written for it, and `streams` is 0. The digest is zero if nobody asked for it.
/// DecompressOptions::compare_digest asks for it, of whole streams; so does CompressOptions::digest.
struct Totals {
  std::uint64_t original_bytes = 0;
  std::uint64_t stored_bytes = 0;
  std::uint64_t chunks = 0;
  std::uint64_t streams = 0;
  std::array<std::byte, 16> digest{};  ///< XXH3-128 of the original, as `xxhsum -H2` prints it
  /// Of compress: chunks in frames for a GPU, or in packed groups that a GPU decodes. Of decompress: chunks
  /// that a GPU decoded.
  std::uint64_t gpu_chunks = 0;
};

/// Reads `from` to its end and writes one stream. The bytes written depend only on the input, the options
/// (not on threads, memory and backend), and zstd's version. A search sees less of a source without
/// random_access(), so a pipe may give other bytes than a file. With flush_after the bytes also depend on
/// when the input arrives. Errors: usage (options out of range), unsupported (backend not available), limit
/// (memory), cancelled, io (`from` returned more or fewer bytes than its size()), and all errors of Source
/// and Sink.
Result<Totals> compress(Source& from, Sink& to, const CompressOptions& options = {});

/// Restores one or more concatenated streams. A chunk is written only after its digest matched. After an
/// error, the bytes in the sink are a correct prefix of the original; in a positioned sink there may be holes
/// between them. A range needs only its own chunks to be intact, and its first byte goes to offset 0 of the
/// sink. Errors: corrupt, truncated, unsupported, limit, cancelled, usage (the original ends before the range
/// ends), and all errors of Source and Sink.
Result<Totals> decompress(Source& from, Sink& to, const DecompressOptions& options = {});

/// The same in memory, with the same errors.
Result<std::vector<std::byte>> compress(std::span<const std::byte> original,
                                        const CompressOptions& options = {});
Result<std::vector<std::byte>> decompress(std::span<const std::byte> stored,
                                          const DecompressOptions& options = {});

/// The plan for a type such as "f32x3", or for the fields of a row such as "u64,f32x5,i24": for each column a
/// difference of this order, zigzag and tuple-planes. Order 0 gives no difference. Error usage: no type, or
/// an order above 8.
Result<Plan> plan_for(std::string_view types, unsigned order = 1);

/// A plan that the search tried, and the packed size of the samples with it.
struct Candidate {
  Plan plan;
  std::uint64_t packed_bytes = 0;
};
/// The packed size of the samples with the first choice, but with this order and tuple.
struct GridCell {
  unsigned order = 0;
  std::uint32_t tuple = 1;
  std::uint64_t packed_bytes = 0;
};
/// What compress would choose, and why.
struct Analysis {
  /// The first is for the whole input; a chunk may take another one that suits it better.
  std::vector<Plan> chosen;
  /// In the order of the trials. The first choice is among them, unless the caller named the fields of a row.
  std::vector<Candidate> candidates;
  std::uint64_t sampled_bytes = 0;  ///< length of the samples; every candidate was tried on all of them
  /// For each column of the first choice: the share (0 to 1) of its words that the step scale keeps as they
  /// are, because they are no multiples. Empty if no column has this step.
  std::vector<double> holes;
  /// Other orders and tuples: all tuples of order 0, then all of order 1, and so on. Empty if the first
  /// choice has more than one column, or other steps than differences, zigzag and a layout of planes.
  std::vector<GridCell> grid;
  /// With CompressOptions::gpu: by which part of its size the only choice is larger than what would be taken
  /// without, in general frames. Nothing where no two were compared.
  std::optional<double> larger_for_gpu;
  /// With CompressOptions::gpu: at how many GB of values a second one NVIDIA H100 decodes the only choice, by
  /// a model that was fitted to measurements. Nothing where a CPU decodes it, or chunks differ.
  std::optional<double> gpu_speed;
  std::uint64_t raw_prefix = 0;  ///< the length of the input's own header
  std::string type;
  std::string_view sniffed;  ///< the file format that this header shows, or empty
  int level = 0;
  std::uint32_t chunk_bytes = 0;
  /// The bytes of the stream that compress would write, and those of them that are records, not packed
  /// numbers. 0 where the input is longer than 1 MiB: there they are not counted.
  std::uint64_t stored_bytes = 0;
  std::uint64_t record_bytes = 0;
};
/// Does the search of compress with these options, and writes nothing. It may read only a part of `from`.
/// Errors: usage (options out of range), limit (memory), and all errors of Source.
Result<Analysis> analyze(Source& from, const CompressOptions& options);

struct ProtectOptions {
  unsigned percent = kDefaultProtect;  ///< as CompressOptions::protect; 0 takes parity away
  unsigned threads = 0;
  std::uint64_t memory = 0;  ///< as in DecompressOptions
  ProgressCallback progress = {};
  std::stop_token stop = {};
};

/// Writes the streams of a file again, with parity; parity that was there goes, and so do other notes. First
/// decodes everything, so that no damage is protected. Chunks, and digests of whole originals, stay as they
/// are. Errors: those of decompress; usage (percent out of range).
Result<Totals> protect(RandomAccess& from, Sink& to, const ProtectOptions& options = {});

// ---- Looking into a file ----------------------------------------------------------------------------------

/// The parity of the last area of a stream, 128 MiB or less: of each `pieces` pieces, `parity` may be lost.
struct Protection {
  std::uint64_t area_bytes = 0;
  std::uint32_t piece_bytes = 0;
  std::uint32_t stripes = 0;  ///< pieces side by side are in different stripes
  std::uint32_t pieces = 0;   ///< of a stripe
  std::uint32_t parity = 0;   ///< parity pieces of a stripe

  /// The longest hole in the area that comes back.
  std::uint64_t hole_bytes() const;
};

/// One stream of a file.
struct StreamInfo {
  std::uint64_t offset = 0;  ///< of its first byte in the file
  std::uint64_t stored_bytes = 0;
  std::uint64_t original_bytes = 0;
  std::uint64_t chunks = 0;
  std::uint32_t largest_chunk = 0;  ///< bytes of the original
  std::uint32_t largest_frame = 0;  ///< bytes of the content
  unsigned version_major = 0;
  unsigned version_minor = 0;
  std::string type;  ///< as the file has it: escape it before you print it
  /// Of the last index part, which lists at most 65536 chunks. A plan that this version does not know has no
  /// columns; here and in ChunkInfo.
  std::vector<Plan> plans;
  std::uint8_t digest_kind = 0;  ///< 0: none, 1: XXH3-128 of the original; no reader compares it unasked
  std::array<std::byte, 16> digest{};
  std::optional<Protection> protection = {};
};

/// One chunk of a stream.
struct ChunkInfo {
  std::uint64_t number = 0;           ///< from 0
  std::uint64_t stored_offset = 0;    ///< in the file, of its record
  std::uint64_t original_offset = 0;  ///< in its stream's original
  std::uint32_t original_bytes = 0;
  std::uint32_t stored_bytes = 0;  ///< record and frames
  std::uint64_t digest = 0;        ///< XXH3-64 of its original bytes
  Plan plan;
};

struct InspectOptions {
  /// Limit for records and for the list of streams. 0: a quarter of the machine's memory.
  std::uint64_t memory = 0;
  /// Error limit if the originals of all streams together are longer.
  std::uint64_t max_output = ~std::uint64_t{0};
};

/// The streams of a file, first to last. Reads only the beginnings and ends of streams: the time does not
/// grow with a stream's length, and no data is decoded. Only a damaged file is read from its beginning, to
/// say what is wrong. Errors: corrupt, truncated, unsupported, limit, and all errors of `file`.
Result<std::vector<StreamInfo>> inspect(RandomAccess& file, const InspectOptions& options = {});
/// Calls `visit` for the chunks of one stream, in order, until it returns false. Reads the index: O(chunks).
/// Only the end shows whether the index as a whole is right: after an error, discard what was visited.
/// A ChunkInfo lives until the next visit. Errors: as inspect.
Status for_each_chunk(RandomAccess& file, const StreamInfo& stream,
                      const std::function<bool(const ChunkInfo&)>& visit, const InspectOptions& options = {});

// ---- After damage -----------------------------------------------------------------------------------------

/// Bytes of the original that could not be restored.
struct MissingRange {
  std::uint64_t offset = 0;  ///< concatenated streams count as one original
  /// Nothing: unknown, because the end of a stream or a whole stream is lost.
  std::optional<std::uint64_t> length = {};
};

/// What recover writes for missing bytes.
enum class Fill : std::uint8_t {
  zeros,    ///< zeros: every restored byte keeps its offset
  nothing,  ///< nothing: the restored chunks follow one another
};

struct RecoverOptions {
  Fill fill = Fill::zeros;
  std::uint64_t memory = 0;  ///< as in DecompressOptions; an intact chunk that needs more is Error limit, and
                             ///< so are more bytes that parity restores
  std::uint64_t max_output = ~std::uint64_t{0};           ///< a longer output is Error limit
  std::function<void(const MissingRange&)> missing = {};  ///< called for each range, in order of offset
  ProgressCallback progress = {};
  std::stop_token stop = {};
};

/// What parity found and did.
struct Healing {
  std::uint64_t protected_bytes =
      0;                         ///< of the streams, in areas whose notes were found; 0: there is no parity
  std::uint64_t lost_bytes = 0;  ///< of these: in pieces that are damaged or lost
  std::uint64_t restored_bytes = 0;  ///< of the lost ones
  std::uint64_t moved_bytes = 0;     ///< found, but not where the begin of their stream says
  std::uint64_t lost_notes = 0;      ///< notes of parity that are damaged or lost
  bool complete() const { return lost_bytes == restored_bytes; }
};

/// What recover could restore.
struct Recovered {
  std::uint64_t original_bytes = 0;   ///< length of the original, as far as the file still tells it
  std::uint64_t recovered_bytes = 0;  ///< how many of these bytes are restored
  std::uint64_t chunks = 0;           ///< restored chunks
  std::uint64_t missing_ranges = 0;
  std::uint64_t streams = 0;  ///< streams of which at least one chunk or the end was found
  /// False: no chunk is missing, but END's totals or chain say that one is not of its stream.
  bool digests_match = true;
  Healing healing = {};
  bool complete() const { return missing_ranges == 0 && digests_match; }
};

/// Restores every intact chunk of a damaged file, after parity has brought back what it can. Any part may be
/// lost: header, index, end, bytes in the middle. A chunk is written only if it belongs to one of the file's
/// own streams and its digest matches. If the original holds .tdz files, their chunks are never taken for
/// chunks of the file itself. Memory: one chunk, one part of the index (4 MB), 100 bytes for each chunk of
/// the file (100 bytes for each MiB, if chunks have 1 MiB; 300 bytes in a stream in which bytes were put in
/// or left out), and 500 bytes for each stream. Where records are damaged, .tdz files that lie unpacked in
/// the frames count too. Time: n log n for a file of n bytes, and what it takes to decode and write the
/// chunks. Errors: corrupt (no intact chunk is left), unsupported (a later format version), limit, cancelled,
/// and all errors of `from` and `to`.
Result<Recovered> recover(RandomAccess& from, Sink& to, const RecoverOptions& options = {});

struct HealOptions {
  std::uint64_t memory = 0;  ///< for pieces that are restored; 0: a quarter of what the process may use
  ProgressCallback progress = {};
  std::stop_token stop = {};
};

/// Writes the file as it was before the damage, as far as its parity tells, with its notes and its end. Where
/// it cannot help, the bytes are written as they are. Errors: limit, cancelled, and all errors of `from` and
/// `to`.
Result<Healing> heal(RandomAccess& from, Sink& to, const HealOptions& options = {});

/// The same without writing: what parity could bring back.
Result<Healing> examine(RandomAccess& from, const HealOptions& options = {});

// ---- About this build -------------------------------------------------------------------------------------

std::string_view version();         ///< of the library, such as "0.2.0"
std::string_view format_version();  ///< of the format that it writes, such as "1.1"
std::string zstd_version();         ///< of the zstd library that is loaded
/// Why this zstd should not be used for writing, or empty. Versions 1.5.0 to 1.5.3 may write corrupt data at
/// levels 13 and up.
std::string_view zstd_warning();

/// Every backend, available here or not.
std::vector<BackendInfo> backends();

}  // namespace tdz
