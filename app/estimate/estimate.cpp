// SPDX-License-Identifier: Apache-2.0
#include "app/estimate/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

namespace tdz::app {

// ---- The files of a folder

namespace {

constexpr std::size_t kMostSuffixes = 256;  // that are counted each by itself
constexpr std::size_t kShownKinds = 12;
constexpr std::size_t kLargest = 4;  // a few long files may hold most of the bytes
constexpr std::size_t kOthers = 16;

std::string suffix_of(const std::string& name) {
  std::string suffix = std::filesystem::path(name).extension().string();
  for (char& c : suffix)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool number = suffix.size() > 1 && std::all_of(suffix.begin() + 1, suffix.end(), digit);
  return number ? kNumberSuffix : suffix;
}

bool longer(const SurveyedFile& a, const SurveyedFile& b) {
  return a.bytes > b.bytes;
}

}  // namespace

Kind& Survey::kind_of(const std::string& name) {
  std::string suffix = suffix_of(name);
  if (kinds_.size() >= kMostSuffixes && kinds_.count(suffix) == 0) suffix = kOtherSuffixes;
  Kind& kind = kinds_[suffix];
  kind.suffix = suffix;
  return kind;
}

void Survey::add(SurveyedFile file) {
  Kind& kind = kind_of(file.name);
  ++kind.files;
  kind.bytes += std::min(file.bytes, UINT64_MAX - kind.bytes);
  add_to(kind, std::move(file));
}

void Survey::add_to(Kind& kind, SurveyedFile file) {
  const auto place = std::upper_bound(kind.largest.begin(), kind.largest.end(), file, longer);
  kind.largest.insert(place, std::move(file));
  if (kind.largest.size() <= kLargest) return;
  SurveyedFile smallest = std::move(kind.largest.back());
  kind.largest.pop_back();
  add_to_others(kind, std::move(smallest));
}

// Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006: those with the largest log(u) /
// w are a sample in which a file's chance grows with its weight, here its length. Files of equal chance would
// be mostly the short ones of a kind, which say little of its bytes.
void Survey::add_to_others(Kind& kind, SurveyedFile file) {
  if (file.bytes == 0) return;
  const double chance = std::uniform_real_distribution<double>(0, 1)(chance_);
  file.key = std::log(std::max(chance, 1e-300)) / static_cast<double>(file.bytes);
  const auto sooner = [](const SurveyedFile& a, const SurveyedFile& b) { return a.key > b.key; };
  kind.others.insert(std::upper_bound(kind.others.begin(), kind.others.end(), file, sooner), std::move(file));
  if (kind.others.size() > kOthers) kind.others.pop_back();
}

std::vector<Kind> Survey::take() && {
  std::vector<Kind> all;
  Kind rest;
  rest.suffix = kOtherSuffixes;
  for (auto& [suffix, kind] : kinds_)
    (suffix == kOtherSuffixes ? rest : all.emplace_back()) = std::move(kind);
  std::ranges::stable_sort(all, [](const Kind& a, const Kind& b) { return a.bytes > b.bytes; });
  while (all.size() > kShownKinds) {
    Kind last = std::move(all.back());
    all.pop_back();
    rest.files += last.files;
    rest.bytes += std::min(last.bytes, UINT64_MAX - rest.bytes);
    for (auto* list : {&last.largest, &last.others})
      for (SurveyedFile& file : *list) add_to(rest, std::move(file));
  }
  if (rest.files != 0) all.push_back(std::move(rest));
  return all;
}

// ---- All files

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

/// For all files of a kind: each is made anew. They lie beside each other, so one of them says it of all.
double making_of(const Kind& kind, const std::vector<Sampled>& samples) {
  return samples.empty() ? 0 : static_cast<double>(kind.files) * samples.front().coded.making;
}

std::uint64_t chunks_of(const CodedSample& coded) {
  const std::uint64_t chunk = std::max<std::uint64_t>(coded.chunk_bytes, 1);
  return std::max<std::uint64_t>(1, coded.file_bytes / chunk + (coded.file_bytes % chunk != 0 ? 1 : 0));
}

/// The part of a second of coding that it takes where the chunks of the file are shared by threads.
double share(const CodedSample& coded, const Workers& workers, double crowded) {
  if (workers.threads <= 1) return 1;
  const auto busy = static_cast<double>(std::min<std::uint64_t>(workers.threads, chunks_of(coded)));
  return (1 + (crowded - 1) * (busy - 1) / (workers.threads - 1)) / busy;
}

/// Of the samples from this one on, in seconds.
double search_from(const std::vector<Sampled>& samples, std::size_t begin) {
  return std::accumulate(samples.begin() + static_cast<std::ptrdiff_t>(begin), samples.end(), 0.0,
                         [](double sum, const Sampled& one) { return sum + one.coded.search; });
}

/// The mean of those samples that were searched. 0 where none was.
double seconds_of_a_search(const std::vector<Sampled>& samples) {
  const auto searched =
      std::ranges::count_if(samples, [](const Sampled& one) { return one.coded.search > 0; });
  return searched == 0 ? 0 : search_from(samples, 0) / static_cast<double>(searched);
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

std::uint64_t most_chunks(const std::vector<Sampled>& samples) {
  std::uint64_t most = 0;
  for (const Sampled& one : samples) most = std::max(most, chunks_of(one.coded));
  return most;
}

double searches_of(const std::vector<Sampled>& samples, std::uint64_t files) {
  if (samples.size() < 2) return static_cast<double>(files);
  const double one = seconds_of_a_search(samples);
  if (one <= 0) return 0;
  const std::size_t later = 1 + (samples.size() - 1) / 2;
  const double each = search_from(samples, later) / static_cast<double>(samples.size() - later);
  const std::uint64_t others = files - std::min<std::uint64_t>(files, samples.size());
  return (search_from(samples, 0) + static_cast<double>(others) * each) / one;
}

Figures figures_of(const Kind& kind, const std::vector<Sampled>& samples, double searches,
                   const Workers& workers) {
  Figures all;
  all.stored_bytes = for_kind(kind, samples, [](const CodedSample& coded) {
    return for_file(coded, static_cast<double>(coded.stored_bytes));
  });
  all.compress_seconds =
      searches * seconds_of_a_search(samples) + making_of(kind, samples) +
      for_kind(kind, samples, [&](const CodedSample& coded) {
        return for_file(coded, coded.compress) * share(coded, workers, workers.crowding.compress);
      });
  all.restore_seconds =
      making_of(kind, samples) + for_kind(kind, samples, [&](const CodedSample& coded) {
        return for_file(coded, coded.restore) * share(coded, workers, workers.crowding.restore);
      });
  return all;
}

Figures figures_like(const Kind& kind, const std::vector<Sampled>& all, const std::vector<Sampled>& few,
                     const Workers& workers) {
  const double searches = searches_of(all, kind.files);
  Figures figures = figures_of(kind, few, searches, workers);
  const double here = sum_of_stored(all, few.size());
  if (here > 0)
    figures.stored_bytes =
        figures_of(kind, all, searches, workers).stored_bytes * sum_of_stored(few, few.size()) / here;
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

std::uint64_t FolderEstimate::covered_files() const {
  std::uint64_t sum = 0;
  for (const KindEstimate& kind : kinds) sum += kind.covered() ? kind.files : 0;
  return sum;
}

std::uint64_t FolderEstimate::covered_bytes() const {
  std::uint64_t sum = 0;
  for (const KindEstimate& kind : kinds) sum += kind.covered() ? kind.bytes : 0;
  return sum;
}

std::optional<Figures> FolderEstimate::total(std::size_t effort) const {
  std::optional<Figures> sum;
  for (const KindEstimate& kind : kinds) {
    if (!kind.covered()) continue;
    const auto& figures = kind.figures[effort];
    if (!figures) return std::nullopt;
    if (!sum) sum.emplace();
    sum->stored_bytes += figures->stored_bytes;
    sum->compress_seconds += figures->compress_seconds;
    sum->restore_seconds += figures->restore_seconds;
  }
  return sum;
}

}  // namespace tdz::app
