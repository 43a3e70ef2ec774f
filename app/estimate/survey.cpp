// SPDX-License-Identifier: Apache-2.0
#include "app/estimate/survey.hpp"

#include <algorithm>
#include <filesystem>

namespace tdz::app {
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
  kind.bytes += file.bytes;
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

// Vitter's algorithm R: of the n files so far, each is here with the chance kOthers / n.
void Survey::add_to_others(Kind& kind, SurveyedFile file) {
  if (kind.others.size() < kOthers) return kind.others.push_back(std::move(file));
  const std::uint64_t seen = kind.files - std::min<std::uint64_t>(kind.files, kLargest);
  const std::uint64_t place = std::uniform_int_distribution<std::uint64_t>(0, seen - 1)(chance_);
  if (place < kOthers) kind.others[static_cast<std::size_t>(place)] = std::move(file);
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
    rest.bytes += last.bytes;
    for (auto* list : {&last.largest, &last.others})
      for (SurveyedFile& file : *list) add_to(rest, std::move(file));
  }
  if (rest.files != 0) all.push_back(std::move(rest));
  return all;
}

}  // namespace tdz::app
