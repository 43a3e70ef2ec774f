#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Do includes run one way, formats <- kernels <- codec <- app, and is each library included only where it may be?
set -euo pipefail
# shellcheck source=tests/structure/sources.sh
source "$(dirname "${BASH_SOURCE[0]}")/sources.sh"

# file:line:#include <...> of every C++ and CUDA source
mapfile -t files < <(sources | grep -E '\.(c|cpp|hpp|cu|cuh|h)$')
includes=$(grep -nE '^[[:space:]]*#[[:space:]]*include' -- "${files[@]}" /dev/null)

# forbid WHERE WHAT WHY: files whose name matches WHERE must not include what matches WHAT.
forbid() {
  local hits
  hits=$(grep -E "^($1)[^:]*:" <<<"$includes" | grep -E "include[[:space:]]*[<\"]($2)" || true)
  if [ -n "$hits" ]; then fail "$3:" $'\n'"$hits"; fi
}

# only WHERE WHAT: only files whose name matches WHERE may include what matches WHAT.
only() {
  local hits
  hits=$(grep -E "include[[:space:]]*[<\"]($2)" <<<"$includes" | grep -vE "^($1)" || true)
  if [ -n "$hits" ]; then fail "only $1 may include $2:" $'\n'"$hits"; fi
}

# one WHAT: at most one file includes it.
one() {
  local found
  found=$(grep -E "include[[:space:]]*[<\"]($1)" <<<"$includes" | cut -d: -f1 | sort -u)
  if [ "$(grep -c . <<<"$found")" -gt 1 ]; then fail "more than one file includes $1:" $'\n'"$found"; fi
}

# circles [FROM TO ...]: which folders of codec/ include one another in a circle. Reads lines as in $includes and prints "from -> to" for
# each include between folders that is part of a circle, or leads from one circle to another. Includes FROM -> TO do not count.
# Folders of folders count as one, and so do the files of codec/ itself.
circles() {
  awk -v known="$*" '
    function folder(path, parts) { return split(path, parts, "/") > 2 ? parts[2] : "codec" }
    BEGIN {
      count = split(known, names, " ")
      for (i = 1; i < count; i += 2) skipped[names[i], names[i + 1]] = 1
    }
    match($0, /"codec\/[^"]*"/) && /^codec\// {
      to = folder(substr($0, RSTART + 1, RLENGTH - 2))
      from = folder(substr($0, 1, index($0, ":") - 1))
      if (from != to && !((from, to) in skipped)) edges[from, to] = 1
    }
    END {
      # A folder that includes no other one, or that no other one includes, is part of no circle: it goes, until none goes.
      do {
        split("", includes); split("", included)
        for (edge in edges) { split(edge, ends, SUBSEP); includes[ends[1]] = included[ends[2]] = 1 }
        gone = 0
        for (edge in edges) {
          split(edge, ends, SUBSEP)
          if (!(ends[1] in included) || !(ends[2] in includes)) { delete edges[edge]; gone = 1 }
        }
      } while (gone)
      for (edge in edges) { split(edge, ends, SUBSEP); print ends[1] " -> " ends[2] }
    }' | sort
}

# Does circles() find a planted circle, and nothing else?
planted='codec/a/x.cpp:1:#include "codec/b/y.hpp"
codec/b/y.cpp:1:#include "codec/c/d/z.hpp"
codec/c/d/z.cpp:1:#include "codec/a/x.hpp"
codec/c/d/z.cpp:2:#include "codec/e/w.hpp"
codec/c/z.cpp:1:#include "codec/c/d/z.hpp"
codec/top.cpp:1:#include "codec/a/x.hpp"'
[ "$(circles <<<"$planted")" = $'a -> b\nb -> c\nc -> a' ] || fail 'circles finds no planted circle, or more than that'
[ -z "$(circles c a <<<"$planted")" ] || fail 'circles finds a circle where there is none'

forbid 'formats/' '(kernels|codec|app|tdz)/' 'formats stands on nothing'
forbid 'kernels/' '(codec|app|tdz)/' 'kernels stands on formats alone'
forbid 'codec/' 'app/' 'codec knows no app'
forbid 'formats/|kernels/|codec/|app/|samples/' 'tests/' 'nothing stands on tests'
forbid 'formats/|kernels/|codec/|app/|samples/' 'bindings/' 'nothing stands on bindings'
forbid 'bindings/' '(formats|kernels|codec|app|tests)/' 'bindings see the public headers of codec alone'
forbid 'samples/' '(formats|kernels|codec|app)/' 'samples know only the public header'
forbid 'formats/|kernels/' 'iostream|fstream|cstdio|stdio\.h|unistd\.h|filesystem' 'formats and kernels do no input or output'

# Within kernels/cuda too: tile <- launch <- integrate, difference, columns, frames, digest, steps <- host <- meter <- library; baselines stand
# on tile alone.
forbid 'kernels/cuda/tile/' 'kernels/cuda/(launch|integrate|difference|columns|frames|digest|steps|host|meter|baselines)/' 'tile stands on nothing in cuda'
forbid 'kernels/cuda/launch/' 'kernels/cuda/(integrate|difference|columns|frames|digest|steps|host|meter|baselines)/' 'launch stands on tile alone'
forbid 'kernels/cuda/(integrate|difference|columns|frames|digest|steps)/' 'kernels/cuda/(host|meter|baselines)/' 'kernels stand on tile and launch'
forbid 'kernels/cuda/host/' 'kernels/cuda/(meter|baselines)/' 'host measures nothing'
forbid 'kernels/cuda/baselines/' 'kernels/cuda/(launch|integrate|difference|columns|frames|digest|steps|host|meter)/' 'baselines stand on tile alone'
# Within codec too: chunk, protect <- stream <- search, device; recovery, and the files of codec/ itself (compression, decompression,
# JSON), may include all of them.
forbid 'codec/(json|plan_json)\.' 'codec/([a-z]*/|batch_|device_|decompress\.hpp)' 'JSON stands on nothing else in codec'
forbid 'codec/chunk/' 'codec/(stream|search|device|recover|[a-z_]*\.hpp)' 'codec/chunk stands on nothing in codec'
forbid 'codec/protect/' 'codec/(chunk|stream|search|device|recover|[a-z_]*\.hpp)' 'codec/protect stands on nothing in codec'
forbid 'codec/stream/' 'codec/(search|device|recover|[a-z_]*\.hpp)' 'codec/stream stands on codec/chunk and codec/protect'
forbid 'codec/device/' 'codec/(search|recover|[a-z_]*\.hpp)' 'codec/device knows neither the search nor recovery'
forbid 'codec/(chunk|protect|stream|search|device|recover)/' 'codec/c/|tdz/tdz\.h"' 'codec/c stands on all of codec, and nothing stands on it'
forbid 'app/' 'codec/c/|tdz/tdz\.h"' 'the program is written in C++'
forbid 'codec/(chunk|protect|stream|search|device|recover)/' 'codec/roundtrip/' 'codec/roundtrip stands on chunks, search and devices, and nothing in codec stands on it'
forbid 'codec/search/' 'codec/(recover|[a-z_]*\.hpp)' 'codec/search knows nothing of recovery'
# No circles between the folders of codec.
found=$(circles <<<"$includes")
if [ -n "$found" ]; then fail 'folders of codec include one another in a circle:' $'\n'"$found"; fi
# Within app too: options <- files <- reports <- verbs; bench and roundtrip have the same rank as verbs.
forbid 'app/options/' 'app/(files|reports|verbs|bench|roundtrip)/' 'app/options stands on nothing in app'
forbid 'app/files/' 'app/(reports|verbs|bench|roundtrip)/' 'app/files stands on app/options alone'
forbid 'app/reports/' 'app/(verbs|bench|roundtrip)/' 'app/reports stands on app/options and app/files'
# Within bench: measure and report share the results; they include neither each other nor the plan.
forbid 'app/bench/measure/' 'app/bench/(report|plan)' 'app/bench/measure stands on app/bench/results.hpp'
forbid 'app/bench/report/' 'app/bench/(measure|plan)' 'app/bench/report stands on app/bench/results.hpp'

only 'codec/chunk/zstd_coder\.cpp|tests/' 'zstd'
only 'kernels/cuda/library/|tests/' 'kernels/cuda/library/'
only 'codec/protect/parity\.cpp|tests/' 'isa-l'
only 'app/' 'CLI/'
only 'bindings/python/' 'Python\.h'
only 'app/' 'spdlog/'
only 'app/|bindings/hdf5/nczarr\.|codec/json\.|tests/' 'nlohmann/'
only 'kernels/cuda/|tests/' 'cuda|cub/'
only 'kernels/cpu/|tests/' 'hwy/'
only 'formats/|tests/' 'xxhash'
only 'tests/' 'doctest/'
one 'CLI/'

# What only Linux has: app/ keeps it in one place; codec/ and kernels/ where it is needed, between #ifdef TDZ_LINUX_CALLS and #endif.
# Headers of POSIX declare most of it too, so names count as well.
of_linux='app/files/(system_calls|sandbox)[_.a-z]*|codec/stream/resources\.cpp|kernels/(buffer\.cpp|cuda/.*)'
only "$of_linux|tests/|samples/" '(linux/|seccomp|(byteswap|endian|link|malloc|sched)\.h|sys/(auxv|e(poll|ventfd)|inotify|personality|prctl|sendfile|signalfd|statfs|syscall|vfs|xattr)\.h)'
flags='O_(TMPFILE|PATH|DIRECT|NOATIME)|[FM]_[SG]ETLEASE|RENAME_[A-Z]+|F_SETPIPE_SZ|SEEK_(HOLE|DATA)|MADV_HUGEPAGE|MAP_POPULATE|st_[acm]tim'
calls='pipe2|signalfd|eventfd|syncfs|fallocate|posix_fadvise|renameat2|memfd_create|copy_file_range|sendfile|splice|mremap|sched_[gs]etaffinity|secure_getenv|dladdr1|mallopt|malloc_trim|f?statfs|[fl]?(get|set|list|remove)xattr|prctl|syscall'
mapfile -t product < <(printf '%s\n' "${files[@]}" | grep -E '^(app|bindings|codec|formats|kernels)/' | grep -vE "^($of_linux)$")
hits=$(grep -nE "\b(($flags)\b|($calls)\()" -- "${product[@]}" /dev/null | grep -vE ':[0-9]+:[[:space:]]*(//|\*)' || true)
if [ -n "$hits" ]; then fail "only $of_linux may ask for what only Linux has:" $'\n'"$hits"; fi

printf '%s files, %s includes, %s broken rules\n' "${#files[@]}" "$(grep -c . <<<"$includes")" "$failures"
[ "$failures" -eq 0 ]
