# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 1000 | tee compress >y
show tdz compress y
only compress y y.tdz
show tdz ./compress
only compress compress.tdz y y.tdz
