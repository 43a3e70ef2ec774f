#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does the HTML report work in a real browser? report_page.sh MAKE_REPORT
#
# report_page.js is added to a copy of the page. It counts, clicks and measures, at two widths. The page lies in a frame of the
# wanted width, because a window of Chromium is at least 500 pixels wide. 77 (Skipped) where there is no Chromium.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
make_report=$(realpath "$1")
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ]; then
  echo "no Chromium here"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work" || true' EXIT  # Chromium may still write there as it ends

# Chromium's sandbox needs privileges that a container does not have. The page is our own.
browse() {
  timeout 240 "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" \
    --allow-file-access-from-files --virtual-time-budget=60000 "$@" 2>"$work/stderr"
}

if ! browse --dump-dom about:blank | grep -q '<html'; then
  echo "Chromium does not start here: $(tail -n 1 "$work/stderr")"
  exit 77
fi

# Errors are recorded from before the page's first script on. JSON in a script must not contain "<".
tested_copy() { # REPORT WIDTH
  local recorder='<script>window.pageErrors = []; window.onerror = (text) => { window.pageErrors.push("error: " + text); };
    console.error = (...words) => { window.pageErrors.push("console: " + words.join(" ")); };
    document.addEventListener("securitypolicyviolation", (event) => { window.pageErrors.push("policy: " + event.blockedURI); });</script>'
  "$make_report" "$1" html | RECORDER=$recorder awk '{ print } /^<head>$/ { print ENVIRON["RECORDER"] }'
  printf '<script>const reportName = "%s", wantedWidth = %s, report = ' "$1" "$2"
  "$make_report" "$1" json | sed 's/</\\u003c/g'
  printf ';\n'
  cat "$here/report_page.js"
  printf '</script>\n'
}

frame_around() { # PAGE WIDTH
  cat <<HTML
<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">
<iframe src="$1" style="border:0;width:$2px;height:900px" onload="
  document.body.setAttribute('data-result', this.contentDocument.documentElement.getAttribute('data-result'));"></iframe>
HTML
}

status=0
check_page() { # REPORT WIDTH
  local page=$work/$1.$2.html result
  tested_copy "$1" "$2" >"$page"
  frame_around "$1.$2.html" "$2" >"$work/frame.html"
  result=$(browse --window-size=1400,900 --dump-dom "file://$work/frame.html" | grep -o 'data-result="[^"]*"' | head -n 1 || true)
  echo "$1 report, $2 pixels: ${result:-nothing came back}"
  if [[ $result != 'data-result="PASSED '* ]]; then
    status=1
    [ -n "$result" ] || tail -n 5 "$work/stderr"
  fi
}

for report in full small empty; do
  for width in 1280 400; do check_page $report $width; done
done
exit $status
