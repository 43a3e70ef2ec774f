# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086,SC2154
# Killed between renaming and removing, --rm leaves the source under a hidden name. The next run gives it its own back.
need_strace
calls_of_rm
noise 20000 >../source
# killed NAME OPTION...: a run that is killed there. Sets `hidden`.
killed() {
  local code=0
  injecting unlinkat:signal=KILL:when=$removal -- tdz -q -T1 --rm "$@" "$file" 2>/dev/null || code=$?
  [ $code -eq 137 ] || fail "not killed: $code"
  hidden=$(find . -name '*.tdz.rm')
  [ -n "$hidden" ] && [ ! -e "$file" ] || fail "not hidden: $(ls -A)"
}
file=data
for again in "--rm data" "data" "-f data" "-r --rm ."; do
  rm -rf ./* .data*
  cp ../source data
  killed
  same "$hidden" ../source
  # shellcheck disable=SC2086
  show tdz $again | sed 's/-......\.tdz\.rm/-LETTERS.tdz.rm/'
  only data data.tdz
done
same data ../source
#> $ tdz --rm data
#> tdz: data: a run that was killed had hidden it as .data-LETTERS.tdz.rm; now it has its name again
#> tdz: data: data.tdz exists; -f replaces it
#> [1]
#> $ tdz data
#> tdz: data: a run that was killed had hidden it as .data-LETTERS.tdz.rm; now it has its name again
#> tdz: data: data.tdz exists; -f replaces it
#> [1]
#> $ tdz -f data
#> tdz: data: a run that was killed had hidden it as .data-LETTERS.tdz.rm; now it has its name again
#> $ tdz -r --rm .
#> tdz: ./data: a run that was killed had hidden it as .data-LETTERS.tdz.rm; now it has its name again
#> tdz: ./data: ./data.tdz exists; -f replaces it
#> tdz: 0 of 1 file
#> tdz: 1 failed: refused
#> tdz: 1 skipped: the name already ends in .tdz
#> [1]
tdz -q -r -f --rm .
only data.tdz

# The same for decompress, in a folder.
mkdir sub
mv data.tdz sub
file=sub/data.tdz
killed -d
only sub sub/data "${hidden#./}"
tdz -t -r sub 2>../said
cat ../said
#> tdz: 0 files
#> tdz: 1 skipped: the name does not end in .tdz
#> tdz: 1 skipped: a source that a killed tdz --rm left under a hidden name
only sub sub/data "${hidden#./}"
tdz -q -d -f -r --rm sub
only sub sub/data
same sub/data ../source

# Never over a file that has taken the name, not if it is left out, and not while the other run still lives.
file=sub/data
killed
echo new >sub/data
tdz -q -f sub/data
[ "$(cat sub/data)" = new ] || fail "the new file was replaced"
tdz -v -f -r sub 2>../said
grep -q 'sub/.data-......\.tdz\.rm: skipped: a source that a killed' ../said || fail "$(cat ../said)"
rm sub/data
tdz -q -f -r sub --exclude data
only sub sub/data.tdz "${hidden#./}"
same "$hidden" ../source
rm "$hidden" sub/data.tdz
cp ../source sub/data
stop_at $hides -- tdz -T1 --rm sub/data 2>../said
stopped 1
exits 3 tdz -f --rm sub/data
exits 0 tdz -r -f sub
finish
[ $code -eq 0 ] || fail "[$code] $(cat ../said)"
only sub sub/data.tdz
