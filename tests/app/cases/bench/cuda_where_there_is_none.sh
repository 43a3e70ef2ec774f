# SPDX-License-Identifier: Apache-2.0
tdz devices >/dev/null 2>&1 && skip "there is a GPU"
numbers 10000 >data
exits 4 tdz bench --backends cuda data
