# SPDX-License-Identifier: Apache-2.0
numbers 1000 | tee a 'b c' ./-x $'new\nline' d - >e
show tdz -q --filelist - < <(printf 'a\n\n\nb c\n-x')
#> $ tdz -q --filelist -
only a 'b c' -x $'new\nline' d - e a.tdz 'b c.tdz' -x.tdz
printf '%s\0' $'new\nline' '' -x - >../list
show tdz -q -f --filelist0 ../list
#> $ tdz -q -f --filelist0 ../list
[ -e ./-.tdz ] && [ -e $'new\nline.tdz' ] || fail "names of the list"
printf 'a\ne\n' >../first
printf 'b c.tdz\n' >../second
rm a.tdz
show tdz -q --filelist ../first --filelist=../second d
#> $ tdz -q --filelist ../first --filelist=../second d
#> tdz: b c.tdz: skipped, because the name already ends in .tdz; -d restores it, -f compresses it again
#> [1]
[ -e a.tdz ] && [ -e d.tdz ] && [ -e e.tdz ] && [ ! -e 'b c.tdz.tdz' ] || fail "two lists and a file"
show tdz -t -q --filelist <(printf 'a.tdz\nd.tdz\n')
#> $ tdz -t -q --filelist /dev/fd/63
show tdz --filelist /dev/null
#> $ tdz --filelist /dev/null
#> tdz: 0 files
show tdz -l --filelist - < <(printf 'a.tdz\n')
#> $ tdz -l --filelist -
#>     Stored   Original    Ratio    Chunks  Type      Steps                                                          Name
#>  *a.tdz
