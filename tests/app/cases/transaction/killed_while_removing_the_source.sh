# SPDX-License-Identifier: Apache-2.0
# Killed at random moments of the run: the source or a complete result always exists.
noise 1000000 >../original
has_linux_calls && left=none || left=.data.tdz-??????.tdz.tmp # until the next run
rounds=${TDZ_TEST_FULL:+2000}
RANDOM=7
for round in $(seq "${rounds:-60}"); do
  cp ../original data
  tdz -T2 --chunk 64KiB --rm data &
  sleep "0.0$((RANDOM % 60 + 10))"
  kill -KILL $! 2>/dev/null || true
  exit_code_of $!
  if [ -e data ]; then
    same data ../original
  else
    tdz -dc data.tdz | cmp - ../original || fail "round $round: both are gone"
  fi
  if [ -e data.tdz ]; then tdz -t data.tdz || fail "round $round: a partial target"; fi
  found=$(find . -mindepth 1 ! -name data ! -name data.tdz ! -name "$left")
  [ -z "$found" ] || fail "round $round: left behind: $found"
  rm -f data data.tdz
done
cp ../original data
tdz --rm data
only data.tdz
