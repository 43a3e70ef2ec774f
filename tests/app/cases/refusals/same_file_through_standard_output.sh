# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094
numbers 100000 >data
cp data kept
tdz -c data >>data && fail "appended"
tdz <data >>data && fail "appended by standard input"
tdz -c data 1<>data && fail "written over"
same data kept
#! tdz: data: input and output are the same file
#! tdz: (stdin): input and output are the same file
#! tdz: data: input and output are the same file
