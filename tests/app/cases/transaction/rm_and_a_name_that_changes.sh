# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086,SC2154
# --rm looks at its source, renames it to a hidden name, looks again, and removes it. Whatever takes the source's name
# between these calls stays. In the program, flock 2 follows the first look, and fcntl 5 the second one.
need_strace
need_unnamed_files
need_linux_calls
noise 100000 >../source

# removing CALL:N... -- ARGUMENT...: starts tdz --rm, which stops there for the first time.
removing() {
  local stops=()
  while [ "$1" != -- ]; do stops+=("$1"); shift; done
  shift
  rm -rf ./*
  rm -f ../said
  cp ../source data
  stop_at "${stops[@]}" -- tdz -T1 --rm data "$@" 2>../said
  stopped 1
}

# What takes the name before it is hidden gets the name back.
for flags in flock:2 "flock:2 renameat2:error=EINVAL"; do
  for change in 'echo new >new; mv new data' 'ln -sf elsewhere data' 'rm data; mkfifo data' 'rm data; mkdir data'; do
    # shellcheck disable=SC2086
    removing $flags --
    eval "$change"
    before=$(stat -c '%i %F' data)
    finish
    [[ $code -eq 3 && $before = "$(stat -c '%i %F' data)" ]] || fail "$flags, $change: [$code] $(cat ../said)"
    only data data.tdz
  done
done
same ../source <(tdz -dc data.tdz)

# Without hard links either, it cannot get its name back for sure. The message says where it is.
removing flock:2 renameat2:error=EINVAL linkat:error=EPERM:when=2+ --
echo new >new
mv new data
finish
[ $code -eq 3 ] || fail "[$code] $(cat ../said)"
sed 's/-......\.tdz/-LETTERS.tdz/' ../said
only data.tdz "$(sed -n 's/.* is now //p' ../said)"
#> tdz: data: the source is kept: it has changed since it was read; it could not get its name back (Operation not permitted) and is now .data-LETTERS.tdz.rm
rm .data*

removing flock:2 --
rm data
finish
[ $code -eq 3 ] && only data.tdz || fail "[$code] $(cat ../said)"
cat ../said
#> tdz: data: removing data: No such file or directory

# What is written before it is hidden keeps the name too.
removing flock:2 --
touch -d 2001-01-01 data
finish
[ $code -eq 3 ] && only data data.tdz || fail "[$code] $(cat ../said)"
cat ../said
#> tdz: data: the source is kept: it has changed since it was read

# What takes the name afterwards stays, and the source is removed.
for stop in renameat2:1 fcntl:5; do
  removing $stop --
  [ ! -e data ] || fail "$stop: it is not hidden"
  echo new >data
  finish
  [[ $code -eq 0 && $(cat data) = new && ! -s ../said ]] || fail "$stop: [$code] $(cat ../said)"
  only data data.tdz
done

# Both before and afterwards: both stay, and the message names the hidden one.
removing flock:2 renameat2:1 --
echo first >new
mv new data
go_on
stopped 2
echo second >data
finish
[ $code -eq 3 ] && [ "$(cat data)" = second ] || fail "[$code] $(cat ../said)"
hidden=$(sed -n 's/.* is now //p' ../said)
[ "$(cat "$hidden")" = first ] || fail "$(cat ../said)"
only data data.tdz "$hidden"
sed 's/-......\.tdz/-LETTERS.tdz/' ../said
#> tdz: data: the source is kept: it has changed since it was read; another file has the name meanwhile, and the file that had it before is now .data-LETTERS.tdz.rm

# Decompressing removes its source in the same way; the path is in the message.
mkdir -p sub
rm -f "$hidden" data.tdz data
tdz ../source -o sub/data.tdz
stop_at flock:2 renameat2:1 -- tdz -d -T1 --rm sub/data.tdz 2>../said
stopped 1
echo first >new
mv new sub/data.tdz
go_on
stopped 2
echo second >sub/data.tdz
finish
hidden=$(sed -n 's/.* is now //p' ../said)
[[ $code -eq 3 && $hidden = sub/.data.tdz-??????.tdz.rm && $(cat sub/data.tdz "$hidden") = $'second\nfirst' ]] || fail "$(cat ../said)"
same ../source sub/data
