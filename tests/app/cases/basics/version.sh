# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
tdz --version | sed 's/1[.]5[.][0-3]; warning: .*/1.5/'
tdz -V | cmp - <(tdz compress --version)
