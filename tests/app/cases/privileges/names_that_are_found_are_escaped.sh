# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
mkdir $'tree\e[2J'
numbers 1000 | tee $'tree\e[2J/new\nline' $'tree\e[2J/\xff' >plain
ln -s nowhere $'tree\e[2J/l\x7f'
printf '%s\0' $'mis\rsing' plain >list
{
  tdz -v -r $'tree\e[2J' --output-dir $'out\b' --log-file log
  tdz -v --filelist0 list --exclude 'pl*' --log-file log || true
  tdz -l -r $'out\b'
  tdz -r $'tree\e[2J/l\x7f' || true
  tdz -v -d -r $'out\b' --skip-existing --output-dir $'\x01/' || true
} >said 2>&1
[ -s log ] || fail "no log"
for file in said log; do
  if LC_ALL=C grep -q '[^[:print:]]' $file; then fail "$(LC_ALL=C grep '[^[:print:]]' $file | cat -v)"; fi
done
sed 's/: [0-9].*//; s/^ .* out/out/' said
