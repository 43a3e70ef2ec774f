// SPDX-License-Identifier: Apache-2.0
// The public face of the library: compress and restore streams of fixed-width numbers.
//
//     auto packed   = tdz::compress(bytes, {.transform = tdz::steps_for("i16x2").value()});
//     auto restored = tdz::decompress(*packed);
//
// `bytes` is a span of const std::byte: std::as_bytes(std::span(samples)). For streams, write a Source and a Sink.
//
// Nothing here prints. Two things throw: a constructor without memory (std::bad_alloc), and value() of a Result that
// holds an Error (std::bad_variant_access). Every function is thread-safe as long as each call has its own Source,
// Sink and options.
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
#include "formats/transform.hpp"
#include "kernels/device.hpp"
#include "tdz/device.hpp"

namespace tdz {

// ---- Where bytes come from and go to ------------------------------------------------------------------------------

/// Bytes at any offset, for looking into a stream without decoding it.
class RandomAccess {
 public:
  virtual ~RandomAccess() = default;
  virtual std::uint64_t size() const = 0;
  /// Fills all of `into`; an end before that is an io error.
  virtual Status read_at(std::uint64_t offset, std::span<std::byte> into) = 0;
};

/// Bytes in order. Used by one thread at a time, not always the same one.
class Source {
 public:
  virtual ~Source() = default;
  /// Reads 1 to into.size() bytes; 0 means that the end was reached. Precondition: `into` is not empty.
  virtual Result<std::size_t> read(std::span<std::byte> into) = 0;
  /// Waits until read would not block, or the time is over (then false). What never blocks returns true at once.
  virtual bool ready_within(std::chrono::milliseconds) { return true; }
  /// How many bytes read will deliver in all, where that is known beforehand.
  virtual std::optional<std::uint64_t> size() const { return std::nullopt; }
  /// The same bytes at any offset, where that is possible: the search then looks at samples of all of it. Reading there
  /// does not move read. Lives as long as the source.
  virtual RandomAccess* random_access() { return nullptr; }
};

/// Takes bytes in order; or, where positioned() is true, at any offset and from several threads at once.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual Status write(std::span<const std::byte> bytes) = 0;
  virtual bool positioned() const { return false; }
  virtual Status write_at(std::uint64_t offset, std::span<const std::byte> bytes);
};

// ---- What to do with them -----------------------------------------------------------------------------------------

/// Where differences are computed; the bytes are the same. automatic is the CPU: for files a GPU has not been faster
/// (docs/performance.md), its worth lies in tdz/device.hpp. cuda is an error where there is no usable device; a device
/// that fails later leaves its work to the CPU.
enum class BackendChoice : std::uint8_t { automatic, cpu, cuda };

/// Hears of what went wrong and was mended. Called by any thread, at most once a call of compress or decompress.
using WarningCallback = std::function<void(std::string_view)>;

/// Bytes done so far, for a progress display: of the original, and of the compressed stream.
struct Progress {
  std::uint64_t original_bytes = 0;
  std::uint64_t stored_bytes = 0;
};
/// Called now and then, by one thread at a time.
using ProgressCallback = std::function<void(const Progress&)>;

inline constexpr int kMinLevel = 1;
inline constexpr int kMaxLevel = 22;
inline constexpr int kDefaultLevel = 3;

/// How long to look for the best coding, and how hard zstd tries: its levels 1, 3 and 16, the last with chunks of 4 MiB.
enum class Effort : std::uint8_t { fast, normal, best };

/// What is known of the numbers when the rest is to be searched for.
struct SearchOptions {
  Effort effort = Effort::normal;
  std::optional<std::uint8_t> word = {};
  std::optional<std::uint32_t> tuple = {};
  std::optional<std::uint8_t> order = {};
  std::optional<bool> zigzag = {};
  std::optional<Layout> layout = {};
  std::optional<std::uint32_t> row = {};  ///< words; a second difference, of order 1, over rows of them; 0: none
  bool big_endian = false;
};

struct CompressOptions {
  Transform transform = {};           ///< applied to every chunk after the raw prefix; none by default
  std::optional<SearchOptions> search = {};  ///< find the transform instead; `transform` is not used then
  NumberType nominal = {};            ///< what the numbers are called, for `info`; does not change the coding
  std::uint64_t raw_prefix = 0;       ///< this many bytes at the start are a foreign header, no numbers
  int level = 0;                      ///< zstd's, kMinLevel..kMaxLevel; 0: what the effort suggests, 3 without a search
  std::uint32_t chunk_bytes = 0;      ///< 64 KiB .. 1 GiB, cut at whole tuples below it; 0: as suits the numbers
  std::uint32_t frame_bytes = 0;      ///< longest zstd frame, 4 KiB .. chunk_bytes; 0: as long as the chunk
  unsigned threads = 0;               ///< 0: as many as the machine has
  std::uint64_t memory = 0;           ///< for chunks and contexts, at most; fewer threads rather than more. 0: no limit
  std::optional<std::chrono::milliseconds> flush_after = {};  ///< write a short chunk where its first byte waits this long
  BackendChoice backend = BackendChoice::automatic;
  DeviceOptions device = {};
  WarningCallback warn = {};
  ProgressCallback progress = {};
  std::stop_token stop = {};          ///< a stop request ends the call with Error cancelled
};

/// A place in the original, or a length of it: in bytes, or in values of the type that its first stream names. A value
/// of i16x2 is a pair; where no type was named, a value is a byte.
struct Extent {
  std::uint64_t count = 0;
  bool values = false;
};
/// Part of the original, concatenated streams taken together.
struct Range {
  Extent offset;
  std::optional<Extent> length = {};  ///< nothing: to the end
};

struct DecompressOptions {
  std::optional<Range> range = {};    ///< only this: through the index where the source can be read at any offset
  unsigned threads = 0;
  std::uint64_t memory = 0;           ///< for chunks and contexts, at most; 0: a quarter of what the machine has
  std::uint64_t max_output = ~std::uint64_t{0};  ///< a stream that restores to more is Error limit
  bool strict = false;                ///< check the checksums inside the zstd frames too; the digests are always checked
  BackendChoice backend = BackendChoice::automatic;
  DeviceOptions device = {};
  WarningCallback warn = {};
  ProgressCallback progress = {};
  std::stop_token stop = {};
};

/// What a call did. With concatenated streams: sums, and the digest of the last one. Of a range: what was read and
/// written for it, and neither streams nor a digest.
struct Totals {
  std::uint64_t original_bytes = 0;
  std::uint64_t stored_bytes = 0;
  std::uint64_t chunks = 0;
  std::uint64_t streams = 0;
  std::array<std::byte, 16> digest{};  ///< XXH3-128 of the original, as `xxhsum -H2` prints it
};

/// Reads `from` to its end and writes one stream. The bytes written depend on the input, on the options except
/// threads and backend, and on zstd's version. A search also sees less of a source without random_access(), so a pipe
/// may give other bytes than a file. With flush_after they also depend on when the input arrives.
/// Errors: usage (options out of range), unsupported (backend not available), limit (memory), cancelled, and
/// whatever Source and Sink report; io when `from` delivers more or fewer bytes than it announced.
Result<Totals> compress(Source& from, Sink& to, const CompressOptions& options = {});

/// Restores one or more concatenated streams. A chunk is written only after its digest matched; on an error what was
/// written is a true prefix of the original (but for a positioned sink, where it may have holes). A range needs only
/// its own chunks to be sound, and begins at offset 0 of the sink.
/// Errors: corrupt, truncated, unsupported, limit, cancelled, usage (the original ends before the range does), and
/// whatever Source and Sink report.
Result<Totals> decompress(Source& from, Sink& to, const DecompressOptions& options = {});

/// The same in memory.
Result<std::vector<std::byte>> compress(std::span<const std::byte> original, const CompressOptions& options = {});
Result<std::vector<std::byte>> decompress(std::span<const std::byte> stored, const DecompressOptions& options = {});

/// The steps for a type given by name, such as "f32x3": order 1 (or `order`), zigzag and tuple-planes.
Result<Transform> steps_for(std::string_view type, unsigned order = 1);

/// A transform that the search tried, and how its samples came out.
struct Candidate {
  Transform transform;
  std::uint64_t packed_bytes = 0;
};
/// What compress would choose, and why.
struct Analysis {
  std::vector<Transform> chosen;      ///< the first for the input as a whole, others for chunks that they suit better
  std::vector<Candidate> candidates;  ///< in the order they were tried
  std::uint64_t sampled_bytes = 0;    ///< that every candidate was tried on
  std::vector<Candidate> grid;        ///< the first choice with other orders and tuples, on the same samples
  std::uint64_t raw_prefix = 0;       ///< the input's own header
  NumberType nominal;
  std::string_view sniffed;           ///< the format which that header names, or empty
  int level = 0;
  std::uint32_t chunk_bytes = 0;
};
/// Looks at `from` as compress would with these options (a search among them), and compresses nothing.
Result<Analysis> analyze(Source& from, const CompressOptions& options);

// ---- Looking inside -----------------------------------------------------------------------------------------------

struct StreamInfo {
  std::uint64_t offset = 0;  ///< of the stream in the file
  std::uint64_t stored_bytes = 0;
  std::uint64_t original_bytes = 0;
  std::uint64_t chunks = 0;
  std::uint32_t largest_chunk = 0;
  std::uint32_t largest_frame = 0;
  unsigned version_major = 0;
  unsigned version_minor = 0;
  NumberType nominal;
  std::vector<Transform> transforms;   ///< of the last index part: every kind of chunk in a stream of up to 65536 chunks
  std::array<std::byte, 16> digest{};  ///< XXH3-128 of the original
  bool has_seek_table = false;
};

struct ChunkInfo {
  std::uint64_t number = 0;
  std::uint64_t stored_offset = 0;    ///< of its record in the file
  std::uint64_t original_offset = 0;  ///< in its stream's original
  std::uint32_t original_bytes = 0;
  std::uint32_t stored_bytes = 0;
  std::uint64_t digest = 0;
  Transform transform;
};

/// The streams of a file, first to last, read from their ends: O(1) in a stream's length, no data decoded.
Result<std::vector<StreamInfo>> inspect(RandomAccess& file);
/// The chunks of one of them, from its index: O(chunks). `visit` returns false to stop.
Status for_each_chunk(RandomAccess& file, const StreamInfo& stream, const std::function<bool(const ChunkInfo&)>& visit);

// ---- After damage -------------------------------------------------------------------------------------------------

/// Bytes of the original that could not be restored.
struct MissingRange {
  std::uint64_t offset = 0;  ///< concatenated streams taken together
  /// Nothing: a stream's end, or all of one, is lost, and nobody knows how much.
  std::optional<std::uint64_t> length = {};
};

/// What stands in the place of what is missing.
enum class Fill : std::uint8_t {
  zeros,    ///< everything that is left keeps its place
  nothing,  ///< what is left moves together
};

struct RecoverOptions {
  Fill fill = Fill::zeros;
  std::uint64_t memory = 0;  ///< as in DecompressOptions; a sound chunk that needs more is Error limit
  std::uint64_t max_output = ~std::uint64_t{0};           ///< more than this is Error limit
  std::function<void(const MissingRange&)> missing = {};  ///< called for each, in order of offset
  ProgressCallback progress = {};
  std::stop_token stop = {};
};

/// What was left of a file.
struct Recovered {
  std::uint64_t original_bytes = 0;   ///< of what was once compressed, as far as can be known
  std::uint64_t recovered_bytes = 0;  ///< of these are restored
  std::uint64_t chunks = 0;           ///< that are whole
  std::uint64_t missing_ranges = 0;
  std::uint64_t streams = 0;
  bool digests_match = true;  ///< false: all chunks are there, but one belongs to a sibling of its stream
  bool complete() const { return missing_ranges == 0 && digests_match; }
};

/// Restores every whole chunk of a file that may have lost anything: header, index, end, parts in the middle.
/// A chunk is written only if it belongs to the file's own streams and its digest matches; a .tdz that was
/// compressed again stays what it is. Memory: one chunk, one stream's index part and seek table (11 MB), and
/// 100 bytes a stream. Errors: corrupt (no tdz stream is left in it), unsupported (of a later format), io,
/// limit, cancelled.
Result<Recovered> recover(RandomAccess& from, Sink& to, const RecoverOptions& options = {});

// ---- About this build ---------------------------------------------------------------------------------------------

std::string_view version();         ///< of the library, "0.1.0"
std::string_view format_version();  ///< that it writes, "1.0"
std::string zstd_version();         ///< of the zstd that is loaded
/// Why that zstd should not be used for writing, or empty. 1.5.0 to 1.5.3 may corrupt at levels >= 13.
std::string_view zstd_warning();

std::vector<BackendInfo> backends();

}  // namespace tdz
