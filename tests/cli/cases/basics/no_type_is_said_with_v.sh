# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 1000 >data
tdz -v -k data
