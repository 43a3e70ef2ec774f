// SPDX-License-Identifier: Apache-2.0
// What is expected of a folder, from samples of some of its files, and which files are chosen.
#include "app/estimate/estimate.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>

using namespace tdz::app;

namespace {

Kind kind_of(std::uint64_t files, std::uint64_t bytes) {
  return {.suffix = ".raw", .files = files, .bytes = bytes, .largest = {}, .others = {}};
}

/// One byte of the sample becomes 1 / ratio; a second for each 1000 bytes of the sample, and one of search.
Sampled sampled(std::uint64_t file_bytes, std::uint64_t sample_bytes, std::uint64_t ratio, bool largest) {
  CodedSample coded{.file_bytes = file_bytes, .sample_bytes = sample_bytes};
  coded.stored_bytes = sample_bytes / ratio;
  coded.chunk_bytes = 1000;
  coded.search = 1;
  coded.compress = static_cast<double>(sample_bytes) / 1000;
  coded.restore = static_cast<double>(sample_bytes) / 4000;
  return {coded, largest};
}

}  // namespace

TEST_CASE("the largest file counts for itself, a chosen one for all others") {
  // 90000 bytes at 3, and 10 files of 10000 bytes together at 2; the sample of the first is a third of it.
  const std::vector<Sampled> samples{sampled(90000, 30000, 3, true), sampled(1000, 1000, 2, false)};
  const Figures found = figures_of(kind_of(11, 100000), samples, 11, {});
  CHECK(found.stored_bytes == doctest::Approx(30000 + 5000));
  CHECK(found.compress_seconds == doctest::Approx(11 + 90 + 10));
  CHECK(found.restore_seconds == doctest::Approx(25));
}

TEST_CASE("every file is made anew, the short ones too") {
  std::vector<Sampled> samples{sampled(90000, 30000, 3, true), sampled(1000, 1000, 2, false)};
  const Kind kind = kind_of(11, 100000);
  const Figures without = figures_of(kind, samples, 11, {});
  for (Sampled& one : samples) one.coded.making = 0.5;
  const Figures with = figures_of(kind, samples, 11, {});
  CHECK(with.compress_seconds == doctest::Approx(without.compress_seconds + 5.5));
  CHECK(with.restore_seconds == doctest::Approx(without.restore_seconds + 5.5));
  CHECK(with.stored_bytes == without.stored_bytes);
}

TEST_CASE("short files do not stand for the bytes of long ones") {
  // Two chosen files: one of 1000000 bytes becomes as many, one of 10 bytes becomes 300.
  std::vector<Sampled> samples{sampled(2000000, 2000000, 1, true), sampled(1000000, 1000000, 1, false)};
  CHECK(figures_of(kind_of(200, 6000000), samples, 1, {}).stored_bytes == doctest::Approx(6000000));
  Sampled empty = sampled(0, 0, 1, false);
  empty.coded.stored_bytes = 272;
  CHECK(figures_of(kind_of(200, 6000000), {samples[0], empty}, 1, {}).stored_bytes ==
        doctest::Approx(6000000));
}

TEST_CASE("without a chosen file, the largest ones say what the rest becomes") {
  const Figures found = figures_of(kind_of(4, 10000), {sampled(4000, 4000, 4, true)}, 1, {});
  CHECK(found.stored_bytes == doctest::Approx(2500));
}

TEST_CASE("empty files become what an empty file becomes") {
  Sampled empty = sampled(0, 0, 1, true);
  empty.coded.stored_bytes = 272;
  CHECK(figures_of(kind_of(5, 0), {empty}, 1, {}).stored_bytes == doctest::Approx(5 * 272));
}

TEST_CASE("files that grew since they were counted are no negative rest") {
  const Figures found = figures_of(kind_of(1, 1000), {sampled(3000, 3000, 3, true)}, 1, {});
  CHECK(found.stored_bytes == doctest::Approx(1000));
}

TEST_CASE("threads share the chunks of a file, and no more threads than it has chunks") {
  const std::vector<Sampled> samples{sampled(8000, 8000, 2, true)};
  const Kind kind = kind_of(1, 8000);
  CHECK(figures_of(kind, samples, 1, {.threads = 4}).compress_seconds == doctest::Approx(1 + 2));
  CHECK(figures_of(kind, samples, 1, {.threads = 64}).compress_seconds == doctest::Approx(1 + 1));
  // Where four threads at once take twice as long each, four are as quick as two.
  const Workers crowded{.threads = 4, .crowding = {.compress = 2, .restore = 1}};
  CHECK(figures_of(kind, samples, 1, crowded).compress_seconds == doctest::Approx(1 + 4));
  CHECK(figures_of(kind, samples, 1, crowded).restore_seconds == doctest::Approx(0.5));
}

TEST_CASE("the later half of the sampled files says how often all others are searched") {
  CHECK(searches_of({sampled(1000, 1000, 2, true)}, 7) == 7);
  std::vector<Sampled> samples;
  for (const double search : {1.0, 0.0, 3.0, 0.0, 2.0}) {  // two seconds are one search
    samples.push_back(sampled(1000, 1000, 2, samples.empty()));
    samples.back().coded.search = search;
  }
  CHECK(searches_of(samples, 5) == doctest::Approx(3));
  CHECK(searches_of(samples, 105) == doctest::Approx(3 + 100 * 0.5));
  CHECK(figures_of(kind_of(105, 105000), samples, 53, {}).compress_seconds == doctest::Approx(106 + 105));
  for (Sampled& one : samples) one.coded.search = 0;
  CHECK(searches_of(samples, 105) == 0);
}

TEST_CASE("no more threads find work than the longest file has chunks") {
  CHECK(most_chunks({}) == 0);
  CHECK(most_chunks({sampled(0, 0, 1, true)}) == 1);
  CHECK(most_chunks({sampled(7001, 1000, 2, true), sampled(2000, 2000, 2, false)}) == 8);
}

TEST_CASE("a sample of one chunk is searched once, and coded without a search for all others") {
  // 60000 numbers that walk: what was found for the first sample serves the second.
  const auto walk = [](unsigned seed) {
    FileSample sample;
    std::mt19937 chance(seed);
    std::int16_t value = 0;
    for (int i = 0; i < 60000; ++i) {
      value = static_cast<std::int16_t>(value + static_cast<int>(chance() % 41) - 20);
      sample.bytes.push_back(static_cast<std::byte>(value & 0xff));
      sample.bytes.push_back(static_cast<std::byte>((value >> 8) & 0xff));
    }
    sample.file_bytes = sample.bytes.size();
    return sample;
  };
  tdz::PlanCache plans;
  const tdz::CompressOptions options{.search = tdz::SearchOptions{}, .plans = &plans};
  const auto first = code_sample(walk(1), options);
  REQUIRE(first);
  CHECK(plans.taken() == 1);  // by the second coding, which has no search
  CHECK(first->search > 0);
  CHECK(first->compress > 0);
  const auto second = code_sample(walk(2), options);
  REQUIRE(second);
  CHECK(plans.taken() == 2);
  CHECK(second->search == 0);
  // Of 120000 bytes, 20000 after the first chunk say too little.
  tdz::PlanCache others;
  tdz::CompressOptions short_chunks{.search = tdz::SearchOptions{}, .plans = &others};
  short_chunks.chunk_bytes = 100000;
  REQUIRE(code_sample(walk(3), short_chunks));
  CHECK(others.taken() == 1);
}

TEST_CASE("an effort that was tried on one file is compared with the others there") {
  const std::vector<Sampled> all{sampled(1000, 1000, 2, true), sampled(1000, 1000, 10, false)};
  const std::vector<Sampled> few{sampled(1000, 1000, 4, true)};  // half of what the first effort needs there
  const Kind kind = kind_of(2, 2000);
  CHECK(figures_of(kind, all, 1, {}).stored_bytes == doctest::Approx(600));
  CHECK(figures_like(kind, all, few, {}).stored_bytes == doctest::Approx(300));
}

TEST_CASE("a kind without a sample is left out of the totals, and named") {
  FolderEstimate folder{.efforts = {tdz::Effort::normal, tdz::Effort::best}, .kinds = {}};
  const std::optional<Figures> half = Figures{5, 1, 1};
  folder.kinds.push_back({.suffix = ".a", .files = 1, .bytes = 10, .figures = {half, half}, .found = {}});
  folder.kinds.push_back(
      {.suffix = ".b", .files = 2, .bytes = 30, .figures = {std::nullopt, std::nullopt}, .found = {}});
  REQUIRE(folder.total(0));
  CHECK(folder.total(0)->stored_bytes == 5);
  CHECK(folder.covered_files() == 1);
  CHECK(folder.covered_bytes() == 10);
  std::string text = estimate_text(folder, Screen{});
  CHECK(text.find("No time to sample, and not in the totals: .b\n") != std::string::npos);
  CHECK(text.find("all that were sampled\n") != std::string::npos);
  // Totals of two efforts are of the same files, or there are none.
  folder.kinds.push_back(
      {.suffix = ".c", .files = 1, .bytes = 10, .figures = {half, std::nullopt}, .found = {}});
  CHECK(folder.total(0)->stored_bytes == 10);
  CHECK_FALSE(folder.total(1));
}

TEST_CASE("files that could not be read are counted and named") {
  FolderEstimate folder{.efforts = {tdz::Effort::normal}, .kinds = {}};
  folder.unread = 5;
  folder.unread_names = {"a", "b", "c", "d"};
  CHECK(estimate_text(folder, Screen{}).find("5 files: a, b, c and 2 more") != std::string::npos);
  CHECK(estimate_json(folder).find(R"("unread_files":5)") != std::string::npos);
  folder.unread = 2;
  folder.unread_names.resize(2);
  CHECK(estimate_text(folder, Screen{}).find("2 files: a, b\n") != std::string::npos);
}

TEST_CASE("durations") {
  CHECK(duration_text(0.02) == "20 ms");
  CHECK(duration_text(9.94) == "9.9 s");
  CHECK(duration_text(75) == "75 s");
  CHECK(duration_text(1800) == "30 min");
  CHECK(duration_text(3 * 3600) == "3.0 h");
  CHECK(duration_text(100 * 3600) == "4.2 days");
}

// ---- Which files

TEST_CASE("a kind keeps its largest files, and some of the others") {
  Survey survey;
  for (std::uint64_t i = 0; i < 10000; ++i)
    survey.add({"a/" + std::to_string(i) + ".Raw", (i * 7919) % 10007});
  const auto kinds = std::move(survey).take();
  REQUIRE(kinds.size() == 1);
  const Kind& kind = kinds.front();
  CHECK(kind.suffix == ".raw");
  CHECK(kind.files == 10000);
  REQUIRE(kind.largest.size() == 4);
  CHECK(kind.largest.front().bytes >= 10005);
  CHECK(kind.largest.back().bytes >= 10000);
  std::set<std::string> names;
  for (const auto& file : kind.others) names.insert(file.name);
  CHECK(names.size() == 16);
  // Chosen from all of them, not from the first or the last ones.
  std::uint64_t sum = 0;
  for (const auto& file : kind.others) sum += std::stoull(file.name.substr(2));
  CHECK(sum / 16 > 2500);
  CHECK(sum / 16 < 7500);
}

TEST_CASE("most bytes of a kind are chosen, not most files") {
  Survey survey;
  for (std::uint64_t i = 0; i < 1000; ++i) survey.add({"short" + std::to_string(i) + ".raw", i % 5});
  for (std::uint64_t i = 0; i < 20; ++i) survey.add({"long" + std::to_string(i) + ".raw", 1000000});
  const auto kinds = std::move(survey).take();
  REQUIRE(kinds.size() == 1);
  CHECK(kinds.front().others.size() == 16);
  for (const auto& file : kinds.front().others) CHECK(file.bytes == 1000000);
}

TEST_CASE("kinds come by bytes, numbers as suffixes are one kind, and many small kinds too") {
  Survey survey;
  survey.add({"run.0001", 10});
  survey.add({"run.0002", 20});
  survey.add({"README", 5});
  survey.add({"big.bin", 1000});
  auto kinds = std::move(survey).take();
  REQUIRE(kinds.size() == 3);
  CHECK(kinds[0].suffix == ".bin");
  CHECK(kinds[1].suffix == kNumberSuffix);
  CHECK(kinds[1].bytes == 30);
  CHECK(kinds[2].suffix.empty());
  Survey many;
  for (std::uint64_t i = 1; i <= 1000; ++i) many.add({"x.s" + std::to_string(i), i});
  kinds = std::move(many).take();
  CHECK(kinds.size() == 13);
  CHECK(kinds.back().suffix == kOtherSuffixes);
  std::uint64_t files = 0, bytes = 0;
  for (const Kind& kind : kinds) {
    files += kind.files;
    bytes += kind.bytes;
  }
  CHECK(files == 1000);
  CHECK(bytes == 500500);
}
