# SPDX-License-Identifier: Apache-2.0
numbers 200000 >old
tdz --chunk 64KiB --type u16 old -o new.tdz
truncate -s -300 new.tdz
cp old new
exits 2 tdz -f -d new.tdz
same old new
exits 2 tdz -f -d --rm new.tdz
same old new
only old new new.tdz
