# SPDX-License-Identifier: Apache-2.0
noise 1500000 >data
(for piece in 1 2 3 700 65537; do head -c $piece; sleep 0.02; done; cat) <data | tdz --chunk 64KiB --type u32x3 >packed
tdz -d packed -c | (head -c 10; sleep 0.2; cat) | cmp - data
