// SPDX-License-Identifier: Apache-2.0
// How fast does the package for browsers decode, in Node? node tests/bench/wasm.mjs PROGRAM PACKAGE TYPE FILE [TYPE FILE]...
//
// The first MiB of each file that is whole, as one block: by default, by --fast and --fastest, and as bytes that zstd alone
// packed at level 3 (no steps), which the same module decodes: what a package of zstd would do at best. The fastest of
// 301 decodes, in MB (10^6 bytes) of the original a second: other programs on the machine only make it slower.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

import {compressed} from '../wasm/blocks.mjs';

const [program, folder, ...rest] = process.argv.slice(2);
const {createDecoder} = await import(pathToFileURL(join(resolve(folder), 'index.js')));
const work = mkdtempSync(join(tmpdir(), 'tdz-bench-'));
const LENGTH = 2 ** 20, DECODES = 301;

const WAYS = {
  'default': (type) => ['--type', type],
  '--fast': (type) => ['--type', type, '--fast'],
  '--fastest': (type) => ['--type', type, '--fastest'],
  'zstd alone': () => ['--type', 'u8', '--order', '0', '--zigzag', 'off', '--layout', 'interleaved'],
};

function speedOf(decoder, block, into) {
  const times = [];
  for (let i = 0; i < DECODES + 5; ++i) {
    const begin = performance.now();
    decoder.decode(block, {into});
    if (i >= 5) times.push(performance.now() - begin);  // the first ones compile
  }
  return into.length / 1000 / Math.min(...times);
}

for (let i = 0; i + 1 < rest.length; i += 2) {
  const [type, path] = rest.slice(i, i + 2), bytes = readFileSync(path);
  if (bytes.length < LENGTH) throw new Error(`${path} has less than 1 MiB`);
  const begin = Math.min(LENGTH, bytes.length - LENGTH);  // behind headers, where there is room
  writeFileSync(join(work, 'part'), bytes.subarray(begin, begin + LENGTH));
  const decoder = await createDecoder(), cells = [];
  for (const [name, options] of Object.entries(WAYS)) {
    const blocks = compressed(program, join(work, 'part'), join(work, 'part.tdz'), ['--chunk', '1MiB', ...options(type)]);
    const block = blocks.reduce((longest, other) => other.length > longest.length ? other : longest);
    const length = decoder.originalBytes(block);  // a raw prefix or a last row may be a short block of its own
    const speed = speedOf(decoder, block, new Uint8Array(length));
    cells.push(`${name} ${speed.toFixed(0)} MB/s at ratio ${(length / block.length).toFixed(2)}`);
  }
  console.log(`${basename(path)} ${type}: ${cells.join('; ')}; memory ${(decoder.memoryBytes / LENGTH).toFixed(0)} MiB`);
}
rmSync(work, {recursive: true});
