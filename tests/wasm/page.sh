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
node "$here/serve.mjs" "$1" "${TDZ_PACKAGE:?}" "$work" >"$work/address" &
server=$!
trap 'kill $server; rm -rf "$work" || true' EXIT  # Chromium may still write there as it ends
for _ in $(seq 200); do
  [ ! -s "$work/address" ] || break
  sleep 0.1
done

# Chromium's sandbox needs privileges that a container does not have. The page is our own.
browse() {
  timeout 240 "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" \
    --virtual-time-budget=60000 --window-size=1300,300 "$@" "$(cat "$work/address")" 2>"$work/stderr"
}

result=$(browse --dump-dom | grep -o 'data-result="[^"]*"' | head -n 1 || true)
echo "the page in Chromium: ${result:-nothing came back}"
[ -z "${2-}" ] || browse --screenshot="$2"
if [[ $result != 'data-result="PASSED '* ]]; then
  [ -n "$result" ] || tail -n 5 "$work/stderr"
  exit 1
fi
