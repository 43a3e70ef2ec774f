// SPDX-License-Identifier: Apache-2.0
// What a group of records says of each chunk, by number. Two groups are compared and joined in the time that
// the smaller one takes, so that a stream in n parts costs n log n. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "codec/recover/groups.hpp"

namespace tdz {

/// What is known of one chunk; or END, which has the number of chunks.
struct Known {
  const FoundChunk* chunk = nullptr;
  const Listed* entry = nullptr;
  bool is_end = false;
  std::optional<std::uint64_t> chain{};  ///< as CHK or END has it, or as the numbers before it give it

  /// CHK or END: what has a chain of its own.
  bool is_bead() const { return chunk != nullptr || is_end; }
  // Of a chunk, not of END.
  std::uint64_t digest() const { return chunk != nullptr ? chunk->digest : entry->digest; }
  std::uint64_t original_offset() const {
    return chunk != nullptr ? chunk->original_offset : entry->original_offset;
  }
};

/// Known numbers without a gap. From the first bead on their chains are known, so each follows from the one
/// before.
struct Run {
  std::uint64_t last = 0;
  std::optional<std::uint64_t> first_bead{}, last_bead{};
};

class Strand {
 public:
  /// The group lives longer than the strand. `work` counts visits of numbers.
  Strand(const Group& group, std::uint64_t& work);
  /// Takes all that another strand knows. Precondition: compare() found no contradiction.
  void take(const Strand& more);

  /// The group does not contradict itself.
  bool is_sound() const { return is_sound_; }
  const std::map<std::uint64_t, Known>& known() const { return known_; }
  const std::map<std::uint64_t, Run>& runs() const { return runs_; }  ///< by their first numbers
  std::size_t runs_with_beads() const { return runs_with_beads_; }
  std::size_t chunks() const { return chunks_; }
  std::optional<std::uint64_t> last_bead() const { return last_bead_; }

  const Known* find(std::uint64_t number) const;
  /// The chain of this number, as the number before it gives it.
  std::optional<std::uint64_t> chain_after_number_before(std::uint64_t number) const;
  bool stands_after_end(const Strand& other) const;

 private:
  using Position = std::map<std::uint64_t, Known>::iterator;
  void add(std::uint64_t number, const Known& more);
  void extend_runs(std::uint64_t number);
  void add_bead(std::uint64_t number);
  void derive_chains(Position place);
  void agree(std::optional<std::uint64_t>& chain, std::uint64_t right);

  std::map<std::uint64_t, Known> known_;
  std::map<std::uint64_t, Run> runs_;
  std::size_t runs_with_beads_ = 0;
  std::size_t chunks_ = 0;
  std::optional<std::uint64_t> end_, last_bead_;
  bool is_sound_ = true;
  std::uint64_t* work_;
};

/// Do two groups of one tag belong to one stream? `open`: nothing says so, but what joins one of them may.
enum class Verdict : std::uint8_t { proven, open, contradiction };

/// `a` is the smaller one.
Verdict compare(const Strand& a, const Strand& b, std::uint64_t& work);

}  // namespace tdz
