# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
tdz data --type u16 -o x -f
tdz x -d -o y
same data y
