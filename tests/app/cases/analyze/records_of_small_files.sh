# SPDX-License-Identifier: Apache-2.0
# Of a short input the report says how many bytes of its file are records, if they are more than 5 %.
need python3
said() { sed -nE 's/^  Of the ([0-9]+) bytes that this input becomes, ([0-9]+) are records\..*/\1 \2/p'; }
numbers 300 >small
tdz analyze small | grep "are records"
tdz -c small >stored
read -r bytes records < <(tdz analyze small | said)
[ "$bytes" -eq "$(wc -c <stored)" ] || fail "analyze says $bytes bytes, compress writes $(wc -c <stored)"
[ "$records" -ge 400 ] && [ "$records" -lt 650 ] || fail "$records bytes of records"
# A pipe, other options, a header before the numbers, and nothing at all.
cat small | tdz analyze - | said | grep -c "^[0-9]* $records$"
{ printf 'P5\n30 30\n255\n' && numbers 900; } >image
for asked in '--fast image' '--best image' '--type u8 image' '--level 9 image'; do
  # shellcheck disable=SC2086
  read -r bytes records < <(tdz analyze $asked | said)
  # shellcheck disable=SC2086
  [ "$bytes" -eq "$(tdz -c $asked | wc -c)" ] || fail "$asked: analyze says $bytes bytes"
done
: >empty
tdz analyze empty | grep -c "Of the $(tdz -c empty | wc -c) bytes that this input becomes, $(tdz -c empty | wc -c) are"
# Where they are a small part, and where the input is longer than 1 MiB, there is no such sentence.
noise 300000 >noise
numbers 1048577 >long
for file in noise long; do [ "$(tdz analyze $file | said | wc -l)" -eq 0 ] || fail "$file: a sentence on records"; done
head -c 1048576 /dev/zero >zeros
tdz analyze zeros | said | wc -l
for file in small noise long; do tdz -c $file >$file.tdz; done
tdz analyze --json small noise long >report
python3 - <<'END'
import json, os
for file in json.load(open("report"))["files"]:
    if file["name"] == "long":
        assert file["stored_bytes"] == file["record_bytes"] == 0
    else:
        assert file["stored_bytes"] == os.path.getsize(file["name"] + ".tdz") and 400 < file["record_bytes"] < 650
END
#>   Of the * bytes that this input becomes, * are records. Many small files are smaller together, with tar -I tdz; a program can store each as a lone block.
#> 1
#> 1
#> 1
