// SPDX-License-Identifier: Apache-2.0
#include "app/options/table/verb_rows.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace tdz::app {
namespace {

constexpr Example kCompress[] = {
    {"tdz recording.wav", "write recording.wav.tdz, with the steps that suit it"},
    {"tdz --best *.grd", "smaller, slower"},
    {"tdz compress --type f64x3 --order 2 --rm --verify track.bin", "say what the numbers are"},
    {"sensor | tdz --type u16x8 --flush 1 > log.tdz", "a value is in the file one second later"},
    {"tar -I tdz -cf logs.tar.tdz logs", "as a filter of tar; tar -xf with the same -I restores"},
};
constexpr Example kDecompress[] = {
    {"tdz -d song.pcm.tdz", "write song.pcm"},
    {"tdz decompress -c --range 1000v:50v track.bin.tdz", "50 values, from value 1000 on"},
    {"tdz -dc logs.tar.tdz | tar -x", "restore to a pipe"},
};
constexpr Example kVerify[] = {{"tdz verify -v *.tdz", "a line for every file"}};
constexpr Example kInfo[] = {
    {"tdz info *.tdz", "a table of files"},
    {"tdz info --json --chunks log.tdz", "every chunk, for programs"},
};
constexpr Example kAnalyze[] = {
    {"tdz analyze song.pcm", "show what tdz would choose"},
    {"tdz analyze -r data", "how small the folder becomes, and how long that takes, from samples"},
};
constexpr Example kRecover[] = {
    {"tdz recover log.tdz -o log --map missing.json", "the list of missing bytes goes to missing.json"},
    {"tdz recover --archive log.tdz -o healed.tdz", "the file itself, healed by its parity"},
};
constexpr Example kProtect[] = {
    {"tdz protect *.tdz", "5 % more bytes, so that a hole of up to 5 % may be lost"},
    {"tdz protect --protect 20 -o safe.tdz log.tdz", "more of it, in another file"},
};
constexpr Example kBench[] = {
    {"tdz bench samples/*.bin", "a table for each file"},
    {"tdz bench --words 2,4 --tuples 1-8 --format html -o report.html song.pcm", "a page with heat maps"},
    {"tdz bench --backends cpu,cuda --scans tdz,cub,sam --curves",
     "kernels on a GPU; cub and sam need a build with -DTDZ_BENCH=ON"},
};
constexpr Example kRoundtrip[] = {
    {"tdz roundtrip samples/*.bin", "all of the grid"},
    {"tdz roundtrip --words 4 --tuples 1-8 --junit -o result.xml points.bin", "a part of it"},
};
constexpr Example kCompletions[] = {
    {"source <(tdz completions bash)", "for this shell"},
    {"tdz completions fish > ~/.config/fish/completions/tdz.fish", "for every shell of this user"},
};

constexpr std::array<VerbRow, 11> kVerbRows = {{
    {Verb::compress, "compress", "tdz", "[FILE]...", "write `FILE.tdz`; FILE stays",
     "Compresses each FILE to `FILE.tdz`, or standard input to standard output.", kCompress,
     "pack encode zip gzip"},
    {Verb::decompress, "decompress", "tdz -d", "[FILE]...", "restore FILE from `FILE.tdz`",
     "Restores FILE from each `FILE.tdz`, or standard output from standard input.", kDecompress,
     "extract unpack restore uncompress decode expand unzip gunzip"},
    {Verb::verify, "verify", "tdz -t", "[FILE]...", "decode and check everything; write nothing",
     "Decodes each FILE and checks every chunk and its place. Writes nothing, and prints nothing when a FILE "
     "is "
     "good. The exit status is 2 if a FILE is damaged.",
     kVerify, "test check"},
    {Verb::info, "info", "tdz -l", "[FILE]...", "say what is inside, without decoding it",
     "Shows what each FILE holds: sizes, type and steps. Reads its index and decodes nothing.", kInfo,
     "list ls show stat"},
    {Verb::analyze, "analyze", "", "[FILE]...", "say what `compress` would choose, and why",
     "Shows what `compress` would choose for each FILE, and why: the steps of the choice and the same in "
     "words, "
     "the candidates with their ratios on samples, the ratios by order and tuple, and a command line that "
     "gives "
     "the same steps. With `-r` or `--filelist` it takes samples, for about ten seconds, and estimates how "
     "small all files become with each effort, and how long compressing and restoring take here. Writes no "
     "file.",
     kAnalyze, "analyse detect"},
    {Verb::recover, "recover", "", "FILE -o OUT", "restore what is left of a damaged file",
     "Restores every intact chunk of a damaged FILE, even if its header, its end or parts in the middle are "
     "lost. First heals what the parity of `--protect` can bring back, and says how much. Lists the bytes of "
     "the original that are missing. If any are missing, the exit status is 2, and "
     "OUT "
     "is still written. Blocks that cannot be read count as damage. If a disk is failing, copy it with "
     "ddrescue "
     "first.",
     kRecover, "repair rescue salvage"},
    {Verb::protect, "protect", "", "FILE...", "add parity to a FILE, so that recover can heal it",
     "Writes each FILE.tdz again, with parity (`--protect`; 5 % without it). Decodes everything before, so "
     "that "
     "no damage is protected. What was compressed stays as it is; parity that was there is replaced. FILE is "
     "replaced when the result is safely on disk, or stays with `-o`.",
     kProtect, "parity par2 guard"},
    {Verb::bench, "bench", "", "[FILE]...", "measure ratio and speed by order and tuple",
     "Measures ratio and speed of the whole codec and of each of its stages, and the speed of the prefix-sum "
     "kernels alone, beside memcpy and the limit that the memory sets. Checks every result that it times; if "
     "one is wrong, the exit status is 2. Without FILE it generates numbers. Without `--words`, `--tuples`, "
     "`--orders` and `--layouts` it uses the type of each FILE, at orders 0 to 4. It measures differences, "
     "zigzag and layouts, but not the steps scale, lanes, predict and tokens, which `compress` may choose "
     "too. "
     "Ctrl-C stops the run and still writes a report of what was measured.",
     kBench, "benchmark"},
    {Verb::roundtrip, "roundtrip", "", "[FILE]...", "code and restore in every way; compare every byte",
     "Codes and restores each FILE in memory with every combination of words, tuples, orders and layouts. "
     "Each "
     "backend (CPU, GPU) codes, each backend restores what any of them coded, and every byte is compared. "
     "Every "
     "combination (a cell of the grid) passes or fails; a cell that failed is not checked again. For a "
     "failed "
     "cell the report shows the first wrong number and its neighbours. If any cell fails, the exit status is "
     "2. "
     "A FILE may be longer than the memory; it is read once. Ctrl-C stops the run and still writes a report "
     "of "
     "what was checked.",
     kRoundtrip, "selftest"},
    {Verb::devices,
     "devices",
     "",
     "",
     "list the GPUs that `--backend cuda` may use",
     "Lists the GPUs that `--backend cuda` may use, by the numbers of `--device`. If there is none, the exit "
     "status is 4, and a message says why.",
     {},
     "gpus"},
    {Verb::completions, "completions", "", "bash|zsh|fish", "print a script that completes words in a shell",
     "Prints a script for the shell: with it, the Tab key completes verbs, options, their values and names "
     "of "
     "files. A package of tdz has installed these scripts already.",
     kCompletions, "completion"},
}};

}  // namespace

std::span<const VerbRow> verb_rows() {
  return kVerbRows;
}

std::string_view about_program() {
  return "tdz compresses files of fixed-width numbers: sensor logs, audio, images, grids, records. It finds "
         "out "
         "by itself what the numbers are. It takes differences between the numbers (delta coding), puts the "
         "first bytes of all numbers together, then the second, and so on (byte shuffle), and compresses the "
         "result with zstd. FILE becomes `FILE.tdz`, and FILE is kept. Without FILE, or if FILE is `-`, tdz "
         "reads standard input and writes standard output. The verb is the first word; after options, a word "
         "is "
         "the verb only if no file has this name.";
}

std::optional<Verb> verb_named(std::string_view word) {
  const auto found = std::ranges::find(kVerbRows, word, &VerbRow::name);
  return found == kVerbRows.end() ? std::nullopt : std::optional(found->verb);
}

std::optional<Verb> verb_meant_by(std::string_view word) {
  const std::string wanted = " " + std::string(word) + " ";
  const auto says = [&](const VerbRow& row) {
    return (" " + std::string(row.other_words) + " ").find(wanted) != std::string::npos;
  };
  if (word.empty() || word.find(' ') != std::string_view::npos) return std::nullopt;
  const auto found = std::ranges::find_if(kVerbRows, says);
  return found == kVerbRows.end() ? std::nullopt : std::optional(found->verb);
}

std::string_view verb_name(Verb verb) {
  return kVerbRows[static_cast<std::size_t>(verb)].name;
}

}  // namespace tdz::app
