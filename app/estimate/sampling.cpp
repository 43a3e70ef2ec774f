// SPDX-License-Identifier: Apache-2.0
#include "app/estimate/sampling.hpp"

#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <system_error>
#include <thread>

#include "app/estimate/estimate.hpp"
#include "app/files/fd_io.hpp"
#include "app/files/placed_sinks.hpp"
#include "app/options/names.hpp"
#include "app/reports/analysis.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/resources.hpp"
#include "formats/names.hpp"
#include "formats/sniff.hpp"

namespace tdz::app {

// ---- One file

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

// ---- The kinds of a survey

namespace {

constexpr std::uint64_t kMostRead = std::uint64_t{64} << 20;
constexpr std::uint64_t kLeastSample = std::uint64_t{3} << 19;  // 1.5 MiB: a chunk and a part of the next
constexpr std::uint64_t kMostSample = std::uint64_t{3} << 20;   // 3 MiB: many files say more than much of one
constexpr std::size_t kFilesForEfforts = 2;  // the largest of a kind, and one of the others
constexpr std::chrono::duration<double> kTime{10}, kTimeBeforeEfforts{5}, kTimeForEfforts{8};

/// The first is sampled most. An effort, a level or steps that were asked for are the only ones.
std::vector<Effort> efforts_for(const CompressOptions& asked) {
  const Effort effort = asked.search.value_or(SearchOptions{}).effort;
  if (effort != Effort::normal || asked.level != 0) return {effort};
  return {Effort::normal, Effort::fastest, Effort::fast, Effort::best};
}

FoundSteps found_in(const FileSample& sample, const StreamInfo& stream) {
  FoundSteps found{.files = 1, .header = {}, .type = stream.type, .words = {}};
  const auto head = std::span(sample.bytes).first(std::min(sample.bytes.size(), formats::kSniffBytes));
  if (const auto hint = formats::sniff(head)) found.header = hint->format;
  const auto steps = std::ranges::find_if(stream.plans, [](const Plan& plan) { return !has_no_steps(plan); });
  if (steps != stream.plans.end()) found.words = formats::plan_words(with_kinds(*steps, stream.type), {});
  return found;
}

/// One kind: its files in the order of sampling, and what came of them.
class SampledKind {
 public:
  SampledKind(Kind kind, std::vector<Effort> efforts, const CompressOptions& asked)
      : kind_(std::move(kind)), efforts_(std::move(efforts)), asked_(asked), plans_(efforts_.size()) {
    samples_.resize(efforts_.size());
    for (std::size_t i = 0; i < std::max(kind_.largest.size(), kind_.others.size()); ++i) {
      if (i < kind_.largest.size()) files_.push_back({&kind_.largest[i], true});
      if (i < kind_.others.size()) files_.push_back({&kind_.others[i], false});
    }
  }
  SampledKind(const SampledKind&) = delete;  // files_ point to those of kind_
  SampledKind& operator=(const SampledKind&) = delete;

  bool at_end() const { return next_ == files_.size(); }
  const std::string& next_name() const { return files_[next_].file->name; }
  /// Of the first effort, the next file; it leaves the kind if it cannot be coded. Errors: those of
  /// read_sample and code_sample.
  Result<std::uint64_t> sample_next(std::uint64_t most) {
    const auto [file, largest] = files_[next_++];
    auto sample = read_sample(*file, most);
    auto coded = sample ? code_sample(*sample, options_of(0)) : Result<CodedSample>(sample.error());
    if (!coded) {
      kind_.files -= std::min<std::uint64_t>(kind_.files, 1);
      kind_.bytes -= std::min(kind_.bytes, file->bytes);
      return coded.error();
    }
    note(found_in(*sample, coded->stream));
    read_bytes_ += sample->bytes.size();
    samples_[0].push_back({*std::move(coded), largest});
    const std::uint64_t read = sample->bytes.size();
    if (kept_.size() < kFilesForEfforts) kept_.push_back(*std::move(sample));
    return read;
  }
  /// Of another effort, the next of the files that are kept.
  Status sample_effort(std::size_t effort) {
    std::vector<Sampled>& samples = samples_[effort];
    if (samples.size() == kept_.size()) return ok();
    auto coded = code_sample(kept_[samples.size()], options_of(effort));
    if (!coded) return coded.error();
    samples.push_back({*std::move(coded), samples_[0][samples.size()].largest});
    return ok();
  }
  /// The first file that was sampled, or nothing.
  const FileSample* first() const { return kept_.empty() ? nullptr : &kept_.front(); }
  std::uint64_t chunks() const { return most_chunks(samples_[0]); }
  bool is_empty() const { return kind_.files == 0; }
  CompressOptions options_of(std::size_t effort) {
    CompressOptions options = asked_;
    SearchOptions search = asked_.search.value_or(SearchOptions{});
    search.effort = efforts_[effort];
    options.search = std::move(search);
    options.plans = &plans_[effort];
    return options;
  }

  KindEstimate estimate(const Workers& workers) const {
    KindEstimate all{.suffix = kind_.suffix,
                     .files = kind_.files,
                     .bytes = kind_.bytes,
                     .sampled_files = samples_[0].size(),
                     .sampled_bytes = read_bytes_,
                     .figures = {},
                     .found = found_};
    for (const auto& samples : samples_) {
      std::optional<Figures> figures;
      if (!samples.empty()) figures = figures_like(kind_, samples_[0], samples, workers);
      all.figures.push_back(figures);
    }
    std::ranges::stable_sort(all.found, std::greater<>(), &FoundSteps::files);
    return all;
  }

 private:
  struct Candidate {
    const SurveyedFile* file;
    bool largest;
  };

  void note(FoundSteps steps) {
    const auto known =
        std::ranges::find_if(found_, [&](const FoundSteps& other) { return other.same(steps); });
    if (known == found_.end()) return found_.push_back(std::move(steps));
    ++known->files;
  }

  Kind kind_;  // without the files that could not be read
  std::vector<Effort> efforts_;
  const CompressOptions& asked_;
  std::deque<PlanCache> plans_;  // one for each effort
  std::vector<Candidate> files_;
  std::size_t next_ = 0;
  std::vector<FileSample> kept_;               // the first ones, for the other efforts
  std::vector<std::vector<Sampled>> samples_;  // of each effort
  std::vector<FoundSteps> found_;
  std::uint64_t read_bytes_ = 0;
};

class Sampling {
 public:
  Sampling(const std::vector<Kind>& kinds, const AnalyzeCommand& command, Tally& tally, Session& session)
      : asked_(command.codec),
        tally_(tally),
        session_(session),
        efforts_(efforts_for(command.codec)),
        threads_(usable_cores()) {
    if (asked_.threads != 0) threads_ = std::min(threads_, asked_.threads);
    asked_.stop = session.interrupts.token();
    for (const Kind& kind : kinds) kinds_.emplace_back(kind, efforts_, asked_);
    most_ = std::clamp(kMostRead / (2 * std::max<std::size_t>(kinds.size(), 1)), kLeastSample, kMostSample);
  }

  Result<FolderEstimate> run() {
    if (auto done = sample_until(kTimeBeforeEfforts); !done) return done.error();
    auto workers = crowded_workers();
    if (!workers) return workers.error();
    if (auto done = try_efforts(); !done) return done.error();
    if (auto done = sample_until(kTime); !done) return done.error();
    FolderEstimate all{.efforts = efforts_,
                       .kinds = {},
                       .threads = threads_,
                       .seconds = passed().count(),
                       .read_bytes = read_,
                       .unread = tally_.failed,
                       .unread_names = tally_.failed_names};
    for (const SampledKind& kind : kinds_)
      if (!kind.is_empty()) all.kinds.push_back(kind.estimate(*workers));
    return all;
  }

 private:
  std::chrono::duration<double> passed() const { return std::chrono::steady_clock::now() - start_; }
  bool may_read(std::chrono::duration<double> until) const {
    return read_ < kMostRead && (read_ == 0 || passed() < until);
  }

  /// An error of a file goes to the log: then another one is sampled. Error cancelled.
  Status sample_one(SampledKind& kind) {
    while (!kind.at_end()) {
      const std::string name = kind.next_name();
      const auto read = kind.sample_next(most_);
      if (session_.interrupts.requested()) return Error{ErrorKind::cancelled, "stopped"};
      if (read) {
        read_ += *read;
        return ok();
      }
      session_.log.error(fmt::format("{}: {}", shown_name(name), error_text(read.error())));
      tally_.add(name, read.error());
    }
    return ok();
  }
  /// One file of each kind with each effort, then the next one.
  Status try_efforts() {
    for (std::size_t i = 0; i < kFilesForEfforts; ++i) {
      for (std::size_t effort = 1; effort < efforts_.size(); ++effort) {
        for (SampledKind& kind : kinds_) {
          if (passed() > kTimeForEfforts) return ok();
          if (auto done = kind.sample_effort(effort); !done) return done;
        }
      }
    }
    return ok();
  }
  /// Round after round, one file of each kind.
  Status sample_until(std::chrono::duration<double> until) {
    const auto has_more = [](const SampledKind& kind) { return !kind.at_end(); };
    while (may_read(until) && std::ranges::any_of(kinds_, has_more)) {
      for (SampledKind& kind : kinds_) {
        if (!may_read(until)) break;
        if (auto done = sample_one(kind); !done) return done;
      }
    }
    return ok();
  }
  /// No more threads than one file has chunks: the others would wait.
  Result<Workers> crowded_workers() {
    std::uint64_t chunks = 1;
    for (const SampledKind& kind : kinds_) chunks = std::max(chunks, kind.chunks());
    const auto threads = static_cast<unsigned>(std::min<std::uint64_t>(threads_, chunks));
    const auto there =
        std::ranges::find_if(kinds_, [](const SampledKind& kind) { return kind.first() != nullptr; });
    if (there == kinds_.end()) return Workers{.threads = threads};
    FileSample sample = *there->first();
    sample.bytes.resize(std::min<std::size_t>(sample.bytes.size(), kLeastSample));
    auto crowding = measure_crowding(sample, there->options_of(0), threads);
    if (!crowding) return crowding.error();
    return Workers{.threads = threads, .crowding = *crowding};
  }

  CompressOptions asked_;
  Tally& tally_;
  Session& session_;
  std::vector<Effort> efforts_;
  unsigned threads_;               // more than the cores make nothing quicker
  std::deque<SampledKind> kinds_;  // a deque because caches of plans cannot be moved
  std::uint64_t most_ = 0;
  std::uint64_t read_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

Result<FolderEstimate> estimate(const std::vector<Kind>& kinds, const AnalyzeCommand& command, Tally& tally,
                                Session& session) {
  return Sampling(kinds, command, tally, session).run();
}

}  // namespace tdz::app
