# SPDX-License-Identifier: Apache-2.0
: >empty
printf x >one
printf 'Not numbers at all.\n' >text
for file in empty one text; do
  tdz --type i16x2 "$file"
  tdz -dc "$file.tdz" | cmp - "$file"
  tdz "$file" -c | tdz -d | cmp - "$file"
  tdz -t "$file.tdz"
done
