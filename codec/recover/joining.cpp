// SPDX-License-Identifier: Apache-2.0
// Joins groups of one stream, which bytes put in or left out have moved apart: FORMAT.md, section 5, "After
// damage", point 4. A group joins another one only where all of it is proven.
#include <algorithm>
#include <iterator>
#include <map>

#include "codec/recover/groups.hpp"

namespace tdz {

using namespace formats;

namespace {

/// What may be compared, in records of both groups. A file that needs more is made to take long.
constexpr std::uint64_t kMostWork = std::uint64_t{1} << 28;

/// A CHK or END of one of two groups.
struct Bead {
  std::uint64_t number = 0;  // of END: the number of chunks
  std::uint64_t chain = 0;
  std::optional<std::uint64_t> digest{};
  bool is_first_groups = false;
};

/// Does the chain of a bead follow from the bead before it?
enum class Link { holds, unknown, broken };

void add_beads(const Group& group, bool is_first, std::vector<Bead>& out) {
  for (const FoundChunk& chunk : group.chunks)
    out.push_back({chunk.number, chunk.chain, chunk.digest, is_first});
  if (group.end) out.push_back({group.end->chunks, group.end->chain, std::nullopt, is_first});
}

/// The beads of both groups by number. Two of one number contradict one another; so do chunks behind END.
std::optional<std::vector<Bead>> beads_of(const Group& a, const Group& b) {
  std::vector<Bead> of_a, of_b, all;
  add_beads(a, true, of_a);
  add_beads(b, false, of_b);
  std::ranges::merge(of_a, of_b, std::back_inserter(all), {}, &Bead::number, &Bead::number);
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i - 1].number >= all[i].number || !all[i - 1].digest) return std::nullopt;
  }
  return all;
}

Link link(const Bead& from, const Bead& to, const Group& a, const Group& b) {
  const auto digest_of = [&](std::uint64_t number) {
    if (number == from.number && from.digest) return from.digest;
    const Listed* entry = entry_of(a.listed, number);
    if (entry == nullptr) entry = entry_of(b.listed, number);
    return entry != nullptr ? std::optional(entry->digest) : std::nullopt;
  };
  const auto chain = chain_at(to.number, from.number, from.chain, digest_of);
  if (!chain) return Link::unknown;
  return *chain == to.chain ? Link::holds : Link::broken;
}

/// Of each bead: the link from the bead before it; of the first one: from the begin of the stream.
std::vector<Link> links_of(const std::vector<Bead>& beads, const Group& a, const Group& b) {
  std::vector<Link> links;
  Bead before{.number = 0, .chain = kFirstChain};
  for (const Bead& bead : beads) {
    links.push_back(link(before, bead, a, b));
    before = bead;
  }
  return links;
}

/// Does the index of `other` list all chunks of the group?
bool is_listed(const Group& group, const Group& other) {
  const auto is_there = [&](const FoundChunk& chunk) {
    const Listed* entry = entry_of(other.listed, chunk.number);
    return entry != nullptr && is_same(*entry, chunk);
  };
  return !group.chunks.empty() && std::ranges::all_of(group.chunks, is_there);
}

/// Is each bead of one group linked to the next bead of the other or, where there is none, to the last one
/// before it? Beads of its own may lie in between; then they are linked too.
bool is_linked(const std::vector<Bead>& beads, const std::vector<Link>& links, bool first_group) {
  const auto is_others = [&](const Bead& bead) { return bead.is_first_groups != first_group; };
  const auto last = std::find_if(beads.rbegin(), beads.rend(), is_others);
  const auto last_other = static_cast<std::size_t>(beads.rend() - last);  // behind it
  if (last_other == 0 || std::ranges::all_of(beads, is_others)) return false;
  for (std::size_t i = 0; i < beads.size(); ++i) {
    if (is_others(beads[i])) continue;
    const Link to_other = i + 1 < last_other ? links[i + 1] : links[i];
    if (to_other != Link::holds) return false;
  }
  return true;
}

bool is_whole(const Group& group) {
  return group.header && group.end;
}

bool belong_together(const Group& a, const Group& b) {
  if (is_whole(a) || is_whole(b) || (a.end && b.end)) return false;
  const auto beads = beads_of(a, b);
  if (!beads) return false;
  const auto links = links_of(*beads, a, b);
  if (std::ranges::find(links, Link::broken) != links.end()) return false;
  return is_listed(a, b) || is_listed(b, a) || is_linked(*beads, links, true) ||
         is_linked(*beads, links, false);
}

template <class T>
void merge_by_number(std::vector<T>& into, const std::vector<T>& more) {
  const auto middle = static_cast<std::ptrdiff_t>(into.size());
  into.insert(into.end(), more.begin(), more.end());
  std::ranges::inplace_merge(into, into.begin() + middle, {}, &T::number);
  const auto one_number = [](const T& a, const T& b) { return a.number == b.number; };
  into.erase(std::unique(into.begin(), into.end(), one_number), into.end());
}

/// Takes `more` into `group`.
void join(Group& group, Group more) {
  if (more.first < group.first) {
    std::swap(group.begin, more.begin);
    std::swap(group.first, more.first);
  }
  group.last = std::max(group.last, more.last);
  group.behind = std::max(group.behind, more.behind);
  group.widest = std::max(group.widest, more.widest);
  merge_by_number(group.chunks, more.chunks);
  merge_by_number(group.listed, more.listed);
  group.listed_end = std::max(group.listed_end, more.listed_end);
  group.index_is_over = group.index_is_over || more.index_is_over;
  if (!group.end) group.end = more.end;
  if (!group.header) group.header = std::move(more.header);
}

std::size_t size_of(const Group& group) {
  return group.chunks.size() + group.listed.size();
}

/// The groups of one tag.
class Joining {
 public:
  Joining(std::vector<Group> groups, std::uint64_t& work_left)
      : groups_(std::move(groups)), left_(work_left) {}

  /// Always joins the first pair that belongs together. After a join only pairs with the joined group are
  /// new.
  std::vector<Group> run() && {
    for (std::size_t i = 0; i < groups_.size();) {
      const auto before = changed_ ? find_partner(i, 0, i) : std::nullopt;
      const auto behind = before ? std::nullopt : find_partner(i, i + 1, groups_.size());
      changed_ = before || behind;
      if (!changed_) ++i;
      if (behind) take(i, *behind);
      if (before) take(*before, i);
      if (before) i = *before;
    }
    return std::move(groups_);
  }

 private:
  std::optional<std::size_t> find_partner(std::size_t of, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const std::uint64_t work = 16 + size_of(groups_[of]) + size_of(groups_[i]);
      if (left_ < work) return std::nullopt;
      left_ -= work;
      if (belong_together(groups_[std::min(of, i)], groups_[std::max(of, i)])) return i;
    }
    return std::nullopt;
  }

  void take(std::size_t into, std::size_t from) {
    Group more = std::move(groups_[from]);
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(from));
    join(groups_[into], std::move(more));
  }

  std::vector<Group> groups_;
  std::uint64_t& left_;
  bool changed_ = false;  // is the group at hand a joined one?
};

}  // namespace

std::vector<Group> join_groups(std::vector<Group> groups) {
  std::map<std::uint64_t, std::vector<Group>> by_tag;
  for (Group& group : groups) by_tag[group.tag].push_back(std::move(group));
  groups.clear();
  std::uint64_t work_left = kMostWork;
  for (auto& [tag, same] : by_tag)
    std::ranges::move(Joining(std::move(same), work_left).run(), std::back_inserter(groups));
  return groups;
}

}  // namespace tdz
