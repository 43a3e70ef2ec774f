// SPDX-License-Identifier: Apache-2.0
#include "codec/recover/strand.hpp"

#include <algorithm>
#include <iterator>

namespace tdz {

using namespace formats;

// ---- One group --------------------------------------------------------------------------------------------

Strand::Strand(const Group& group, std::uint64_t& work) : work_(&work) {
  for (const FoundChunk& chunk : group.chunks) add(chunk.number, {.chunk = &chunk, .chain = chunk.chain});
  for (const Listed& entry : group.listed) add(entry.number, {.entry = &entry});
  if (!group.end) return;
  is_sound_ = is_sound_ && (known_.empty() || known_.rbegin()->first < group.end->chunks);
  if (is_sound_) add(group.end->chunks, {.is_end = true, .chain = group.end->chain});
}

void Strand::take(const Strand& more) {
  for (const auto& [number, known] : more.known_) add(number, known);
}

void Strand::add(std::uint64_t number, const Known& more) {
  ++*work_;
  const auto [place, is_new] = known_.try_emplace(number, more);
  Known& known = place->second;
  if (is_new) extend_runs(number);
  if (more.chunk != nullptr && (is_new || known.chunk == nullptr)) ++chunks_;
  if (known.chunk == nullptr) known.chunk = more.chunk;
  if (known.entry == nullptr) known.entry = more.entry;
  if (!known.chain) known.chain = more.chain;
  if (more.is_end) end_ = number;
  if (more.is_bead()) add_bead(number);
  derive_chains(place);
}

/// The new number is a run of its own, or the end or the begin of its neighbour's, or it joins two.
void Strand::extend_runs(std::uint64_t number) {
  Run run{number};
  auto next = runs_.upper_bound(number);
  if (next != runs_.end() && next->first == number + 1) {
    run = next->second;
    next = runs_.erase(next);
  }
  if (next == runs_.begin() || std::prev(next)->second.last + 1 != number) {
    runs_.emplace_hint(next, number, run);
    return;
  }
  Run& before = std::prev(next)->second;
  before.last = run.last;
  if (!run.first_bead) return;
  if (before.first_bead) --runs_with_beads_;
  if (!before.first_bead) before.first_bead = run.first_bead;
  before.last_bead = run.last_bead;
}

void Strand::add_bead(std::uint64_t number) {
  Run& run = std::prev(runs_.upper_bound(number))->second;
  if (!run.first_bead) ++runs_with_beads_;
  run.first_bead = std::min(run.first_bead.value_or(number), number);
  run.last_bead = std::max(run.last_bead.value_or(number), number);
  last_bead_ = std::max(last_bead_.value_or(number), number);
}

void Strand::agree(std::optional<std::uint64_t>& chain, std::uint64_t right) {
  if (chain && *chain != right) is_sound_ = false;
  if (!chain) chain = right;
}

/// Derives the chain of this number, and of the numbers after it up to the first that has one. So each is
/// derived once.
void Strand::derive_chains(Position place) {
  if (place->first == 0) {
    agree(place->second.chain, kFirstChain);
  } else if (const auto chain = chain_after_number_before(place->first)) {
    agree(place->second.chain, *chain);
  }
  for (auto next = std::next(place); next != known_.end() && next->first == place->first + 1;
       place = next++) {
    const Known& here = place->second;
    if (!here.chain || here.is_end) return;
    ++*work_;
    const bool had_one = next->second.chain.has_value();
    agree(next->second.chain, next_chain(*here.chain, here.digest()));
    if (had_one) return;
  }
}

const Known* Strand::find(std::uint64_t number) const {
  const auto found = known_.find(number);
  return found != known_.end() ? &found->second : nullptr;
}

std::optional<std::uint64_t> Strand::chain_after_number_before(std::uint64_t number) const {
  const Known* before = number > 0 ? find(number - 1) : nullptr;
  if (before == nullptr || before->is_end || !before->chain) return std::nullopt;
  return next_chain(*before->chain, before->digest());
}

bool Strand::stands_after_end(const Strand& other) const {
  return other.end_ && !known_.empty() && known_.rbegin()->first >= *other.end_;
}

// ---- Two groups -------------------------------------------------------------------------------------------

namespace {

/// Two CHK of one number, or a CHK and an entry of which the one is not the other's.
bool contradict(const Known& a, const Known& b) {
  return (a.is_bead() && b.is_bead()) || a.digest() != b.digest() ||
         a.original_offset() != b.original_offset();
}

/// A run that both groups together know.
struct SharedRun {
  struct End {
    std::uint64_t number;
    bool is_a;
  };
  std::uint64_t first, last;
  std::optional<End> first_bead{}, last_bead{};

  void take(const SharedRun& more) {
    last = std::max(last, more.last);
    if (!more.first_bead) return;
    if (!first_bead || more.first_bead->number < first_bead->number) first_bead = more.first_bead;
    if (!last_bead || more.last_bead->number > last_bead->number) last_bead = more.last_bead;
  }
};

SharedRun shared(std::uint64_t first, const Run& run, bool is_a) {
  SharedRun made{first, run.last};
  if (run.first_bead) made.first_bead = {*run.first_bead, is_a};
  if (run.last_bead) made.last_bead = {*run.last_bead, is_a};
  return made;
}

class Comparison {
 public:
  Comparison(const Strand& a, const Strand& b, std::uint64_t& work) : a_(a), b_(b), work_(work) {}

  Verdict run() {
    if (!a_.is_sound() || !b_.is_sound()) return Verdict::contradiction;
    if (a_.stands_after_end(b_) || b_.stands_after_end(a_)) return Verdict::contradiction;
    if (!numbers_agree()) return Verdict::contradiction;
    const bool a_is_listed = a_.chunks() > 0 && listed_of_a_ == a_.chunks();
    const bool b_is_listed = b_.chunks() > 0 && listed_of_b_ == b_.chunks();
    return a_is_listed || b_is_listed || is_one_linked() ? Verdict::proven : Verdict::open;
  }

 private:
  /// Goes through the numbers of a.
  bool numbers_agree() {
    for (auto at = a_.known().begin(); at != a_.known().end();) {
      const auto& [number, known] = *at;
      ++work_;
      if (!chain_) chain_ = b_.chain_after_number_before(number);
      const Known* other = b_.find(number);
      if (other != nullptr && !takes(known, *other)) return false;
      if (!agrees(known) || (other != nullptr && !agrees(*other))) return false;
      if (known.is_end) break;
      if (chain_) chain_ = next_chain(*chain_, known.digest());
      const bool is_last = ++at == a_.known().end();
      if (chain_ && !follow_b(number + 1, is_last ? kNone : at->first)) return false;
    }
    return true;
  }

  bool agrees(const Known& known) {
    if (known.chain && chain_ && *known.chain != *chain_) return false;
    if (known.chain) chain_ = known.chain;
    return true;
  }

  /// One number that both know.
  bool takes(const Known& of_a, const Known& of_b) {
    if (contradict(of_a, of_b)) return false;
    if (of_a.chunk != nullptr && of_b.entry != nullptr) ++listed_of_a_;
    if (of_b.chunk != nullptr && of_a.entry != nullptr) ++listed_of_b_;
    return true;
  }

  /// Follows the chain through the numbers that b alone knows, up to the next number of a, or to a number
  /// whose chain b has. False if that chain is another one.
  bool follow_b(std::uint64_t number, std::uint64_t next_of_a) {
    auto at = number < next_of_a ? b_.known().find(number) : b_.known().end();
    for (; number < next_of_a; ++number, ++at, ++work_) {
      const bool is_known = at != b_.known().end() && at->first == number;
      const auto given = is_known ? at->second.chain : std::nullopt;
      const bool agrees = !given || *given == *chain_;
      if (!is_known || given) {
        chain_.reset();
        return agrees;
      }
      chain_ = next_chain(*chain_, at->second.digest());
    }
    return true;
  }

  /// The runs of both, without those of b that touch none of a.
  std::vector<SharedRun> shared_runs() {
    std::vector<SharedRun> pieces;
    std::optional<std::uint64_t> taken;
    for (const auto& [first, run] : a_.runs()) {
      pieces.push_back(shared(first, run, true));
      auto other = b_.runs().upper_bound(first);
      if (other != b_.runs().begin() && std::prev(other)->second.last + 1 >= first) --other;
      for (; other != b_.runs().end() && other->first <= run.last + 1; ++other) {
        if (taken && other->first <= *taken) continue;
        taken = other->first;
        pieces.push_back(shared(other->first, other->second, false));
        if (other->second.first_bead) ++touched_of_b_;
      }
    }
    work_ += pieces.size();
    std::ranges::sort(pieces, {}, &SharedRun::first);
    std::vector<SharedRun> runs;
    for (const SharedRun& piece : pieces) {
      if (!runs.empty() && piece.first <= runs.back().last + 1) {
        runs.back().take(piece);
      } else {
        runs.push_back(piece);
      }
    }
    return runs;
  }

  bool is_one_linked() {
    if (!a_.last_bead() || !b_.last_bead()) return false;
    const auto runs = shared_runs();
    // In a run of b alone no bead of b is linked to one of a.
    return is_linked(runs, true) || (touched_of_b_ == b_.runs_with_beads() && is_linked(runs, false));
  }

  /// Is each bead of one group linked to the next bead of the other or, where there is none, to the last one
  /// before it? Beads of its own may lie in between; then they are linked too. Within a run all are linked.
  bool is_linked(const std::vector<SharedRun>& runs, bool is_a) const {
    const std::uint64_t others_last = *(is_a ? b_ : a_).last_bead();
    return std::ranges::none_of(runs, [&](const SharedRun& run) {
      if (!run.first_bead) return false;
      const auto [first, first_is_a] = *run.first_bead;
      const auto [last, last_is_a] = *run.last_bead;
      return (last_is_a == is_a && last < others_last) || (first_is_a == is_a && first > others_last);
    });
  }

  const Strand &a_, &b_;
  std::uint64_t& work_;
  std::optional<std::uint64_t> chain_;             // of the number at hand, as the numbers before it give it
  std::size_t listed_of_a_ = 0, listed_of_b_ = 0;  // chunks of the one that the other lists
  std::size_t touched_of_b_ = 0;                   // runs with beads
};

}  // namespace

Verdict compare(const Strand& a, const Strand& b, std::uint64_t& work) {
  return Comparison(a, b, work).run();
}

}  // namespace tdz
