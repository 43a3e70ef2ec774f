// SPDX-License-Identifier: Apache-2.0
#include "app/options/help.hpp"

namespace tdz::app {
namespace {

constexpr std::string_view kShort =
    R"(tdz compresses files of fixed-width numbers: sensor logs, audio, images, grids, records.

  tdz FILE                   compress FILE to FILE.tdz
  tdz -d FILE.tdz            restore FILE
  tdz --help                 all verbs and options
)";

constexpr std::string_view kProgram =
    R"(Usage: tdz compress   [OPTION]... [FILE]...     tdz [OPTION]... [FILE]...
       tdz decompress [OPTION]... [FILE]...     tdz -d ...
       tdz verify     [OPTION]... [FILE]...     tdz -t ...
       tdz info       [OPTION]... [FILE]...     tdz -l ...
       tdz analyze    [OPTION]... [FILE]...     show what compress would choose, and why
       tdz recover    [OPTION]... FILE -o OUT   restore what is left of a damaged file
       tdz bench      [OPTION]... [FILE]...     measure speed and ratio per order and tuple
       tdz roundtrip  [OPTION]... [FILE]...     check that every way of coding gives every byte back
       tdz devices                              list the GPUs

tdz compresses files of fixed-width numbers: sensor logs, audio, images, grids, records. It takes differences
between the numbers (delta coding), puts the first bytes of all numbers together, then the second, and so on
(byte shuffle), and compresses the result with zstd. FILE becomes FILE.tdz, and FILE is kept.
Without FILE, or if FILE is -, tdz reads standard input and writes standard output.
A verb must be the first word. Without a verb the options are the same; then options for compressing are
allowed with -d too, because tar needs it.

What the numbers are. tdz reads known headers and tries steps on samples. It keeps what you give here and
searches for the rest:
  --type TYPE        u8 i8 u16 i16 u32 i32 f32 u64 i64 f64; xN for tuples of N numbers: i16x2, u8x3, f32x3
                     records of different fields, with commas: u64,f32x5,i24; then nothing is searched
  --word N           bytes of a number: 1, 2, 4, 8        --tuple N   numbers in a tuple (columns of a record)
  --order N          order of the difference (delta), 0 to 8: how often it is taken; 0 for none
  --zigzag on|off    map small negative differences to small numbers
  --layout LAYOUT    order of the bytes: interleaved (as in memory), planes (byte shuffle),
                     tuple-planes (byte shuffle per column), bit-planes (bit shuffle)
  --row N            numbers in a row of an image or a grid, for a second difference; 0 for none
  --big-endian       the numbers are stored with the big end first
  --offset SIZE      the first SIZE bytes are a header without numbers

How to compress:
  --fast, --best     search less, at zstd level 1, or more, at level 16; the default is level 3
  --gpu              frames that a GPU decodes quickly, where they are at most 8 % larger; any zstd reads them
  -1 .. -22, --level N    zstd's level; higher is smaller and slower
  --chunk SIZE       bytes that are decoded as a unit, 64KiB to 1GiB (1MiB)
  --frame SIZE       bytes of a zstd frame, 4KiB to a chunk (a chunk)
  --flush SECONDS    for a slow input: write each byte after at most this time, even if its chunk is not full;
                     with -o the file still gets its name at the end
  --verify           decode the result and compare before it gets its name

What to restore (decompress):
  --range OFFSET:LENGTH   only these bytes, or with v these values: 1M:64KiB, 1000v:20v
  --max-output SIZE  stop with an error if the original of a file is larger

Where results go:
  -o FILE            to FILE                         -c, --stdout   to standard output
  -f, --force        replace a target, write to a terminal, read a device
  -k, --keep         keep the source (the default)
  --rm               remove the source when the result is on disk
  --sparse           write holes instead of zeros into a restored file

Many files:
  -r, --recursive    go through folders: compress takes files not named .tdz, the other verbs take the .tdz
                     files; symbolic links in folders are not followed
  --filelist LIST    read names from LIST, one per line; - is standard input
  --filelist0 LIST   the same, with a zero byte after each name
  --exclude GLOB     leave out names: *.tmp is compared with the last part of a name, a/*.tmp with all of it
  --output-dir DIR   write results below DIR in the same folders as the sources: DIR/a/x.tdz for a/x
  --skip-existing    skip a source whose target exists, to continue a run that was stopped

How to run:
  -T N, --threads N  0, the default, is every core   --backend auto|cpu|cuda   auto is the CPU
  --memory SIZE      use at most this much, with fewer threads if needed; the default for restoring is a
                     quarter of the machine's memory
  --device N         a GPU, by its number in tdz devices    --gpu-memory SIZE   use at most this much of it
  -q, --quiet        show errors only                -v, --verbose   show a line for every file
  --progress auto|always|never                       --log-file FILE   write all messages with times to FILE

analyze: --json
info: --json, --chunks (list every chunk), --sum (XXH3-128 of the original, as xxhsum -H2 prints it)
verify: --sum (also compare the XXH3-128 of the original)
-h, --help; -V, --version; tdz VERB --help

Examples:
  tdz recording.wav                      search for the best steps
  tdz --best *.grd                       smaller, slower
  tdz --type i16x2 --order 2 song.pcm    stereo audio, difference of order 2
  tdz analyze song.pcm                   show what tdz would choose
  tar -I tdz -cf logs.tar.tdz logs
  tdz -dc logs.tar.tdz | tar -x

Exit status: 0 done; 1 wrong usage, or the target exists; 2 the data is corrupt, truncated or not a tdz file,
or a verification failed; 3 reading or writing failed; 4 a limit was reached, memory is missing, or something
is not available: a backend, a newer format; 128 + n ended by signal n. With several files: the largest.
)";

constexpr std::string_view kCompress =
    R"(Usage: tdz compress [OPTION]... [FILE]...

Compresses each FILE to FILE.tdz, or standard input to standard output.

What the numbers are. tdz keeps what you give here and searches for the rest:
  --type TYPE        u8 i8 u16 i16 u32 i32 f32 u64 i64 f64; xN for tuples of N numbers: i16x2, u8x3, f32x3
                     records of different fields, with commas: u64,f32x5,i24; then nothing is searched
  --word N           bytes of a number: 1, 2, 4, 8        --tuple N   numbers in a tuple (columns of a record)
  --order N          order of the difference (delta), 0 to 8: how often it is taken; 0 for none
  --zigzag on|off    map small negative differences to small numbers
  --layout LAYOUT    order of the bytes: interleaved (as in memory), planes (byte shuffle),
                     tuple-planes (byte shuffle per column), bit-planes (bit shuffle)
  --row N            numbers in a row of an image or a grid, for a second difference; 0 for none
  --big-endian       the numbers are stored with the big end first
  --offset SIZE      the first SIZE bytes are a header without numbers

  --fast, --best     search less, at zstd level 1, or more, at level 16; the default is level 3
  --gpu              frames that a GPU decodes quickly, where they are at most 8 % larger; any zstd reads them
  -1 .. -22, --level N    zstd's level; higher is smaller and slower
  --chunk SIZE       bytes that are decoded as a unit, 64KiB to 1GiB (1MiB; 4MiB with --best; 8MiB or 16MiB
                     for data without numbers)
  --frame SIZE       bytes of a zstd frame, 4KiB to a chunk (a chunk)
  --flush SECONDS    for a slow input: write each byte after at most this time, even if its chunk is not full;
                     with -o the file still gets its name at the end
  --verify           decode the result and compare before it gets its name
  -o FILE, -c        write FILE, or standard output
  -f                 replace a target, write to a terminal, read a device
  -k, --rm           keep the source (the default), or remove it when the result is on disk
  -r, --filelist LIST, --filelist0 LIST, --exclude GLOB, --output-dir DIR, --skip-existing
                     many files: see tdz --help
  -T N               threads; 0, the default, is every core
  --memory SIZE      use at most this much for chunks and contexts, with fewer threads if needed
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
                     LENGTH, to the end; reads only the chunks that it needs; use it with -o or -c
  -o FILE, -c        write FILE, or standard output
  -f                 replace a target, read a terminal or a device
  -k, --rm           keep the source (the default), or remove it when the result is on disk
  --sparse           write holes instead of zeros, if the result is a file
  -r, --filelist LIST, --filelist0 LIST, --exclude GLOB, --output-dir DIR, --skip-existing
                     many files: see tdz --help
  -T N               threads; 0, the default, is every core
  --memory SIZE      use at most this much, with fewer threads if needed; the default is a quarter of the
                     machine's memory
  --max-output SIZE  stop with an error if the original of a file is larger
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

Decodes each FILE and checks every chunk and its place. Writes nothing. The exit status is 2 if a FILE is
damaged.

  --sum              also compare the XXH3-128 of the whole original, where the file has it
  -r, --filelist LIST, --filelist0 LIST, --exclude GLOB
                     many files: see tdz --help
  -f                 read a device
  -T N               threads; 0, the default, is every core
  --memory SIZE      use at most this much, with fewer threads if needed; the default is a quarter of the
                     machine's memory
  --backend auto|cpu|cuda    --device N    --gpu-memory SIZE
  --progress auto|always|never    -q    -v    --log-file FILE

Example:
  tdz verify -v *.tdz
)";

constexpr std::string_view kInfo =
    R"(Usage: tdz info [OPTION]... FILE...

Shows what each FILE holds. Reads its index and decodes nothing.

  --json             a report for programs; it names its schema
  --chunks           list every chunk
  --sum              show the XXH3-128 of the original, as xxhsum -H2 prints it
  -v                 show more about each stream
  -r, --filelist LIST, --filelist0 LIST, --exclude GLOB
                     many files: see tdz --help

Examples:
  tdz info *.tdz
  tdz info --json --chunks log.tdz
)";

constexpr std::string_view kAnalyze =
    R"(Usage: tdz analyze [OPTION]... [FILE]...

Shows what compress would choose for each FILE, and why: the candidates with their ratios on samples, the
ratios by order and tuple, and a command line for the choice. Compresses nothing.

  --json             a report for programs; it names its schema
  --type, --word, --tuple, --order, --zigzag, --layout, --row, --big-endian, --offset
  --fast, --best, --gpu, -1 .. -22, --level N
                     the same as for compress
  -f                 read a device
  -q    -v    --log-file FILE

Examples:
  tdz analyze measurements.bin
  tdz analyze --best --json *.raw
)";

constexpr std::string_view kRecover =
    R"(Usage: tdz recover [OPTION]... FILE -o OUT

Restores every intact chunk of a damaged FILE, even if its header, its end or parts in the middle are lost.
Lists the bytes of the original that are missing. If any are missing, the exit status is 2, and OUT is still
written.

  -o OUT, -c         write OUT, or standard output
  --fill zero|skip   write zeros for missing bytes (the default: all other bytes keep their places), or leave
                     them out
  --map MAP          write the missing ranges to MAP, as JSON
  --max-output SIZE  stop with an error if the result would be larger
  --memory SIZE      use at most this much; the default is a quarter of the machine's memory
  -f                 replace OUT and MAP
  --progress auto|always|never    -q    -v    --log-file FILE

Blocks that cannot be read count as damage. If a disk is failing, copy it with ddrescue first.

Example:
  tdz recover log.tdz -o log --map log.missing.json
)";

constexpr std::string_view kBench =
    R"(Usage: tdz bench [OPTION]... [FILE]...

Measures ratio and speed of the whole codec and of each of its stages, and the speed of the prefix-sum
kernels alone, beside memcpy and the limit that the memory sets. Checks every result that it times; if one is
wrong, the exit status is 2. Without FILE it generates numbers. Without --words, --tuples, --orders and
--layouts it uses the type of each FILE, at orders 0 to 4.

  --words 1,2,4,8  --tuples 1-8  --orders 0-8  --layouts interleaved,planes,tuple-planes,bit-planes
                     the grid to measure; each a list, ranges, or both; --layouts all
  --levels 1,3       levels of zstd (3)
  --backends cpu,cuda
                     what computes (cpu)
  --scans NAME,...   kernels to measure alone: tdz; with a GPU, in a build with -DTDZ_BENCH=ON, also cub,
                     look-back-per-order, sam, chained, kogge-stone, blelloch, brent-kung
  --curves           also measure the kernels over lengths from 2^10 values on
  --type TYPE        the type of each FILE; without it, tdz finds the type
  --size SIZE        bytes of each cell, at most (16MiB of a file; kernels on a GPU 1GiB)
  --time SECONDS     for the whole report, about (20)
  --format table|json|csv|markdown|html
  -o FILE            write FILE, -f to replace one
  --device N    --gpu-memory SIZE    --progress auto|always|never    -q    -v    --log-file FILE

Ctrl-C stops the run and still writes a report of what was measured.

Examples:
  tdz bench samples/*.bin
  tdz bench --words 2,4 --tuples 1-8 --orders 1-8 --format html -o report.html recording.raw
)";

constexpr std::string_view kRoundtrip =
    R"(Usage: tdz roundtrip [OPTION]... [FILE]...

Compresses and restores each FILE in memory with every combination of words, tuples, orders and layouts.
Each backend codes, each backend restores, and every byte is compared. Every combination (a cell of the grid)
passes or fails; a cell that failed is not checked again. For a failed cell the report shows the first wrong
number and its neighbours. If any cell fails, the exit status is 2. A FILE may be longer than the memory; it
is read once.

  --words 1,2,4,8  --tuples 1-8  --orders 0-8  --layouts interleaved,planes,tuple-planes,bit-planes
                     the grid; without these options, all of it; codings with the same result are one cell
  --levels 1         levels of zstd (1)
  --backends cpu,cuda
                     what computes (the CPU, and the GPU if there is one); if one is not available, the
                     exit status is 4
  --chunk SIZE       bytes that are coded as a unit, 64KiB to 1GiB (1MiB)
  --report table|json|junit, --json, --junit
                     for people (with -v: every cell), as JSON (schema tdz-roundtrip/1), as XML for continuous
                     integration
  -o FILE            write FILE, -f to replace one
  -T N               threads; 0, the default, is every core
  --device N    --gpu-memory SIZE    --progress auto|always|never    -q    -v    --log-file FILE

Ctrl-C stops the run and still writes a report of what was checked.

Examples:
  tdz roundtrip samples/*.bin
  tdz roundtrip --words 4 --tuples 3 --orders 1-8 --backends cpu,cuda --junit -o result.xml points.bin
)";

constexpr std::string_view kDevices =
    R"(Usage: tdz devices

Lists the GPUs that --backend cuda --device N may use. If there is none, the exit status is 4, and a message
says why.
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
