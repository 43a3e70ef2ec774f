# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
tdz data 2>&- <&- >&-
tdz -dc data.tdz | cmp - data
exits 1 bash -c 'tdz data 2>&-'
tdz -dc data.tdz | cmp - data
exits 3 bash -c 'tdz -c data >&-'
exits 3 bash -c 'tdz <&-'
exits 3 bash -c 'tdz --version >&-'
only data data.tdz
