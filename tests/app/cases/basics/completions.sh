# SPDX-License-Identifier: Apache-2.0
# Drives the script for bash without a terminal.
compopt() { :; }
# shellcheck source=/dev/null
source <(tdz completions bash)
mkdir -p place/folder
touch place/a.bin place/b.tdz 'place/c d.tdz'
cd place || exit
# words WORD...: what Tab offers for the last word.
words() {
  COMP_WORDS=(tdz "$@")
  COMP_CWORD=$#
  _tdz
  printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd' '
}
words re
words decompress ''
words compress --lay
words compress --layout = t
words compress --order ''
words info --c
words compress -o a
words completions ''
words devices ''
tdz completions csh
#> recover
#> b.tdz c d.tdz
#> --layout
#> tuple-planes
#>
#> --chunks
#> a.bin
#> bash fish zsh
#>
#= 1
#! tdz: completions needs the name of a shell: bash, zsh or fish
