// SPDX-License-Identifier: Apache-2.0
#include "app/estimate/survey.hpp"

#include <algorithm>
#include <cmath>
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

}  // namespace tdz::app
