# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
tdz --backend cpu data
tdz --backend auto -f data
if tdz --version | grep -q '^backend cuda: not available'; then
  exits 4 tdz --backend cuda -f data
  exits 4 tdz -d --backend cuda -c data.tdz
fi
only data data.tdz
