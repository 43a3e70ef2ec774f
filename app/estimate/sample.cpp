// SPDX-License-Identifier: Apache-2.0
#include "app/estimate/estimate.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>

#include "app/files/fd_io.hpp"
#include "app/files/placed_sinks.hpp"
#include "app/options/names.hpp"
#include "codec/stream/memory_io.hpp"

namespace tdz::app {
namespace {

// 2^3 * 3^2 * 5 * 7 * 11 * 13: a multiple of every number up to 15, and of most lengths of records. Many
// short pieces say more of a file than a few long ones.
constexpr std::uint64_t kPieceBytes = 360360;

class Watch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Where `fd` lies, what creating a file costs that is then synced, named and synced with its folder. A
/// constant, because measuring it would write into the folder. Measured: 80 us of system calls for each of
/// 20000 files in memory; on an ext4 file system of a virtual disk each of the two syncs waited 1.4 ms more.
double seconds_of_making(int fd) {
  return MappedSink::suits(fd) ? 0.0001 : 0.003;
}

Status append(FdRandomAccess& file, std::uint64_t offset, std::uint64_t length, std::vector<std::byte>& to) {
  const std::size_t before = to.size();
  to.resize(before + static_cast<std::size_t>(length));
  return file.read_at(offset, std::span(to).subspan(before));
}

/// At equal distances, whole pieces apart: the first at the beginning of the file, the last at its end.
Status append_pieces(FdRandomAccess& file, std::uint64_t pieces, std::vector<std::byte>& to) {
  const std::uint64_t last = file.size() / kPieceBytes - 1;
  for (std::uint64_t i = 0; i < pieces; ++i) {
    const std::uint64_t at = i * last / (pieces - 1);
    if (auto done = append(file, at * kPieceBytes, kPieceBytes, to); !done) return done;
  }
  return ok();
}

/// When the first chunk was coded, and what it holds.
struct Milestones {
  double first = 0;
  std::uint64_t first_bytes = 0;
};

/// The search comes before the first chunk; the speed of the others says how long that took by itself.
double without_search(double all, const Milestones& at, std::uint64_t bytes) {
  const double rest = static_cast<double>(bytes - at.first_bytes);
  return std::min(all, (all - at.first) / rest * static_cast<double>(bytes));
}

/// Compresses, and divides the time between the search and the rest. A sample of one chunk, or with
/// little after it, does not show where the search ended: it is compressed once more, with the plan that is
/// known now.
Result<std::vector<std::byte>> timed_compress(const FileSample& sample, CompressOptions options,
                                              CodedSample& coded) {
  Milestones at;
  const Watch compressing;
  options.progress = [&](const Progress& done) {
    if (at.first_bytes == 0) at = {compressing.seconds(), done.original_bytes};
  };
  const auto taken = [&] { return options.plans != nullptr ? options.plans->taken() : 0; };
  const std::uint64_t taken_before = taken();
  auto stored = compress(sample.bytes, options);
  if (!stored) return stored;
  const double all = compressing.seconds();
  coded.compress = all;
  if (at.first_bytes + at.first_bytes / 2 < sample.bytes.size()) {
    coded.compress = without_search(all, at, sample.bytes.size());
  } else if (options.plans != nullptr && taken() == taken_before) {
    options.progress = {};
    const Watch again;
    if (const auto same = compress(sample.bytes, options); !same) return same.error();
    coded.compress = std::min(all, again.seconds());
  }
  coded.search = all - coded.compress;
  return stored;
}

}  // namespace

Result<FileSample> read_sample(const SurveyedFile& surveyed, std::uint64_t most) {
  struct stat status {};  // a pipe that has taken the place of a file would be waited for without end
  if (stat(surveyed.name.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return Error{ErrorKind::usage,
                 printable(surveyed.name) + " was a file when it was counted, and is none now"};
  auto input = InputFile::open(surveyed.name, UnusualInput::refuse, surveyed.links);
  if (!input) return input.error();
  auto file = FdRandomAccess::open(input->fd());
  if (!file) return file.error();
  FileSample sample{.file_bytes = file->size(), .bytes = {}, .making = seconds_of_making(input->fd())};
  const std::uint64_t pieces = std::max<std::uint64_t>(most / kPieceBytes, 2);
  auto done = file->size() < (pieces + 1) * kPieceBytes ? append(*file, 0, file->size(), sample.bytes)
                                                        : append_pieces(*file, pieces, sample.bytes);
  if (!done) return done.error();
  return sample;
}

Result<CodedSample> code_sample(const FileSample& sample, CompressOptions options) {
  CodedSample coded{
      .file_bytes = sample.file_bytes, .sample_bytes = sample.bytes.size(), .making = sample.making};
  options.threads = 1;
  options.backend = BackendChoice::cpu;
  const auto stored = timed_compress(sample, std::move(options), coded);
  if (!stored) return stored.error();
  coded.stored_bytes = stored->size();

  const Watch restoring;
  MemorySource from(*stored);
  NowhereSink nowhere;
  const auto restored = decompress(from, nowhere, {.threads = 1, .backend = BackendChoice::cpu});
  if (!restored) return restored.error();
  coded.restore = restoring.seconds();

  MemoryRandomAccess file(*stored);
  auto streams = inspect(file);
  if (!streams) return streams.error();
  coded.stream = std::move(streams->front());
  coded.chunk_bytes = coded.stream.largest_chunk;
  return coded;
}

Result<Crowding> measure_crowding(const FileSample& sample, const CompressOptions& options,
                                  unsigned threads) {
  if (threads <= 1) return Crowding{};
  const auto alone = code_sample(sample, options);
  if (!alone) return alone.error();
  std::vector<std::optional<Result<CodedSample>>> together(threads);
  std::vector<std::jthread> workers;
  try {
    for (auto& one : together) workers.emplace_back([&] { one.emplace(code_sample(sample, options)); });
  } catch (const std::system_error&) {
    // Those that started say enough; compressing would take fewer threads too.
  }
  workers.clear();
  CodedSample slowest;
  for (const auto& one : together) {
    if (!one || !*one) continue;
    slowest.compress = std::max(slowest.compress, (**one).compress);
    slowest.restore = std::max(slowest.restore, (**one).restore);
  }
  const auto times = [](double with, double without) {
    return without > 0 ? std::max(1.0, with / without) : 1;
  };
  return Crowding{times(slowest.compress, alone->compress), times(slowest.restore, alone->restore)};
}

}  // namespace tdz::app
