// SPDX-License-Identifier: Apache-2.0
// Lone blocks for tests and measurements: the chunks of .tdz files, cut out. FORMAT.md, section 1: CHK and its frames are
// a lone block, byte for byte.
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';

// The record at `at`: its kind, and where what stands after it and its frames begins.
function recordAt(bytes, at) {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  const kind = String.fromCharCode(...bytes.subarray(at + 12, at + 16));
  let length = 8 + view.getUint32(4, true);
  if (kind === 'CHK ') {
    const [plan, substreams, frames] = [68, 72, 76].map((place) => view.getUint32(place, true));
    const list = 96 + 8 * Math.ceil(plan / 8) + 8 * Math.ceil(substreams / 2);
    for (let frame = 0; frame < frames; ++frame) length += view.getUint32(list + 8 * frame, true);
  }
  return {kind, end: at + length};
}

export function blocksOf(path) {
  const bytes = new Uint8Array(readFileSync(path));
  const blocks = [];
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] === 0) {  // padding
      at += 1;
      continue;
    }
    const {kind, end} = recordAt(bytes, at);
    if (kind === 'CHK ') blocks.push(bytes.slice(at, end));
    at = end;
  }
  return blocks;
}

// What the program restores, as one array of bytes.
export function restored(program, path) {
  return new Uint8Array(execFileSync(program, ['-d', '-c', path], {maxBuffer: 2 ** 30}));
}

// The blocks of a file that the program compresses with these options.
export function compressed(program, path, target, options) {
  execFileSync(program, ['-f', '-o', target, ...options, path]);
  return blocksOf(target);
}
