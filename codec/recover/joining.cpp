// SPDX-License-Identifier: Apache-2.0
// Joins groups of one stream, which bytes put in or left out have moved apart: FORMAT.md, section 5, "After
// damage", point 4. A group joins another one only where all of it is proven.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "codec/recover/groups.hpp"
#include "codec/recover/strand.hpp"

namespace tdz {

using namespace formats;

namespace {

// How many comparisons are allowed: so much work for each number that a group knows, and at least kLeastWork.
// Only a file that was made to take long needs more.
constexpr std::uint64_t kWorkOfNumber = 256;
constexpr std::uint64_t kLeastWork = std::uint64_t{1} << 16;
/// A number that more groups know stands in copies of a stream. Of copies the nearest ones belong together.
constexpr std::ptrdiff_t kMostNear = 32;

bool has_header_and_end(const Group& group) {
  return group.header && group.end;
}

/// Joins all fields except the chunks and the entries of the index; take_from_strand() sets those.
void join(Group& group, Group& more) {
  if (more.first < group.first) {
    std::swap(group.begin, more.begin);
    std::swap(group.first, more.first);
  }
  group.records_end = std::max(group.records_end, more.records_end);
  group.extent_end = std::max(group.extent_end, more.extent_end);
  group.widest_span = std::max(group.widest_span, more.widest_span);
  group.longest_record = std::max(group.longest_record, more.longest_record);
  group.listed_end = std::max(group.listed_end, more.listed_end);
  group.has_last_index_part = group.has_last_index_part || more.has_last_index_part;
  if (!group.end) group.end = more.end;
  if (!group.header) group.header = std::move(more.header);
}

/// A group knows this number.
struct Mention {
  std::uint64_t number;
  std::size_t group;
  friend auto operator<=>(const Mention&, const Mention&) = default;
};

/// By number, then by group.
class Mentions {
 public:
  void add(const Mention& mention) { all_.push_back(mention); }
  void sort() { std::ranges::sort(all_); }
  /// The groups that know this number: those that stand nearest to `group`.
  std::span<const Mention> near(std::uint64_t number, std::size_t group) const {
    const auto first = std::lower_bound(all_.begin(), all_.end(), Mention{number, 0});
    const auto last = std::upper_bound(first, all_.end(), Mention{number, SIZE_MAX});
    const auto here = std::lower_bound(first, last, Mention{number, group});
    return {here - std::min(here - first, kMostNear / 2), here + std::min(last - here, kMostNear / 2)};
  }

 private:
  std::vector<Mention> all_;
};

/// The groups of one tag. The first pair that belongs together joins, again and again; the joined group takes
/// the place of its first one.
class Joining {
 public:
  Joining(std::vector<Group> groups, std::uint64_t& work) : groups_(std::move(groups)), work_(work) {}

  std::vector<Group> run() && {
    if (groups_.size() > 1) join_all();
    std::vector<Group> left;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (!members_.empty() && members_[i] == 0) continue;
      if (!members_.empty() && members_[i] > 1) take_from_strand(i);
      left.push_back(std::move(groups_[i]));
    }
    return left;
  }

 private:
  void join_all() {
    for (const Group& group : groups_) {
      strands_.push_back(has_header_and_end(group) ? Strand({}, work_) : Strand(group, work_));
      most_work_ += kWorkOfNumber * (1 + strands_.back().known().size());
    }
    members_.assign(groups_.size(), 1);
    open_.resize(groups_.size());
    most_work_ += work_;
    propose_pairs();
    while (!to_compare_.empty() && work_ < most_work_) {
      const auto [a, b] = *to_compare_.begin();
      to_compare_.erase({a, b});
      to_compare_.erase({b, a});
      take_pair(a, b);
    }
  }

  /// A bead is linked only through numbers that one of both groups knows. So somewhere a number of the one is
  /// next to a number of the other: where a run of the one ends, or at a bead. And an index lists numbers of
  /// the other group.
  void propose_pairs() {
    Mentions known, listed;
    for (std::size_t i = 0; i < strands_.size(); ++i) {
      for (const auto& [number, of_group] : strands_[i].known()) {
        if (!of_group.is_end) known.add({number, i});
        if (of_group.entry != nullptr) listed.add({number, i});
      }
    }
    known.sort();
    listed.sort();
    std::vector<std::size_t> proposed_by(strands_.size(), strands_.size());
    for (std::size_t i = 0; i < strands_.size(); ++i) {
      const auto propose_all = [&](std::span<const Mention> others) {
        work_ += others.size();
        for (const Mention& other : others)
          if (std::exchange(proposed_by[other.group], i) != i) propose(i, other.group);
      };
      for (const auto& [number, of_group] : strands_[i].known()) {
        if (of_group.is_bead() && number > 0) propose_all(known.near(number - 1, i));
        if (of_group.chunk != nullptr) propose_all(listed.near(number, i));
      }
      for (const auto& [first, run] : strands_[i].runs()) propose_all(known.near(run.last + 1, i));
    }
  }

  /// Both ways round, so that all pairs of a group stand together.
  void propose(std::size_t a, std::size_t b) {
    ++work_;
    if (a == b) return;
    to_compare_.emplace(a, b);
    to_compare_.emplace(b, a);
  }

  void take_pair(std::size_t a, std::size_t b) {
    if (has_header_and_end(groups_[a]) || has_header_and_end(groups_[b])) return;
    const bool a_is_smaller = strands_[a].known().size() < strands_[b].known().size();
    switch (compare(strands_[a_is_smaller ? a : b], strands_[a_is_smaller ? b : a], work_)) {
      case Verdict::proven:
        return take(a, b);
      case Verdict::open:
        open_[a].push_back(b);
        open_[b].push_back(a);
        return;
      case Verdict::contradiction:
        return;
    }
  }

  /// Joins b to a. What was open for one of both is open for the joined group, and compared again.
  void take(std::size_t a, std::size_t b) {
    if (strands_[a].known().size() < strands_[b].known().size()) std::swap(strands_[a], strands_[b]);
    strands_[a].take(strands_[b]);
    strands_[b] = Strand({}, work_);
    join(groups_[a], groups_[b]);
    members_[a] += std::exchange(members_[b], 0);
    std::vector<std::size_t> others = std::exchange(open_[a], {});
    std::ranges::move(std::exchange(open_[b], {}), std::back_inserter(others));
    const auto first = to_compare_.lower_bound({b, 0}), last = to_compare_.lower_bound({b + 1, 0});
    for (auto pair = first; pair != last; ++pair) others.push_back(pair->second);
    to_compare_.erase(first, last);
    for (const std::size_t other : others) {
      to_compare_.erase({other, b});
      if (members_[other] > 0) propose(a, other);
    }
  }

  void take_from_strand(std::size_t i) {
    std::vector<FoundChunk> chunks;
    std::vector<Listed> listed;
    for (const auto& [number, known] : strands_[i].known()) {
      if (known.chunk != nullptr) chunks.push_back(*known.chunk);
      if (known.entry != nullptr) listed.push_back(*known.entry);
    }
    groups_[i].chunks = std::move(chunks);
    groups_[i].listed = std::move(listed);
  }

  std::vector<Group> groups_;
  std::uint64_t& work_;
  std::uint64_t most_work_ = kLeastWork;
  std::vector<Strand> strands_;       // one for each group
  std::vector<std::size_t> members_;  // of each group; 0: it joined another one
  std::set<std::pair<std::size_t, std::size_t>> to_compare_;
  std::vector<std::vector<std::size_t>> open_;  // of each group: those with which nothing is proven yet
};

}  // namespace

std::vector<Group> join_groups(std::vector<Group> groups, std::uint64_t& work) {
  std::map<std::uint64_t, std::vector<Group>> by_tag;
  for (Group& group : groups) by_tag[group.tag].push_back(std::move(group));
  groups.clear();
  for (auto& [tag, same] : by_tag)
    std::ranges::move(Joining(std::move(same), work).run(), std::back_inserter(groups));
  return groups;
}

}  // namespace tdz
