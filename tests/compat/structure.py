# SPDX-License-Identifier: Apache-2.0
"""The structure of a stream, without zstd's bytes: its records, and the plans and chunks that `tdz info` shows. Reads the
container as FORMAT.md describes it, without code of tdz."""
import json
import struct
import subprocess

RECORD, FRAME = 0x184D2A5A, 0xFD2FB528


def frame_length(data, at):
    """Bytes of the zstd frame at `at`, and of its content."""
    descriptor = data[at + 4]
    single, size_flag = descriptor >> 5 & 1, descriptor >> 6
    at_size = at + 5 + (0 if single else 1) + (0, 1, 2, 4)[descriptor & 3]
    size_bytes = (1 if single else 0, 2, 4, 8)[size_flag]
    content = int.from_bytes(data[at_size:at_size + size_bytes], "little") + (256 if size_flag == 1 else 0)
    block = at_size + size_bytes
    last = False
    while not last:
        header = int.from_bytes(data[block:block + 3], "little")
        last, kind, length = header & 1, header >> 1 & 3, header >> 3
        block += 3 + (1 if kind == 1 else length)
    return block + (4 if descriptor >> 2 & 1 else 0) - at, content


def records(data):
    """["HDR", bytes] for each record, ["content", bytes] for the frames between two of them."""
    at, found = 0, []
    while at < len(data):
        (magic,) = struct.unpack_from("<I", data, at)
        if magic == FRAME:
            length, content = frame_length(data, at)
            if found[-1][0] == "content":
                found[-1][1] += content
            else:
                found.append(["content", content])
        elif magic == RECORD:
            length = 8 + struct.unpack_from("<I", data, at + 4)[0]
            kind = data[at + 12:at + 16].decode("ascii").strip()
            # CHK grows with the number of frames, and that depends on zstd.
            found.append([kind, 0 if kind == "CHK" else length])
        else:
            raise ValueError(f"no record and no frame at byte {at}")
        at += length
    return found


def without(entry, *names):
    return {name: value for name, value in entry.items() if name not in names}


def structure(tdz, path):
    """The structure as values for JSON."""
    said = subprocess.run([tdz, "info", "--json", "--chunks", path], stdout=subprocess.PIPE, check=True).stdout
    (file,) = json.loads(said)["files"]
    streams = []
    for stream in file["streams"]:
        chunks = [without(chunk, "stored_offset", "stored_bytes") for chunk in stream["chunk_list"]]
        streams.append({**without(stream, "offset", "stored_bytes"), "chunk_list": chunks})
    with open(path, "rb") as stored:
        return {"records": records(stored.read()), "original_bytes": file["original_bytes"], "streams": streams}
