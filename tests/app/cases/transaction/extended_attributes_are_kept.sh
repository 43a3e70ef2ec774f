# SPDX-License-Identifier: Apache-2.0
need python3
need_linux_calls
numbers 1000 >data
python3 -c 'import os; os.setxattr("data", "user.origin", b"buoy 7")' 2>/dev/null || skip "no extended attributes here"
tdz data
python3 -c 'import os; print(os.getxattr("data.tdz", "user.origin"))'
#> b'buoy 7'
