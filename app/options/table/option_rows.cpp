// SPDX-License-Identifier: Apache-2.0
#include "app/options/table/option_rows.hpp"

#include <limits>

#include "app/options/names.hpp"
#include "app/options/number_options.hpp"
#include "app/options/option_values.hpp"
#include "formats/names.hpp"
#include "formats/stream/limits.hpp"

namespace tdz::app {
namespace {

constexpr unsigned kMaxThreads = 1024;  // more threads only cost memory, so a larger number is a typing error

constexpr auto kAnyUint32 = std::numeric_limits<std::uint32_t>::max();

template <class T>
auto number_between(T least, T most) {
  return [least, most](std::string_view text) -> Result<T> {
    auto number = parse_number(text, static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most));
    if (!number) return number.error();
    return static_cast<T>(*number);
  };
}

auto size_between(std::uint32_t least, std::uint32_t most) {
  return [least, most](std::string_view text) { return parse_size_between(text, least, most); };
}

/// A type for the search, or the types of columns.
Result<std::string> parse_types_of_numbers(std::string_view text) {
  if (names_columns(text)) {
    if (const auto known = formats::parse_types(text); !known) return known.error();
  } else if (const auto known = formats::parse_type(text); !known) {
    return known.error();
  }
  return std::string(text);
}

void take_lists(const OptionSlot& slot, Settings& to, char separator) {
  slot.each_value([&to, separator](std::string file) {
    to.selection.lists.push_back({std::move(file), separator});
  });
}

constexpr SectionRow kSections[] = {
    {Section::choice, "choice", "Instead of a verb"},
    {Section::numbers, "numbers", "What the numbers are"},
    {Section::compression, "compression", "How to compress"},
    {Section::restoring, "restoring", "What to restore"},
    {Section::recovery, "recovery", "Recovery"},
    {Section::results, "results", "Where results go"},
    {Section::files, "files", "Many files"},
    {Section::grid, "grid", "What to measure or test"},
    {Section::reports, "reports", "Reports"},
    {Section::run, "run", "How to run"},
    {Section::program, "program", "About tdz"},
};

constexpr Verbs kNone;
constexpr Verbs kBoth = Verbs(Verb::compress) | Verb::decompress;
constexpr Verbs kStreams = kBoth | Verb::verify;
constexpr Verbs kMany = kStreams | Verb::info;
constexpr Verbs kFolders = kMany | Verb::analyze | Verb::protect;
constexpr Verbs kSteps = Verbs(Verb::compress) | Verb::analyze;
constexpr Verbs kGrid = Verbs(Verb::bench) | Verb::roundtrip;
constexpr Verbs kReports = kGrid | Verb::recover;  // they write one result
constexpr bool kHarmless = true;                   // for `harmless`

// A row reads best with its texts on lines of their own.
// clang-format off
constexpr OptionRow kOptionRows[] = {
    {"-d,--decompress,--uncompress", "", Section::choice, kNone, kHarmless,
     "restore, as `tdz decompress`", "",
     [](auto& slot, auto& to) { slot.flag(to.decompress); }},
    {"-t,--test", "", Section::choice, kNone, kHarmless,
     "check, as `tdz verify`", "",
     [](auto& slot, auto& to) { slot.flag(to.verify_files); }},
    {"-l,--list", "", Section::choice, kNone, kHarmless,
     "say what is inside, as `tdz info`", "",
     [](auto& slot, auto& to) { slot.flag(to.list); }},

    {"--type", "TYPE", Section::numbers, kSteps | Verb::bench, kHarmless,
     "the type of the numbers: `i16`; for tuples `i16x2`; for records of different fields `u64,f32x5`",
     "If the type has no `xN`, tdz finds the tuple. `bench` takes one type, not fields.",
     [](auto& slot, auto& to) { slot.value(to.type, parse_types_of_numbers); }},
    {"--word", "N", Section::numbers, kSteps, kHarmless,
     "bytes of a number: 1, 2, 4, 8", "",
     [](auto& slot, auto& to) { slot.value(to.numbers.word, parse_word); }},
    {"--tuple", "N", Section::numbers, kSteps, kHarmless,
     "numbers in a tuple (columns of a record)",
     "tdz compares each number with the same column (lane) of the tuple before.",
     [](auto& slot, auto& to) { slot.value(to.numbers.tuple, number_between(1u, kAnyUint32)); }},
    {"--order", "N", Section::numbers, kSteps, kHarmless,
     "how often the difference (delta) is taken, 0 to 8",
     "A higher order suits smooth data, a low one noise.",
     [](auto& slot, auto& to) { slot.value(to.numbers.order, number_between<std::uint8_t>(0, kMaxOrder)); }},
    {"--zigzag", "on|off", Section::numbers, kSteps, kHarmless,
     "turn signed differences into codes without a sign: 0, -1, 1, -2 become 0, 1, 2, 3", "",
     [](auto& slot, auto& to) { slot.value(to.numbers.zigzag, parse_switch); }},
    {"--layout", "interleaved|planes|tuple-planes|bit-planes", Section::numbers, kSteps, kHarmless,
     "the order in which zstd gets the bytes of the numbers",
     "`interleaved`: bytes stay where they are. `planes`: a byte shuffle: the lowest bytes of all numbers, "
     "then the next bytes, and so on. `tuple-planes`: a byte shuffle of each column. `bit-planes`: a bit "
     "shuffle; it often suits audio and photographs.",
     [](auto& slot, auto& to) { slot.value(to.numbers.layout, formats::parse_layout); }},
    {"--row", "N", Section::numbers, kSteps, kHarmless,
     "numbers in a row of an image or a grid: take a second difference, to the row above; 0: none", "",
     [](auto& slot, auto& to) { slot.value(to.numbers.row, number_between(0u, kAnyUint32)); }},
    {"--big-endian", "", Section::numbers, kSteps, kHarmless,
     "the numbers are big-endian: the highest byte comes first", "",
     [](auto& slot, auto& to) { slot.flag(to.numbers.big_endian); }},
    {"--offset", "SIZE", Section::numbers, kSteps, kHarmless,
     "the first SIZE bytes are a header and hold no numbers", "",
     [](auto& slot, auto& to) { slot.value(to.codec.raw_prefix, parse_size); }},

    {"--fastest", "", Section::compression, kSteps, kHarmless,
     "pack numbers in groups without zstd: faster than `--fast`, and larger",
     "Each group of 16 numbers gets the bits of its widest residual. The search takes milliseconds.",
     [](auto& slot, auto& to) { slot.flag(to.fastest); }},
    {"--fast", "", Section::compression, kSteps, kHarmless,
     "search less; zstd's level is 1 instead of 3", "",
     [](auto& slot, auto& to) { slot.flag(to.fast); }},
    {"--best", "", Section::compression, kSteps, kHarmless,
     "search more; zstd's level is 16 instead of 3",
     "The result is usually smaller, but not always.",
     [](auto& slot, auto& to) { slot.flag(to.best); }},
    {"--gpu", "", Section::compression, kSteps, kHarmless,
     "ask for what a GPU decodes quickly; any zstd reads its frames",
     "tdz takes the first of these that is at most 8 % larger than the steps that it found: packed groups "
     "(the layout of `--fastest`), frames for a GPU that one kernel decodes, frames for a GPU with all "
     "those steps. If none is, it takes the smallest of these, if it is at most 20 % larger, for an "
     "input of 64 KiB or more. An input of up to 16 MiB is coded whole to compare, of a longer one four "
     "parts of 2 MiB. Otherwise it takes general frames, which a CPU decodes; so too where it finds no "
     "numbers, and where repeats far away save more. `analyze`, `info` and `-v` say which. Without "
     "`--gpu` tdz takes frames for a GPU only where the search chose the layout tokens by itself, and "
     "these frames are at most 1 % larger, with `--best` at most 0.4 %; at level 1 not, except with "
     "`--fast`, because a CPU reads them more slowly. With `--layout` or `--frame` it takes general "
     "frames.",
     [](auto& slot, auto& to) { slot.flag(to.codec.gpu); }},
    {"--level", "N", Section::compression, kSteps, kHarmless,
     "level of zstd; higher is smaller and slower", "",
     [](auto& slot, auto& to) { slot.value(to.codec.level, number_between(kMinLevel, kMaxLevel)); }},
    {"--chunk", "SIZE", Section::compression, Verbs(Verb::compress) | Verb::roundtrip, kHarmless,
     "bytes that are compressed, checked and restored as a whole, 64KiB to 1GiB; usually 1MiB",
     "Other defaults: 4MiB with `--best`; 1MiB to 4MiB in frames for a GPU, so that whole blocks fill a "
     "chunk; 8MiB where there are no numbers, 16MiB with `--best`.",
     [](auto& slot, auto& to) {
       slot.value(to.codec.chunk_bytes, size_between(formats::kMinChunk, formats::kMaxChunk));
     }},
    {"--frame", "SIZE", Section::compression, Verb::compress, kHarmless,
     "the longest zstd frame in a chunk, 4KiB to the size of a chunk",
     "Default: the size of a chunk.",
     [](auto& slot, auto& to) {
       slot.value(to.codec.frame_bytes, size_between(formats::kMinFrame, formats::kMaxChunk));
     }},
    {"--flush", "SECONDS", Section::compression, Verb::compress, kHarmless,
     "for slow input: write a chunk when its first byte has waited this long, also if the chunk is not full",
     "With `-o` the file gets its name only at the end. To keep the data of a run that is stopped, write to "
     "standard output.",
     [](auto& slot, auto& to) { slot.value(to.codec.flush_after, parse_seconds); }},
    {"--independent", "", Section::compression, Verb::compress, kHarmless,
     "search the steps of each file, whatever suited the files before it",
     "In a job of several files, tdz first tries the steps that it found for earlier ones, of the same "
     "suffix, kind of header and similar length, on parts of each file; it searches where they save less "
     "than they promised. That takes a fraction of the time with short files, but the bytes of a result "
     "depend on the files before it. What is restored does not.",
     [](auto& slot, auto& to) { slot.flag(to.independent); }},
    {"--verify", "", Section::compression, Verb::compress, kHarmless,
     "before the file gets its name, decode what was written and compare it", "",
     [](auto& slot, auto& to) { slot.flag(to.verify); }},

    {"--protect", "PERCENT", Section::compression, Verbs(Verb::compress) | Verb::protect, kHarmless,
     "add parity, so that `recover` can bring back so much of each 128 MiB, 0 to 100",
     "It costs about as many percent more bytes, and 128 MiB of memory. It heals holes, lost sectors, and "
     "bytes that were cut out or put in. `compress` adds none without this option, `protect` 5 %; with 0 "
     "`protect` takes parity away.",
     [](auto& slot, auto& to) { slot.value(to.protect, number_between(0u, kMaxProtect)); }},

    {"--range", "OFFSET:LENGTH", Section::restoring, Verb::decompress, !kHarmless,
     "restore only these bytes (`1M:64KiB`), or these values of the file's type (`1000v:20v`)",
     "A value of `i16x2` is a pair. Without LENGTH (`1M:`): to the end. Reads only the chunks that hold "
     "them. Needs `-o` or `-c`.",
     [](auto& slot, auto& to) { slot.value(to.range, parse_range); }},
    {"--max-output", "SIZE", Section::restoring,
     Verbs(Verb::decompress) | Verb::verify | Verb::info | Verb::recover,
     !kHarmless,
     "fail instead of restoring more than this from one file",
     "This is a guard against decompression bombs. `verify` and `info` write nothing, and fail where "
     "`decompress` would.",
     [](auto& slot, auto& to) { slot.value(to.max_output, parse_size); }},
    {"--sparse", "", Section::restoring, Verb::decompress, !kHarmless,
     "write holes where the restored file has zeros", "",
     [](auto& slot, auto& to) { slot.flag(to.output.sparse); }},

    {"--fill", "zero|skip", Section::recovery, Verb::recover, !kHarmless,
     "write zeros where bytes are missing, or skip them; the default is zero",
     "With zeros all other bytes keep their places.",
     [](auto& slot, auto& to) { slot.value(to.fill, parse_fill); }},
    {"--map", "FILE", Section::recovery, Verb::recover, !kHarmless,
     "write the list of what is missing to FILE, as JSON", "",
     [](auto& slot, auto& to) { slot.value(to.map, parse_file_name); }},

    {"--archive", "", Section::recovery, Verb::recover, !kHarmless,
     "write FILE itself, healed by its parity, and not its original",
     "What parity cannot bring back stays as it is.",
     [](auto& slot, auto& to) { slot.flag(to.archive); }},

    {"-o,--output", "FILE", Section::results, kBoth | kReports | Verb::protect, !kHarmless,
     "write the result to FILE", "",
     [](auto& slot, auto& to) { slot.value(to.output.file, parse_file_name); }},
    {"-c,--stdout,--to-stdout", "", Section::results, kBoth | Verb::recover, !kHarmless,
     "write the result to standard output", "",
     [](auto& slot, auto& to) { slot.flag(to.output.to_stdout); }},
    {"-f,--force", "", Section::results, kStreams | Verb::analyze | kReports | Verb::protect, kHarmless,
     "replace an existing target, write to a terminal, read a device",
     "A symbolic link is replaced too, except one that leads to a folder or to an open file, as "
     "`/dev/stdout` does. `compress` also takes files that are named `.tdz` already.",
     [](auto& slot, auto& to) { slot.flag(to.output.force); }},
    {"-k,--keep", "", Section::results, kBoth, kHarmless,
     "keep the source; this is the default", "",
     [](auto& slot, auto& to) { slot.flag(to.keep); }},
    {"--rm", "", Section::results, kBoth, !kHarmless,
     "remove the source when the result is safely on disk", "",
     [](auto& slot, auto& to) { slot.flag(to.output.remove_source); }},

    {"-r,--recursive", "", Section::files, kFolders, !kHarmless,
     "go through folders",
     "`compress` and `analyze` take the files not named `.tdz`; the others take the files named `.tdz`. "
     "Symbolic links in folders are not followed. `analyze` then takes samples of a few files, and estimates "
     "how small all of them become, and how long that takes.",
     [](auto& slot, auto& to) { slot.flag(to.selection.recursive); }},
    {"--filelist", "LIST", Section::files, kFolders, !kHarmless,
     "take the files named in LIST, one name a line; `-` is standard input", "",
     [](auto& slot, auto& to) { take_lists(slot, to, '\n'); }},
    {"--filelist0", "LIST", Section::files, kFolders, !kHarmless,
     "the same for a LIST with a zero byte after each name, as `find -print0` writes it", "",
     [](auto& slot, auto& to) { take_lists(slot, to, '\0'); }},
    {"--exclude", "GLOB", Section::files, kFolders, !kHarmless,
     "leave these files out, also if they are named; can be repeated",
     "A pattern such as `*.tmp` is compared with the last part of a name. A pattern with a slash is compared "
     "with the whole name. `*` matches any characters. tdz does not enter a folder that matches.",
     [](auto& slot, auto& to) {
       slot.each_value([&to](std::string glob) { to.selection.exclude.push_back(std::move(glob)); });
     }},
    {"--output-dir", "DIR", Section::files, kBoth, !kHarmless,
     "write results below DIR in the same folders as their sources: `DIR/a/x.tdz` for `a/x` or `/a/x`",
     "Nothing is written outside DIR: `..` is refused, and no link below DIR is followed.",
     [](auto& slot, auto& to) { slot.value(to.output.tree, parse_file_name); }},
    {"--skip-existing", "", Section::files, kBoth, !kHarmless,
     "leave out every source whose target exists",
     "Targets are complete or absent, so a second run continues where the first was stopped.",
     [](auto& slot, auto& to) { slot.flag(to.output.skip_existing); }},

    {"--words", "N,...", Section::grid, kGrid, !kHarmless,
     "bytes of a number: 1,2,4,8", "",
     [](auto& slot, auto& to) { slot.value(to.grid.words, parse_words); }},
    {"--tuples", "N,...", Section::grid, kGrid, !kHarmless,
     "numbers in a tuple; a list has numbers and ranges, such as 1-4,8", "",
     [](auto& slot, auto& to) { slot.value(to.grid.tuples, parse_tuples); }},
    {"--orders", "N,...", Section::grid, kGrid, !kHarmless,
     "orders of the difference: 0-8", "",
     [](auto& slot, auto& to) { slot.value(to.grid.orders, parse_orders); }},
    {"--layouts", "NAME,...", Section::grid, kGrid, !kHarmless,
     "layouts: interleaved,planes,tuple-planes,bit-planes,packed, or all", "",
     [](auto& slot, auto& to) { slot.value(to.grid.layouts, parse_layouts); }},
    {"--levels", "N,...", Section::grid, kGrid, !kHarmless,
     "levels of zstd; the default is 3, for `roundtrip` 1", "",
     [](auto& slot, auto& to) { slot.value(to.grid.levels, parse_levels); }},
    {"--backends", "cpu|cuda|cpu,cuda", Section::grid, kGrid, !kHarmless,
     "what computes; the default is the CPU, for `roundtrip` also the GPU if there is one",
     "If one is not available, the exit status is 4.",
     [](auto& slot, auto& to) { slot.value(to.grid.backends, parse_backends); }},
    {"--scans", "NAME,...", Section::grid, Verb::bench, !kHarmless,
     "the kernels (prefix sums) that are measured alone; the default is tdz",
     "With a GPU, in a build with `-DTDZ_BENCH=ON`, also cub, look-back-per-order, sam, chained, "
     "kogge-stone, blelloch, brent-kung.",
     [](auto& slot, auto& to) { slot.value(to.bench.scans, parse_names); }},
    {"--curves", "", Section::grid, Verb::bench, !kHarmless,
     "also measure the kernels at many lengths, from 2^10 values on", "",
     [](auto& slot, auto& to) { slot.flag(to.bench.curves); }},
    {"--size", "SIZE", Section::grid, Verb::bench, !kHarmless,
     "the most bytes of a measurement; the default is 16MiB of a file, and 1GiB for kernels on a GPU", "",
     [](auto& slot, auto& to) { slot.value(to.bench.size, parse_bench_size); }},
    {"--time", "SECONDS", Section::grid, Verb::bench, !kHarmless,
     "about how long the whole run takes; the default is 20", "",
     [](auto& slot, auto& to) { slot.value(to.bench.time, parse_seconds); }},

    {"--json", "", Section::reports, Verbs(Verb::info) | Verb::analyze | Verb::roundtrip, !kHarmless,
     "a report for programs; it names its schema", "",
     [](auto& slot, auto& to) { slot.flag(to.json); }},
    {"--chunks", "", Section::reports, Verb::info, !kHarmless,
     "list every chunk", "",
     [](auto& slot, auto& to) { slot.flag(to.chunks); }},
    {"--sum", "", Section::reports, Verbs(Verb::info) | Verb::verify, !kHarmless,
     "the XXH3-128 of the whole original: `info` prints it as `xxhsum -H2` does, `verify` compares it", "",
     [](auto& slot, auto& to) { slot.flag(to.sum); }},
    {"--format", "table|json|csv|markdown|html", Section::reports, Verb::bench, !kHarmless,
     "the form of the report; the default is a table",
     "The page in HTML has heat maps and curves.",
     [](auto& slot, auto& to) { slot.value(to.bench.format, parse_bench_format); }},
    {"--report", "table|json|junit", Section::reports, Verb::roundtrip, !kHarmless,
     "the form of the report; the default is a table; `junit` is XML for continuous integration", "",
     [](auto& slot, auto& to) { slot.value(to.report, parse_roundtrip_format); }},
    {"--junit", "", Section::reports, Verb::roundtrip, !kHarmless,
     "the same as `--report junit`", "",
     [](auto& slot, auto& to) { slot.flag(to.junit); }},

    {"-T,--threads", "N", Section::run, kStreams | Verb::analyze | Verb::roundtrip | Verb::protect, kHarmless,
     "threads; 0, the default, is all cores that tdz may use",
     "The bytes written never depend on it. `analyze -r` estimates times for so many.",
     [](auto& slot, auto& to) { slot.value(to.threads, number_between(0u, kMaxThreads)); }},
    {"--memory", "SIZE", Section::run, kMany | Verb::recover | Verb::protect, kHarmless,
     "the most memory for chunks and zstd",
     "tdz uses fewer threads to stay below it. If one thread needs more, the exit status is 4. When "
     "restoring, the default is a quarter of the machine's memory, or of the limit of tdz's cgroup. `info` "
     "decodes nothing; it needs memory for the list of streams, and for one part of the index.",
     [](auto& slot, auto& to) { slot.value(to.memory, parse_memory); }},
    {"--backend", "auto|cpu|cuda", Section::run, kStreams, kHarmless,
     "where tdz computes: on the CPU or on a GPU; the bytes are the same",
     "A GPU restores files (not pipes) with frames for a GPU (`--gpu`), and packed groups of one column if "
     "no scale stands before them (`--fastest`). It makes frames for a GPU of files (not pipes) if the steps "
     "are at most one difference, of order 1 to 3, zigzag, and tokens. The CPU does everything else, and "
     "with `auto` also packed groups. `auto` takes a GPU where measurements showed that it is faster "
     "(docs/performance.md): an H200 or H100 SXM, to verify 8 GiB and more, and to compress 16 GiB and "
     "more. `-v` says which one it took, and why. `cuda` fails if there is no usable GPU. If a GPU fails "
     "later, the CPU does its work.",
     [](auto& slot, auto& to) { slot.value(to.backend, parse_backend); }},
    {"--device", "N,...|all", Section::run, kStreams | kGrid, kHarmless,
     "the numbers of the GPUs to use, as `tdz devices` lists them; the default is 0",
     "Several GPUs share the work on a file; if one fails, the others go on. `bench` and `roundtrip` take "
     "one.",
     [](auto& slot, auto& to) { slot.value(to.device.numbers, parse_devices); }},
    {"--gpu-memory", "SIZE", Section::run, kStreams | kGrid, kHarmless,
     "the most memory of the GPU",
     "Without it, `bench` and `roundtrip` take at most a quarter of what is free, the others what a few "
     "batches of 32 or 64 MiB need.",
     [](auto& slot, auto& to) { slot.value(to.device.memory, parse_device_memory); }},
    {"--no-sandbox", "", Section::run, kMany | Verb::analyze | Verb::recover | Verb::protect, kHarmless,
     "keep the rights that the command does not need",
     "Before it reads a file, tdz gives up, for itself and all its threads, to start programs, to reach "
     "networks and other processes, to make memory executable, and to write anywhere but in the folders of "
     "its files and results; `verify`, `info` and `analyze` write nowhere. It does so as far as Linux lets "
     "it (Landlock, seccomp), and not where a GPU may be used. With `--filelist` it may write everywhere.",
     [](auto& slot, auto& to) { slot.flag(to.reporting.no_sandbox); }},
    {"-q,--quiet", "", Section::run, Verbs::all(), kHarmless,
     "print errors only", "",
     [](auto& slot, auto& to) { slot.flag(to.reporting.quiet); }},
    {"-v,--verbose", "", Section::run, Verbs::all(), kHarmless,
     "print a line for every file",
     "`info` says more about each stream, `roundtrip` lists every cell.",
     [](auto& slot, auto& to) { slot.flag(to.reporting.verbose); }},
    {"--progress", "auto|always|never", Section::run, kStreams | kReports | Verb::protect, kHarmless,
     "when to show progress", "",
     [](auto& slot, auto& to) { slot.value(to.reporting.progress, parse_progress); }},
    {"--log-file", "FILE", Section::run, Verbs::all(), kHarmless,
     "append every message, with its time, to FILE",
     "tdz refuses a file that is not a log.",
     [](auto& slot, auto& to) { slot.value(to.reporting.log_file, parse_file_name); }},

    {"-h,--help", "", Section::program, Verbs::all(), kHarmless,
     "print help; after a verb, its own", "",
     [](auto& slot, auto& to) { slot.flag(to.help); }},
    {"-V,--version", "", Section::program, Verbs::all(), kHarmless,
     "print the versions of tdz, of the format and of zstd, and the backends", "",
     [](auto& slot, auto& to) { slot.flag(to.version); }},
};
// clang-format on

}  // namespace

std::span<const SectionRow> section_rows() {
  return kSections;
}

std::span<const OptionRow> option_rows() {
  return kOptionRows;
}

bool exists_without_verb(const OptionRow& row) {
  if (row.section == Section::choice) return true;
  for (const Verb verb : {Verb::compress, Verb::decompress, Verb::verify, Verb::info}) {
    if (row.verbs.has(verb)) return true;
  }
  return false;
}

}  // namespace tdz::app
