// SPDX-License-Identifier: Apache-2.0
#include "app/estimate/estimate.hpp"

#include <algorithm>
#include <numeric>

namespace tdz::app {
namespace {

/// The sample's figure, for all of its file.
double for_file(const CodedSample& coded, double of_sample) {
  if (coded.sample_bytes == 0) return of_sample;
  return of_sample * static_cast<double>(coded.file_bytes) / static_cast<double>(coded.sample_bytes);
}

/// For all files of a kind: `of_file(sample)` is the figure of a sampled file. Every byte of the files that
/// are not the largest has the same chance to be sampled, so the mean figure of a byte stands for all of
/// them.
template <class OfFile>
double for_kind(const Kind& kind, const std::vector<Sampled>& samples, const OfFile& of_file) {
  double known = 0, of_bytes = 0;
  std::uint64_t known_files = 0, known_bytes = 0, chosen = 0;
  for (const Sampled& one : samples) {
    const double figure = of_file(one.coded);
    if (one.largest) {
      known += figure;
      known_bytes += one.coded.file_bytes;
      ++known_files;
    } else if (one.coded.file_bytes > 0) {
      of_bytes += figure / static_cast<double>(one.coded.file_bytes);
      ++chosen;
    }
  }
  // Files may have grown or shrunk since they were counted.
  const auto rest_bytes = static_cast<double>(kind.bytes - std::min(kind.bytes, known_bytes));
  const auto rest_files = static_cast<double>(kind.files - std::min(kind.files, known_files));
  if (chosen > 0) return known + rest_bytes * of_bytes / static_cast<double>(chosen);
  if (known_bytes > 0) return known + rest_bytes * known / static_cast<double>(known_bytes);
  return known_files == 0 ? known : known + rest_files * known / static_cast<double>(known_files);
}

/// The threads that one file keeps busy, and what each second of coding takes then.
double share(const CodedSample& coded, const Workers& workers, double crowded) {
  const auto chunk = static_cast<double>(std::max<std::uint64_t>(coded.chunk_bytes, 1));
  const double chunks = std::max(1.0, static_cast<double>(coded.file_bytes) / chunk);
  const double busy = std::min(static_cast<double>(workers.threads), chunks);
  if (workers.threads <= 1) return 1;
  return (1 + (crowded - 1) * (busy - 1) / (workers.threads - 1)) / busy;
}

double sum_of_stored(const std::vector<Sampled>& samples, std::size_t count) {
  return std::accumulate(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(count), 0.0,
                         [](double sum, const Sampled& one) {
                           return sum + for_file(one.coded, static_cast<double>(one.coded.stored_bytes));
                         });
}

}  // namespace

std::string_view effort_name(Effort effort) {
  switch (effort) {
    case Effort::fastest:
      return "--fastest";
    case Effort::fast:
      return "--fast";
    case Effort::normal:
      return "default";
    case Effort::best:
      return "--best";
  }
  return "";
}

double search_again(const std::vector<Sampled>& samples) {
  if (samples.size() < 2 || samples.front().coded.search <= 0) return 1;
  double later = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) later += samples[i].coded.search;
  return std::min(1.0, later / static_cast<double>(samples.size() - 1) / samples.front().coded.search);
}

Figures figures_of(const Kind& kind, const std::vector<Sampled>& samples, double search_again,
                   const Workers& workers) {
  const CodedSample& first = samples.front().coded;
  Figures all;
  all.stored_bytes = for_kind(kind, samples, [](const CodedSample& coded) {
    return for_file(coded, static_cast<double>(coded.stored_bytes));
  });
  all.compress_seconds =
      static_cast<double>(kind.files - 1) * search_again * first.search + first.search +
      for_kind(kind, samples, [&](const CodedSample& coded) {
        return for_file(coded, coded.compress) * share(coded, workers, workers.crowding.compress);
      });
  all.restore_seconds = for_kind(kind, samples, [&](const CodedSample& coded) {
    return for_file(coded, coded.restore) * share(coded, workers, workers.crowding.restore);
  });
  return all;
}

Figures figures_like(const Kind& kind, const std::vector<Sampled>& all, const std::vector<Sampled>& few,
                     const Workers& workers) {
  const double again = search_again(all);
  Figures figures = figures_of(kind, few, again, workers);
  const double here = sum_of_stored(all, few.size());
  if (here > 0)
    figures.stored_bytes =
        figures_of(kind, all, again, workers).stored_bytes * sum_of_stored(few, few.size()) / here;
  return figures;
}

std::uint64_t FolderEstimate::files() const {
  return std::accumulate(kinds.begin(), kinds.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const KindEstimate& kind) { return sum + kind.files; });
}

std::uint64_t FolderEstimate::bytes() const {
  return std::accumulate(kinds.begin(), kinds.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const KindEstimate& kind) { return sum + kind.bytes; });
}

std::uint64_t FolderEstimate::sampled_files() const {
  return std::accumulate(
      kinds.begin(), kinds.end(), std::uint64_t{0},
      [](std::uint64_t sum, const KindEstimate& kind) { return sum + kind.sampled_files; });
}

std::optional<Figures> FolderEstimate::total(std::size_t effort) const {
  Figures sum;
  for (const KindEstimate& kind : kinds) {
    const auto& figures = kind.figures[effort];
    if (!figures) return std::nullopt;
    sum.stored_bytes += figures->stored_bytes;
    sum.compress_seconds += figures->compress_seconds;
    sum.restore_seconds += figures->restore_seconds;
  }
  return sum;
}

}  // namespace tdz::app
