#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does the package work in a real browser? page.sh PROGRAM [PICTURE]. Serves page.html, which opens a Zarr array and draws it,
# and asks Chromium for the page's result, and for a PICTURE. TDZ_PACKAGE: the folder of the package. 77 (Skipped) where there is
# no Chromium.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ]; then
  echo "no Chromium here"
  exit 77
fi
work=$(mktemp -d)
node "$here/serve.mjs" "$1" "${TDZ_PACKAGE:?}" "$work" >"$work/said" &
server=$!
browser=
trap 'kill $server $browser; wait; rm -rf "$work" || true' EXIT  # Chromium may still write there as it ends

# line NUMBER: the line that the server prints, once it is there.
line() {
  for _ in $(seq 1200); do
    [ "$(wc -l <"$work/said")" -lt "$1" ] || break
    sleep 0.1
  done
  sed -n "$1p" "$work/said"
}
address=$(line 1)

# Chromium's sandbox needs privileges that a container does not have. The page is our own.
browse() {
  exec "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" \
    --window-size=1300,640 "$@" "$address" 2>"$work/stderr" >&2
}
(browse --remote-debugging-port=0) &
browser=$!
result=$(line 2)
echo "the page in Chromium: ${result:-nothing came back}"
if [ -n "${2-}" ]; then
  kill $browser
  wait $browser || true
  browser=
  (browse --virtual-time-budget=60000 --screenshot="$2")
fi
if [[ $result != 'PASSED '* ]]; then
  [ -n "$result" ] || tail -n 5 "$work/stderr"
  exit 1
fi
