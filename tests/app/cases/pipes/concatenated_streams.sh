# SPDX-License-Identifier: Apache-2.0
numbers 100000 >a
numbers 70000 50000 >b
cat a b >both
tdz -qc --type u16 a b | tdz -d | cmp - both
tdz --type u16 a
tdz --type i32x3 b
cat a.tdz b.tdz >both.tdz
tdz -dc both.tdz | cmp - both
tdz -qdc a.tdz b.tdz | cmp - both
tdz -t both.tdz
tdz -d both.tdz -fo copy
same copy both
