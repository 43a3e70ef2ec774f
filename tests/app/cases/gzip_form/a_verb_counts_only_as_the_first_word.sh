# SPDX-License-Identifier: Apache-2.0
numbers 1000 >info
tdz --rm info
only info.tdz
tdz -d --rm info.tdz
only info
tdz ./info
rm info.tdz
tdz -- info
only info info.tdz
rm info.tdz
tdz compress info
tdz -f -k info
only info info.tdz
numbers 1000 >verify
tdz compress verify
only info info.tdz verify verify.tdz
