# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
if tdz devices >list 2>reason; then
  grep -qE '^0: .+, compute capability [0-9]+[.][0-9], .+ of .+ free' list || fail "no device in the list"
else
  [ $? -eq 4 ] || fail "another exit code than 4"
  [ ! -s list ] && [ -s reason ] || fail "no reason, or a list too"
fi
exits 4 env CUDA_VISIBLE_DEVICES= tdz devices
exits 4 env CUDA_VISIBLE_DEVICES= tdz --backend cuda data
exits 4 tdz --backend cuda --device 200 data
exits 1 tdz --device 256 data
exits 1 tdz --device one data
exits 1 tdz --gpu-memory 1M data
exits 1 tdz devices data
only data list reason
