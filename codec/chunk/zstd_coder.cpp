// SPDX-License-Identifier: Apache-2.0
// The experimental section of zstd.h names four parameters that tdz uses. They are set through the stable
// function setParameter, so a zstd that does not know them still works. Without ZSTD_d_forceIgnoreChecksum
// decoding is a little slower. Without ZSTD_c_literalCompressionMode planes of noise are stored uncompressed.
#define ZSTD_STATIC_LINKING_ONLY
#include "codec/chunk/zstd_coder.hpp"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <new>

#include "codec/chunk/block_ends.hpp"
#include "kernels/uniform/frame.hpp"

namespace tdz {
namespace {

// Other decoders must be able to read the frames with a window of 8 MiB. Levels up to 19 do not use more.
constexpr int kMaxWindowLog = 23;
constexpr int kModerateLevel = 3;
constexpr int kLastLevelWithinWindow = 19;
// The value of ZSTD_lcm_huffman. Without it the fast strategy with long steps leaves literals uncompressed.
constexpr int kAlwaysHuffman = 1;
constexpr std::size_t kChecksumBytes = 4;
// Versions before 1.5.4 take an input in place only as one part.
constexpr unsigned kReadsPartsInPlace = 10504;

Error zstd_error(ErrorKind kind, std::size_t code) {
  const bool memory = ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation;
  return {memory ? ErrorKind::limit : kind, std::string("zstd: ") + ZSTD_getErrorName(code)};
}

}  // namespace

std::size_t zstd_bound(std::size_t bytes) {
  return ZSTD_compressBound(bytes);
}

std::size_t zstd_bound(std::span<const std::size_t> parts) {
  std::size_t bound = zstd_bound(std::size_t{0});
  for (const std::size_t part : parts) bound += zstd_bound(part);
  return bound;
}

namespace {

/// What long-distance matching takes in a window of 8 MiB: 0.5 MiB of table, and its sequences. zstd's own
/// estimate divides by zero here.
constexpr std::size_t kDistantBytes = 2u << 20;

std::size_t context_bytes(int level, std::size_t frame, bool distant) {
  auto parameters = ZSTD_getCParams(level, frame, 0);
  constexpr unsigned kMost = static_cast<unsigned>(kMaxWindowLog);
  parameters.windowLog = distant ? kMost : std::min(parameters.windowLog, kMost);
  const std::size_t bytes = ZSTD_estimateCStreamSize_usingCParams(parameters);  // parts are passed one by one
  return distant ? bytes + kDistantBytes : bytes;
}

int level_of(Packing packing, int searched) {
  switch (packing) {
    case Packing::quick:
    case Packing::entropy:
    case Packing::distant_quick:
    case Packing::quick_cut:
      return 1;
    case Packing::moderate:
      return kModerateLevel;
    case Packing::search:
    case Packing::search_cut:
    case Packing::distant:
    case Packing::stored:
      break;
  }
  return searched;
}

/// Blocks end where the bytes change.
bool has_cuts(Packing packing) {
  return packing == Packing::entropy || packing == Packing::search_cut || packing == Packing::quick_cut;
}

bool is_distant(Packing packing) {
  return packing == Packing::distant || packing == Packing::distant_quick;
}

}  // namespace

std::size_t zstd_encoder_bytes(int level, std::size_t frame, const std::array<bool, kPackings>& used) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < kZstdPackings; ++i) {
    const auto packing = static_cast<Packing>(i);
    const auto base = without_cuts(packing);
    if (base != packing && used[static_cast<std::size_t>(base)]) continue;  // they share a context
    if (used[i]) sum += context_bytes(level_of(packing, level), frame, is_distant(packing));
  }
  return sum;
}

void ZstdEncoder::Free::operator()(ZSTD_CCtx_s* context) const noexcept {
  ZSTD_freeCCtx(context);
}

ZstdEncoder::ZstdEncoder(int level, FrameUse use) : level_(level), use_(use) {}

namespace {

void set_parameters(ZSTD_CCtx_s* context, int level, Packing packing, FrameUse use) {
  const auto set = [&](ZSTD_cParameter parameter, int value) {
    ZSTD_CCtx_setParameter(context, parameter, value);
  };
  set(ZSTD_c_compressionLevel, level);
  set(ZSTD_c_checksumFlag, use == FrameUse::stored);
  if (use == FrameUse::measured && ZSTD_versionNumber() >= kReadsPartsInPlace) {
    set(ZSTD_c_stableInBuffer, 1);
    set(ZSTD_c_stableOutBuffer, 1);
  }
  if (level > kLastLevelWithinWindow) set(ZSTD_c_windowLog, kMaxWindowLog);
  if (is_distant(packing)) {
    set(ZSTD_c_windowLog, kMaxWindowLog);
    set(ZSTD_c_enableLongDistanceMatching, 1);
  }
  if (packing == Packing::entropy) {
    // The fast strategy looks for a match every `targetLength` bytes; with the longest step almost never.
    set(ZSTD_c_strategy, ZSTD_fast);
    set(ZSTD_c_targetLength, ZSTD_TARGETLENGTH_MAX);
    set(ZSTD_c_hashLog, ZSTD_HASHLOG_MIN);
    set(ZSTD_c_literalCompressionMode, kAlwaysHuffman);
  }
}

/// Bytes of a frame that are counted, but not written.
std::size_t left_out(FrameUse use) {
  return use == FrameUse::measured ? kChecksumBytes : 0;
}

}  // namespace

ZSTD_CCtx_s* ZstdEncoder::context_of(Packing packing) {
  packing = without_cuts(packing);
  Context& context = contexts_[static_cast<std::size_t>(packing)];
  if (context) return context.get();
  context.reset(ZSTD_createCCtx());
  if (!context) throw std::bad_alloc();
  set_parameters(context.get(), level_of(packing, level_), packing, use_);
  return context.get();
}

Result<std::size_t> ZstdEncoder::encode(std::span<const std::byte> in, std::span<std::byte> out,
                                        Packing packing) {
  if (packing == Packing::stored) return uniform::write_raw_frame(in, out.data(), uniform::Checksum::none);
  ZSTD_CCtx_s* context = context_of(packing);
  const std::size_t written = ZSTD_compress2(context, out.data(), out.size(), in.data(), in.size());
  if (ZSTD_isError(written)) return zstd_error(ErrorKind::limit, written);
  return written + left_out(use_);
}

namespace {

/// Where parts end in a frame of one piece, as near as it can be told: the last one ends with the frame.
void ends_of_one(std::span<const std::size_t> parts, std::size_t frame, std::span<std::size_t> ends) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = end += i < parts.size() ? parts[i] : 0;
  if (!ends.empty()) ends.back() = frame;
}

}  // namespace

Result<std::size_t> ZstdEncoder::encode(std::span<const std::byte> in, std::span<const std::size_t> parts,
                                        std::span<std::byte> out, Packing packing,
                                        std::span<std::size_t> ends) {
  if (has_cuts(packing)) return encode_blocks(in, parts, out, packing, ends);
  if (parts.size() <= 1 || packing == Packing::stored) {
    auto size = encode(in, out, packing);
    if (size) ends_of_one(parts, *size, ends);
    return size;
  }
  return encode_parts(in, parts, out, packing, ends);
}

/// Each part as blocks, with the last one of every part known by its place.
Result<std::size_t> ZstdEncoder::encode_blocks(std::span<const std::byte> in,
                                               std::span<const std::size_t> parts, std::span<std::byte> out,
                                               Packing packing, std::span<std::size_t> ends) {
  const auto content = packing == Packing::entropy ? BlockContent::literals : BlockContent::matches;
  std::vector<std::size_t> blocks, block_ends;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < parts.size(); begin += parts[i++]) {
    const auto own = block_lengths(in.subspan(begin, parts[i]), content);
    blocks.insert(blocks.end(), own.begin(), own.end());
    if (i < ends.size()) ends[i] = blocks.size();
  }
  if (blocks.empty()) blocks.push_back(0);
  block_ends.resize(ends.empty() ? 0 : blocks.size());
  auto size = encode_parts(in, blocks, out, packing, block_ends);
  if (!size) return size;
  for (std::size_t& end : ends) end = end == 0 ? 0 : block_ends[end - 1];
  if (!ends.empty()) ends.back() = *size;
  return size;
}

Result<std::size_t> ZstdEncoder::encode_parts(std::span<const std::byte> in,
                                              std::span<const std::size_t> parts, std::span<std::byte> out,
                                              Packing packing, std::span<std::size_t> ends) {
  ZSTD_CCtx_s* context = context_of(packing);
  ZSTD_CCtx_setPledgedSrcSize(context, in.size());
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  ZSTD_inBuffer from{in.data(), 0, 0};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    from.size += parts[i];
    const auto end = i + 1 == parts.size() ? ZSTD_e_end : ZSTD_e_flush;
    const std::size_t left = ZSTD_compressStream2(context, &to, &from, end);
    if (!ends.empty()) ends[i] = to.pos;
    if (left == 0) continue;  // `out` is long enough, so zstd keeps bytes back only after an error
    ZSTD_CCtx_reset(context, ZSTD_reset_session_only);
    if (ZSTD_isError(left)) return zstd_error(ErrorKind::limit, left);
    return Error{ErrorKind::limit, "zstd: a frame is longer than its bound"};
  }
  if (!ends.empty()) ends[parts.size() - 1] += left_out(use_);
  return to.pos + left_out(use_);
}

// ---- What a reader asks of a frame before it decodes it: FORMAT.md, section 1, "Frames"

namespace {

constexpr std::uint64_t kMagic = 0xFD2FB528;
constexpr std::uint64_t kLargestWindow = 8u << 20;

Error damaged(const char* what) {
  return corrupt(std::string("a zstd frame is damaged: ") + what);
}

/// Little-endian numbers from the front. `bad` once bytes were missing.
class Numbers {
 public:
  explicit Numbers(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::uint64_t take(std::size_t bytes) {
    if (!has(bytes)) return 0;
    std::uint64_t number = 0;
    for (std::size_t i = bytes; i-- > 0;) number = number << 8 | std::to_integer<std::uint64_t>(rest_[i]);
    rest_ = rest_.subspan(bytes);
    return number;
  }
  void skip(std::size_t bytes) {
    if (has(bytes)) rest_ = rest_.subspan(bytes);
  }
  std::size_t left() const { return rest_.size(); }
  bool bad() const { return bad_; }

 private:
  bool has(std::size_t bytes) {
    bad_ = bad_ || bytes > rest_.size();
    return !bad_;
  }

  std::span<const std::byte> rest_;
  bool bad_ = false;
};

/// RFC 8878, 3.1.1.1.2.
std::uint64_t window_of(std::uint64_t descriptor) {
  const std::uint64_t base = std::uint64_t{1} << (10 + (descriptor >> 3));
  return base + base / 8 * (descriptor & 7);
}

/// The content size's field. With one byte it is there only for a single segment.
std::uint64_t content_size(Numbers& in, std::uint64_t descriptor, bool single) {
  switch (descriptor >> 6) {
    case 0:
      return single ? in.take(1) : ~std::uint64_t{0};
    case 1:
      return in.take(2) + 256;
    case 2:
      return in.take(4);
    default:
      return in.take(8);
  }
}

/// What is wrong with the blocks, or null.
const char* fault_of_blocks(Numbers& in, std::uint64_t window) {
  const std::uint64_t most = std::min<std::uint64_t>(window, kLongestBlock);
  for (bool last = false; !last;) {
    const std::uint64_t header = in.take(3), kind = header >> 1 & 3, length = header >> 3;
    if (in.bad()) return "it ends inside a block";
    if (kind == 3) return "a block has a type that zstd does not have";
    if (length > most) return "a block is longer than the window or 128 KiB";
    in.skip(kind == 1 ? 1 : static_cast<std::size_t>(length));
    last = header & 1;
  }
  return in.bad() ? "it ends inside a block" : nullptr;
}

/// `frame` must be exactly one frame with this content size, without a dictionary, whose window and blocks
/// keep the limits of the format. Nothing is decoded. Error corrupt.
Status check_frame(std::span<const std::byte> frame, std::uint64_t content) {
  Numbers in(frame);
  if (in.take(4) != kMagic || in.left() < 2) return damaged("it does not begin like one");
  const std::uint64_t descriptor = in.take(1);
  if ((descriptor & 11) != 0) return damaged("it has a dictionary, or a reserved bit");
  const bool single = (descriptor & 32) != 0;
  const std::uint64_t window = single ? content : window_of(in.take(1));
  if (content_size(in, descriptor, single) != content || in.bad())
    return damaged("its header does not give the length that the chunk's record gives");
  if (window > kLargestWindow) return damaged("its window is larger than 8 MiB");
  if (const char* fault = fault_of_blocks(in, window)) return damaged(fault);
  const std::size_t checksum = (descriptor & 4) != 0 ? 4 : 0;
  if (in.left() != checksum) return damaged("it is not as long as the chunk's record says");
  return ok();
}

}  // namespace

void ZstdDecoder::Free::operator()(ZSTD_DCtx_s* context) const noexcept {
  ZSTD_freeDCtx(context);
}

Status ZstdDecoder::decode(std::span<const std::byte> frame, std::span<std::byte> out) {
  if (auto done = check_frame(frame, out.size()); !done) return done;
  if (const auto raw = uniform::raw_content(frame, out.size())) {
    uniform::copy_content(*raw, out);
    return ok();
  }
  if (!context_) {
    context_.reset(ZSTD_createDCtx());
    if (!context_) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_forceIgnoreChecksum, ZSTD_d_ignoreChecksum);
  }
  const std::size_t read =
      ZSTD_decompressDCtx(context_.get(), out.data(), out.size(), frame.data(), frame.size());
  if (ZSTD_isError(read)) return zstd_error(ErrorKind::corrupt, read);
  if (read != out.size()) return Error{ErrorKind::corrupt, "a zstd frame is damaged: it ends too early"};
  return ok();
}

unsigned zstd_version_number() {
  return ZSTD_versionNumber();
}
std::string zstd_version_name() {
  return ZSTD_versionString();
}

}  // namespace tdz
