# SPDX-License-Identifier: Apache-2.0
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
#> tdz: tree\x1b[2J/l\x7f: skipped: a link, pipe, socket or device
#> tdz: tree\x1b[2J/new\x0aline -> out\x08/tree\x1b[2J/new\x0aline.tdz
#> tdz: tree\x1b[2J/\xff -> out\x08/tree\x1b[2J/\xff.tdz
#> tdz
#> tdz
#> tdz: mis\x0dsing: No such file or directory
#> tdz: plain: skipped: excluded by --exclude
#> tdz
#> tdz
#> tdz
#>     Stored   Original    Ratio    Chunks  Type      Steps                                                          Name
#> out\x08/tree\x1b[2J/new\x0aline.tdz
#> out\x08/tree\x1b[2J/\xff.tdz
#> tdz: tree\x1b[2J/l\x7f: No such file or directory
#> tdz
#> tdz
#> tdz: out\x08/tree\x1b[2J/new\x0aline.tdz -> \x01/out\x08/tree\x1b[2J/new\x0aline
#> tdz: out\x08/tree\x1b[2J/\xff.tdz -> \x01/out\x08/tree\x1b[2J/\xff
#> tdz
