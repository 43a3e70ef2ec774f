# SPDX-License-Identifier: Apache-2.0
# With two backends the report says which one codes or restores wrongly. The second one is the CPU with the name of the GPU.
export TDZ_STAND_IN=cuda
numbers 60000 >data
grid=(-q --words 4 --tuples 2-3 --orders 5 --layouts planes data)
tdz roundtrip "${grid[@]}" | tail -n 1
for mode in cuda-forward cuda-inverse cuda-lost cpu-forward cpu-inverse; do
  echo "$mode:"
  code=0
  TDZ_BROKEN=$mode tdz roundtrip "${grid[@]}" >report 2>/dev/null || code=$?
  [ $code -eq 2 ] || fail "exit code $code"
  grep -E 'FAILED|code|restored by|chunk 0' report
done
#> 2 cells, 2 passed, 0 failed
#> cuda-forward:
#> FAILED word 4, tuple 3, order 5, planes, level 1
#>   cpu and cuda coded chunk 0 in different bytes
#>     chunk 0, from byte 0 of the file on: frames for a GPU: *
#>   coded by cuda, restored by cpu: value 1000 is wrong
#>     chunk 0, from byte 0 of the file on: frames for a GPU: the restored bytes do not match their digest
#>   coded by cuda, restored by cuda: value 1000 is wrong
#>     chunk 0, from byte 0 of the file on: frames for a GPU: the restored bytes do not match their digest
#> cuda-inverse:
#> FAILED word 4, tuple 3, order 5, planes, level 1
#>   coded by cpu, restored by cuda: value 1000 is wrong
#>     chunk 0, from byte 0 of the file on: frames for a GPU: the restored bytes do not match their digest
#> cuda-lost:
#> FAILED word 4, tuple 3, order 5, planes, level 1
#>   cuda failed to code chunk 0
#>     chunk 0, from byte 0 of the file on: frames for a GPU: the device fell off the bus
#>   coded by cpu, restored by cuda: no result for chunk 0
#>     chunk 0, from byte 0 of the file on: frames for a GPU: the device fell off the bus
#> cpu-forward:
#> FAILED word 4, tuple 3, order 5, planes, level 1
#>   coded by cpu, restored by cpu: value 1000 is wrong
#>     chunk 0, from byte 0 of the file on: the restored bytes do not match their digest
#> cpu-inverse:
#> FAILED word 4, tuple 3, order 5, planes, level 1
#>   coded by cpu, restored by cpu: value 1000 is wrong
#>     chunk 0, from byte 0 of the file on: the restored bytes do not match their digest
