# SPDX-License-Identifier: Apache-2.0
# -f replaces a link, except a link to an open file, such as /dev/stdout, and a link to a folder.
numbers 100000 >data
tdz data
mkdir folder
ln -s /proc/self/fd/1 out
ln -s out by_way_of_another
ln -s /proc/self/fd fds
ln -s folder to_folder
for name in out by_way_of_another fds/1 to_folder; do
  for words in "-f data" "roundtrip -f --words 2 --tuples 1 --orders 1 data" "-d data.tdz"; do
    code=0
    # shellcheck disable=SC2086  # several words
    said=$(tdz $words -o $name 2>&1 >../redirected) || code=$?
    echo "[$code] $words -o $name: $said"
    [ ! -s ../redirected ] || fail "something was written"
  done
done
[ "$(echo x | tdz -o out | tdz -d)" = x ] || fail "a pipe behind the link was not written to"
[ -L out ] && [ -L by_way_of_another ] && [ -L to_folder ] || fail "a link is gone"
only data data.tdz folder out by_way_of_another fds to_folder
#> [1] -f data -o out: tdz: data: out is a link to an open file and cannot be replaced; name the file itself, or use standard output
#> [1] roundtrip -f --words 2 --tuples 1 --orders 1 data -o out: tdz: out is a link to an open file and cannot be replaced; name the file itself, or use standard output
#> [1] -d data.tdz -o out: tdz: data.tdz: out is a link to an open file and cannot be replaced; name the file itself, or use standard output
#> [1] -f data -o by_way_of_another: tdz: data: by_way_of_another is a link to an open file and cannot be replaced; name the file itself, or use standard output
#> [1] roundtrip -f --words 2 --tuples 1 --orders 1 data -o by_way_of_another: tdz: by_way_of_another is a link to an open file and cannot be replaced; name the file itself, or use standard output
#> [1] -d data.tdz -o by_way_of_another: tdz: data.tdz: by_way_of_another is a link to an open file and cannot be replaced; name the file itself, or use standard output
#> [1] -f data -o fds/1: tdz: data: fds/1 is a link to an open file and cannot be replaced; name the file itself, or use standard output
#> [1] roundtrip -f --words 2 --tuples 1 --orders 1 data -o fds/1: tdz: fds/1 is a link to an open file and cannot be replaced; name the file itself, or use standard output
#> [1] -d data.tdz -o fds/1: tdz: data.tdz: fds/1 is a link to an open file and cannot be replaced; name the file itself, or use standard output
#> [1] -f data -o to_folder: tdz: data: to_folder is a link to a folder; name a file
#> [1] roundtrip -f --words 2 --tuples 1 --orders 1 data -o to_folder: tdz: to_folder is a link to a folder; name a file
#> [1] -d data.tdz -o to_folder: tdz: data.tdz: to_folder is a link to a folder; name a file
