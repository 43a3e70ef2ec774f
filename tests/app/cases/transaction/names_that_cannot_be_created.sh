# SPDX-License-Identifier: Apache-2.0
# The error comes before anything is read, because the data of a pipe would be lost.
mkdir folder
long=$(printf 'x%.0s' $(seq 256))
for name in folder folder/ none/ none/x "$long" "folder/$long"; do
  code=0
  said=$({ numbers 100; sleep 0.1; echo unread >&3; } 3>../read | tdz -o "$name" 2>&1) || code=$?
  echo "[$code] ${said//"$long"/LONG}"
done
only folder
#> [1] tdz: (stdin): folder is a folder; name a file
#> [1] tdz: (stdin): folder/ is a folder; name a file
#> [3] tdz: (stdin): opening the folder none: No such file or directory
#> [3] tdz: (stdin): opening the folder none: No such file or directory
#> [3] tdz: (stdin): creating LONG: File name too long
#> [3] tdz: (stdin): creating folder/LONG: File name too long
