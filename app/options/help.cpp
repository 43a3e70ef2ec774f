// SPDX-License-Identifier: Apache-2.0
#include "app/options/help.hpp"

namespace tdz::app {
namespace {

constexpr std::string_view kShort =
    R"(tdz compresses files of fixed-width numbers: sensor logs, audio, images, grids, records.

  tdz FILE                   compress FILE to FILE.tdz
  tdz -d FILE.tdz            restore FILE
  tdz --help                 everything else
)";

constexpr std::string_view kProgram =
    R"(Usage: tdz compress   [OPTION]... [FILE]...     tdz [OPTION]... [FILE]...
       tdz decompress [OPTION]... [FILE]...     tdz -d ...
       tdz verify     [OPTION]... [FILE]...     tdz -t ...
       tdz info       [OPTION]... [FILE]...     tdz -l ...
       tdz analyze    [OPTION]... [FILE]...
       tdz recover    [OPTION]... FILE -o OUT   what is left of a damaged file
       tdz bench      [OPTION]... [FILE]...     how fast, and how small, per order and tuple
       tdz roundtrip  [OPTION]... [FILE]...     does every way of coding give every byte back?
       tdz devices

tdz compresses files of fixed-width numbers: sensor logs, audio, images, grids, records. It takes
differences between the numbers and hands them to zstd. FILE becomes FILE.tdz and is kept.
With no FILE, or when FILE is -, it reads standard input and writes standard output.
A verb counts only as the first word. Without one the options are the same, and restoring may also be
told how to compress, as tar does.

tdz finds out by itself what the numbers are: from a header that it knows, and by trying steps on samples.
What you say is kept, and only the rest is looked for:
  --type TYPE        u8 i8 u16 i16 u32 i32 f32 u64 i64 f64, with xN for tuples of N: i16x2, u8x3, f32x3
  --word N           bytes of a number: 1, 2, 4, 8        --tuple N   numbers in a record
  --order N          of the difference, 0 to 8            --zigzag on|off
  --layout LAYOUT    interleaved, planes, tuple-planes, bit-planes
  --row N            numbers in a row of an image or a grid, for a second difference; 0: none
  --big-endian       the numbers are stored big end first
  --offset SIZE      this much at the start is a header, no numbers

How to compress:
  --fast, --best     look less or further, and compress at level 1 or 16 instead of 3
  -1 .. -22, --level N    of zstd; higher is smaller and slower
  --chunk SIZE       decoded as a whole, 64KiB to 1GiB (1MiB)     --frame SIZE   4KiB to a chunk
  --flush SECONDS    of a slow input, keep no byte waiting longer than this for its chunk to fill; with
                     -o the file gets its name at the end only
  --verify           decode what was written and compare, before it gets its name

What to restore (decompress):
  --range OFFSET:LENGTH   only these bytes, or with v these values: 1M:64KiB, 1000v:20v
  --max-output SIZE  fail rather than restore more of one file

Where to:
  -o FILE            write FILE                      -c, --stdout   write standard output
  -f, --force        replace a target, write to a terminal, read a device
  -k, --keep         keep the source (as it does anyway)
  --rm               remove the source once the result is on disk
  --sparse           holes where a restored file has zeros

Many files:
  -r, --recursive    go through folders: compress takes what is not named .tdz, the others what is; symbolic
                     links found there are not followed
  --filelist LIST    the names in LIST, a line each; -: standard input   --filelist0 LIST   each ended by zero
  --exclude GLOB     not these: *.tmp is held against the last part of a name, a/*.tmp against all of it
  --output-dir DIR   results lie below DIR as their sources do: DIR/a/x.tdz for a/x
  --skip-existing    leave out what has its target already: a run that was stopped goes on

How to run:
  -T N, --threads N  0, the default, is every core   --backend auto|cpu|cuda   auto is the CPU
  --memory SIZE      take no more; fewer threads rather than more (restoring: a quarter of the machine's)
  --device N         which GPU, as tdz devices lists them     --gpu-memory SIZE  of it, at most
  -q, --quiet        errors only                     -v, --verbose   a line for every file
  --progress auto|always|never                       --log-file FILE everything, with times

analyze: --json; says what compress would do, and why
info: --json, --chunks (every chunk), --sum (XXH3-128 of the original, as xxhsum -H2 prints it)
-h, --help; -V, --version; tdz VERB --help

Examples:
  tdz recording.wav                      finds what suits it
  tdz --best *.grd                       smaller, slower
  tdz --type i16x2 --order 2 song.pcm    as told: stereo, order 2
  tdz analyze song.pcm                   what it would choose
  tar -I tdz -cf logs.tar.tdz logs
  tdz -dc logs.tar.tdz | tar -x

Exit status: 0 done; 1 usage, or the target exists; 2 the data is corrupt, truncated or no tdz file, or
verification failed; 3 reading or writing failed; 4 a limit or missing memory, or what was asked for is not
available; several files: the largest.
)";

constexpr std::string_view kCompress =
    R"(Usage: tdz compress [OPTION]... [FILE]...

Compresses each FILE to FILE.tdz, or standard input to standard output.

Finds out by itself what the numbers are; what is said is kept:
  --type TYPE        u8 i8 u16 i16 u32 i32 f32 u64 i64 f64, with xN for tuples of N: i16x2, u8x3, f32x3
  --word N --tuple N --order N --zigzag on|off --layout interleaved|planes|tuple-planes|bit-planes --row N
                     parts of a type, and the steps
  --big-endian       the numbers are stored big end first
  --offset SIZE      this much at the start is a header, no numbers

  --fast, --best     look less or further, and compress at level 1 or 16 instead of 3
  -1 .. -22, --level N                    of zstd
  --chunk SIZE       64KiB to 1GiB (1MiB; 4MiB with --best; 8MiB and 16MiB without numbers)
  --frame SIZE       4KiB to a chunk (a chunk); smaller suits GPUs
  --flush SECONDS    of a slow input, keep no byte waiting longer than this for its chunk to fill; with
                     -o the file gets its name at the end only
  --verify           decode what was written and compare, before it gets its name
  -o FILE, -c        write FILE, or standard output
  -f                 replace a target, write to a terminal, read a device
  -k, --rm           keep the source (as it does anyway), or remove it once the result is on disk
  -r, --filelist LIST, --filelist0 LIST, --exclude GLOB, --output-dir DIR, --skip-existing
                     many files: see tdz --help
  -T N               threads; 0, the default, is every core
  --memory SIZE      take no more for chunks and contexts; fewer threads rather than more
  --backend auto|cpu|cuda    --device N    --gpu-memory SIZE
  --progress auto|always|never    -q    -v    --log-file FILE

Examples:
  tdz compress song.pcm
  tdz compress --type f64x3 --order 2 --rm --verify track.bin
  sensor | tdz compress --type u16x8 --flush 1 > log.tdz
)";

constexpr std::string_view kDecompress =
    R"(Usage: tdz decompress [OPTION]... [FILE]...

Restores FILE from each FILE.tdz, or standard output from standard input.

  --range OFFSET:LENGTH
                     only these bytes, or with v these values of the file's type: 1M:64KiB, 1000v:20v; without
                     LENGTH to the end; reads only the chunks it needs; with -o or -c
  -o FILE, -c        write FILE, or standard output
  -f                 replace a target, read a terminal or a device
  -k, --rm           keep the source (as it does anyway), or remove it once the result is on disk
  --sparse           holes in place of zeros, where the result is a file
  -r, --filelist LIST, --filelist0 LIST, --exclude GLOB, --output-dir DIR, --skip-existing
                     many files: see tdz --help
  -T N               threads; 0, the default, is every core
  --memory SIZE      take no more, a quarter of the machine's if not given; fewer threads rather than more
  --max-output SIZE  fail rather than restore more of one file
  --backend auto|cpu|cuda    --device N    --gpu-memory SIZE
  --progress auto|always|never    -q    -v    --log-file FILE

Examples:
  tdz decompress song.pcm.tdz
  tdz decompress -o copy.pcm song.pcm.tdz
  tdz decompress -c --range 1000v:50v track.bin.tdz
  tdz decompress < log.tdz | less
)";

constexpr std::string_view kVerify =
    R"(Usage: tdz verify [OPTION]... [FILE]...

Decodes each FILE and checks everything that can be checked; writes nothing. Exit status 2 if one is damaged.

  -r, --filelist LIST, --filelist0 LIST, --exclude GLOB
                     many files: see tdz --help
  -T N               threads; 0, the default, is every core
  --memory SIZE      take no more, a quarter of the machine's if not given; fewer threads rather than more
  --backend auto|cpu|cuda    --device N    --gpu-memory SIZE
  --progress auto|always|never    -q    -v    --log-file FILE

Example:
  tdz verify -v *.tdz
)";

constexpr std::string_view kInfo =
    R"(Usage: tdz info [OPTION]... FILE...

Says what each FILE holds, from its end, without decoding it.

  --json             for programs; the schema is named in it
  --chunks           every chunk
  --sum              XXH3-128 of the original, as xxhsum -H2 prints it
  -v                 more about each stream
  -r, --filelist LIST, --filelist0 LIST, --exclude GLOB
                     many files: see tdz --help

Examples:
  tdz info *.tdz
  tdz info --json --chunks log.tdz
)";

constexpr std::string_view kAnalyze =
    R"(Usage: tdz analyze [OPTION]... [FILE]...

Says what compress would choose for each FILE and why: the candidates with their ratios on samples, ratios by
order and tuple, and a command line that asks for the choice. Compresses nothing.

  --json             for programs; the schema is named in it
  --type, --word, --tuple, --order, --zigzag, --layout, --row, --big-endian, --offset
  --fast, --best, -1 .. -22, --level N
                     as compress has them
  -f                 read a device
  -q    -v    --log-file FILE

Examples:
  tdz analyze measurements.bin
  tdz analyze --best --json *.raw
)";

constexpr std::string_view kRecover =
    R"(Usage: tdz recover [OPTION]... FILE -o OUT

Restores every whole chunk of a damaged FILE, whatever else it has lost: its header, its end, parts in the
middle. Says which bytes of the original are missing. Exit status 2 if any are; OUT is written nevertheless.

  -o OUT, -c         write OUT, or standard output
  --fill zero|skip   what is missing becomes zeros (the default: all else keeps its place), or is left out
  --map MAP          write the missing ranges to MAP, as JSON
  --max-output SIZE  fail rather than write more
  --memory SIZE      take no more, a quarter of the machine's if not given
  -f                 replace OUT and MAP
  --progress auto|always|never    -q    -v    --log-file FILE

What cannot be read counts as damage; a disk that is dying is better copied with ddrescue first.

Example:
  tdz recover log.tdz -o log --map log.missing.json
)";

constexpr std::string_view kBench =
    R"(Usage: tdz bench [OPTION]... [FILE]...

Measures ratio and speed: of the whole codec, of each of its stages, and of the kernels alone beside memcpy and the
limit that the memory sets. Every result that is timed is checked; a wrong one fails the run, exit status 2.
Without FILE it makes numbers of its own. Without ranges it takes each FILE's own type at orders 0 to 4.

  --words 1,2,4,8  --tuples 1-8  --orders 0-8  --layouts interleaved,planes,tuple-planes,bit-planes
                     the grid; a list, ranges, or both; --layouts all
  --levels 1,3       of zstd (3)
  --backends cpu,cuda
                     who computes (cpu)
  --scans NAME,...   kernels by themselves: tdz, and in a build with benchmarks cub, look-back-per-order, sam, chained,
                     kogge-stone, blelloch
  --curves           the kernels over lengths from 2^10 values on, too
  --type TYPE        of the FILEs, instead of finding out
  --size SIZE        bytes of each cell, at most (16MiB of a file; kernels on a GPU 1GiB)
  --time SECONDS     for the whole report, about (20)
  --format table|json|csv|markdown|html
  -o FILE            write FILE, -f to replace one
  --device N    --gpu-memory SIZE    --progress auto|always|never    -q    -v    --log-file FILE

Ctrl-C ends the run with a report of what was measured so far.

Examples:
  tdz bench samples/*.bin
  tdz bench --words 2,4 --tuples 1-8 --orders 1-8 --format html -o report.html recording.raw
)";

constexpr std::string_view kRoundtrip =
    R"(Usage: tdz roundtrip [OPTION]... [FILE]...

Compresses and restores each FILE in memory, in every way of a grid of words, tuples, orders and layouts:
coded by each backend, restored by each, every byte compared. Passes or fails every cell of the grid and shows
the first number that came back wrong, with its neighbours. Exit status 2 if any cell fails; one that failed
is not checked any further. FILEs may be longer than the memory, and are read once.

  --words 1,2,4,8  --tuples 1-8  --orders 0-8  --layouts interleaved,planes,tuple-planes,bit-planes
                     the grid: all of it, if nothing is said; codings that come out the same are one cell
  --levels 1         of zstd (1)
  --backends cpu,cuda
                     (the CPU, and the GPU if there is one); exit status 4 if one asked for is not there
  --chunk SIZE       coded as a whole, 64KiB to 1GiB (1MiB)
  --report table|json|junit, --json, --junit
                     for people (-v: every cell); schema tdz-roundtrip/1; XML for continuous integration
  -o FILE            write FILE, -f to replace one
  -T N               threads; 0, the default, is every core
  --device N    --gpu-memory SIZE    --progress auto|always|never    -q    -v    --log-file FILE

Ctrl-C ends the run with a report of what was checked so far.

Examples:
  tdz roundtrip samples/*.bin
  tdz roundtrip --words 4 --tuples 3 --orders 1-8 --backends cpu,cuda --junit -o result.xml points.bin
)";

constexpr std::string_view kDevices =
    R"(Usage: tdz devices

Lists the GPUs that --backend cuda --device N may use. Exit status 4, with the reason, if there is none.
)";

}  // namespace

std::string_view help_text(std::optional<Verb> verb) {
  if (!verb) return kProgram;
  switch (*verb) {
    case Verb::compress:
      return kCompress;
    case Verb::decompress:
      return kDecompress;
    case Verb::verify:
      return kVerify;
    case Verb::info:
      return kInfo;
    case Verb::analyze:
      return kAnalyze;
    case Verb::recover:
      return kRecover;
    case Verb::bench:
      return kBench;
    case Verb::roundtrip:
      return kRoundtrip;
    case Verb::devices:
      return kDevices;
  }
  return kProgram;
}

std::string_view short_help() {
  return kShort;
}

}  // namespace tdz::app
