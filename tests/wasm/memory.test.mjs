// SPDX-License-Identifier: Apache-2.0
// What happens where a browser gives no more memory? The module of this test is the package's with a smaller maximum, written
// into its memory section. Run by run.sh.
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'node:test';
import {pathToFileURL} from 'node:url';

import {compressed} from './blocks.mjs';

const {TDZ_PACKAGE: folder, TDZ_PROGRAM: program} = process.env;
const tdz = await import(pathToFileURL(join(folder, 'index.js')));
const MOST_PAGES = 640;  // of 64 KiB: 40 MiB

function leb(bytes, at) {
  let value = 0, shift = 0;
  for (;; ++at, shift += 7) {
    value |= (bytes[at] & 127) << shift;
    if (bytes[at] < 128) return [value >>> 0, at + 1];
  }
}

function lebOf(value) {
  const bytes = [];
  for (; value > 127; value = value >>> 7) bytes.push(value & 127 | 128);
  return [...bytes, value];
}

// The WebAssembly specification, "Modules": section 5 is a list of memories, here one with a minimum and a maximum.
function withSmallMemory(module) {
  for (let at = 8; at < module.length;) {
    const [length, content] = leb(module, at + 1);
    if (module[at] !== 5) {
      at = content + length;
      continue;
    }
    assert.deepEqual([...module.subarray(content, content + 2)], [1, 1]);
    const body = [1, 1, ...lebOf(leb(module, content + 2)[0]), ...lebOf(MOST_PAGES)];
    return Buffer.concat([module.subarray(0, at), Buffer.from([5, body.length, ...body]),
      module.subarray(content + length)]);
  }
  return assert.fail('no memory section');
}

test('without memory a decoder ends with an error of kind limit, and the next one decodes', async () => {
  const work = mkdtempSync(join(tmpdir(), 'tdz-memory-'));
  writeFileSync(join(work, 'long'), new Uint8Array(2 ** 26));
  writeFileSync(join(work, 'short'), new Uint8Array(2 ** 16).fill(3));
  const [long] = compressed(program, join(work, 'long'), join(work, 'tdz'), ['--chunk', '64MiB', '--type', 'u8', '--fast']);
  const [short] = compressed(program, join(work, 'short'), join(work, 'tdz'), ['--type', 'u8']);
  rmSync(work, {recursive: true});
  await tdz.load(withSmallMemory(readFileSync(join(folder, 'tdz.wasm'))));

  const decoder = await tdz.createDecoder();
  assert.equal(decoder.decode(short).length, 2 ** 16);
  assert.throws(() => decoder.decode(long), {name: 'TdzError', kind: 'limit'});
  assert.equal(decoder.ended, true);
  assert.equal(decoder.memoryBytes, 0);
  assert.throws(() => decoder.decode(short), {name: 'TdzError', kind: 'usage'});

  // Memory of zstd is taken with malloc, and the lack of it is an exception: again the end of the decoder.
  const full = await tdz.createDecoder();
  assert.throws(() => full.decode(new Uint8Array(36569088)), {name: 'TdzError'});
  assert.throws(() => full.decode(short), {name: 'TdzError', kind: 'limit'});
  assert.equal(full.ended, true);

  // A call that ends the decoder of all does not fail those beside it.
  const calls = await Promise.allSettled([tdz.decode(long), tdz.decode(short), tdz.decode(short)]);
  assert.equal(calls[0].reason.kind, 'limit');
  assert.ok(calls.slice(1).every(({value}) => value?.length === 2 ** 16));

  await assert.rejects(tdz.decode(long), {name: 'TdzError', kind: 'limit'});
  assert.ok((await tdz.decode(short)).every((byte) => byte === 3));
});
