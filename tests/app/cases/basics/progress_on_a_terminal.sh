# SPDX-License-Identifier: Apache-2.0
need script
mkfifo slow
seen_with() {
  { numbers 100000; sleep 0.4; numbers 100000; } >slow &
  script -qec "tdz --chunk 64KiB $1" /dev/null </dev/null >seen
}
seen_with '-fo out slow'
grep -q 'MB/s' seen || fail "no progress on a terminal"
for options in '-c slow >/dev/null' '-qfo out slow' '--progress never -fo out slow'; do
  seen_with "$options"
  [ ! -s seen ] || fail "progress with $options"
done
