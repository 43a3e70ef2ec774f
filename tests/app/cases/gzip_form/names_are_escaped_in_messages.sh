# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
show tdz $'no\nsuch\tfile\e[31m\xff\xc2\x9b'
show tdz 'Größe 測定'
show tdz -dc $'\x01'
