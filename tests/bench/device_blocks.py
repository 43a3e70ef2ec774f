#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast does tdz.cuda.decode_blocks() restore blocks of 1 MiB from Python, all digests compared?

    device_blocks.py FILE [--blocks 256] [--repeats 15]

The first MiBs of FILE are packed by the plan of --fastest with --gpu, and repeated. Times are of whole calls, medians; one line for blocks in
host memory, one for the same in device memory. Needs the Python package tdz, PyTorch and a GPU.
"""
import argparse
import pathlib

import corpus
import torch

import tdz
import tdz.cuda

MIB = corpus.MIB


def on_device(blocks):
    """All blocks in one tensor, and their places."""
    places, end = [], 0
    for block in blocks:
        places.append((end, len(block)))
        end += len(block)
    return torch.frombuffer(bytearray(b"".join(blocks)) + bytes(64), dtype=torch.uint8).cuda(), places


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--blocks", type=int, default=256)
    parser.add_argument("--repeats", type=int, default=15)
    options = parser.parse_args()
    data = options.file.read_bytes()
    chunks = [data[at:at + MIB] for at in range(0, len(data) - MIB + 1, MIB)][:options.blocks]
    plan = tdz.plan(data, effort="fastest", gpu=True)
    packed = [bytes(tdz.encode_block(chunk, plan)) for chunk in chunks]
    blocks = [packed[i % len(packed)] for i in range(options.blocks)]
    original = b"".join(chunks[i % len(chunks)] for i in range(options.blocks))
    there, places = on_device(blocks)
    out = torch.empty(len(original), dtype=torch.uint8, device="cuda")
    scratch = torch.empty(max(tdz.cuda.scratch_bytes(blocks), tdz.cuda.scratch_bytes(there, places=places)), dtype=torch.uint8,
                          device="cuda")
    torch.cuda.synchronize()
    print(f"{torch.cuda.get_device_name()}, {options.file.name}, {options.blocks} blocks of 1 MiB, ratio {len(original) / len(there):.2f}")
    for name, call in (("host", lambda: tdz.cuda.decode_blocks(blocks, out, scratch=scratch)),
                       ("device", lambda: tdz.cuda.decode_blocks(there, out, places=places, scratch=scratch))):
        seconds = corpus.median_seconds(call, options.repeats, warm=2)  # the first ones load kernels
        assert out.cpu().numpy().tobytes() == original
        print(f"from {name} memory: {1e3 * seconds:.2f} ms, {len(original) / seconds / 1e9:.0f} GB/s")


if __name__ == "__main__":
    main()
