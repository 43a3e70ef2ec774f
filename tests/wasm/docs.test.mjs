// SPDX-License-Identifier: Apache-2.0
// Do the blocks of JavaScript in docs/browsers.md run as a reader would type them? The one with zarrita meets a stand-in that
// has no more than the interface: a registry of codecs, which open and get ask as zarrita does. Run by run.sh.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'node:test';
import {fileURLToPath} from 'node:url';

import {compressed} from './blocks.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/browsers.md'), 'utf8');
const work = mkdtempSync(join(tmpdir(), 'tdz-docs-'));
test.after(() => rmSync(work, {recursive: true}));

const ZARRITA = `
import {readFileSync} from 'node:fs';
export const registry = new Map();
export class FetchStore { constructor(url) { this.url = url; } }
export async function open(store) {
  const Codec = await registry.get('tdz')();
  const shape = [Number(process.env.BYTES) / 2];
  return {shape, codec: Codec.fromConfig({}, {dataType: 'int16', shape, codecs: []})};
}
export async function get({shape, codec}) {
  return {data: new Int16Array((await codec.decode(readFileSync('heights.zarr/c/0/0'))).buffer), shape};
}
`;

test('every block of JavaScript runs', () => {
  const sample = join(root, 'samples/relief_i16x1.bin'), bytes = readFileSync(sample).length;
  const [block] = compressed(process.env.TDZ_PROGRAM, sample, join(work, 'sample.tdz'), ['--type', 'i16']);
  mkdirSync(join(work, 'heights.zarr/c/0'), {recursive: true});
  mkdirSync(join(work, 'node_modules/zarrita'), {recursive: true});
  writeFileSync(join(work, 'heights.zarr/c/0/0'), block);
  writeFileSync(join(work, 'node_modules/zarrita/package.json'), '{"type": "module", "exports": "./index.js"}');
  writeFileSync(join(work, 'node_modules/zarrita/index.js'), ZARRITA);
  symlinkSync(process.env.TDZ_PACKAGE, join(work, 'node_modules/tdz-decoder'));
  const blocks = [...page.matchAll(/^```js\n(.*?)^```$/gms)];
  assert.equal(blocks.length, 2);
  for (const [, code] of blocks) {
    writeFileSync(join(work, 'block.mjs'), code);
    execFileSync('node', ['--preserve-symlinks', 'block.mjs'], {cwd: work, env: {...process.env, BYTES: bytes}});
  }
});

test('run.sh builds with the command of the page', () => {
  const commands = page.split('\n').filter((line) => line.startsWith('    bash '));
  assert.deepEqual(commands.map((line) => line.trim()), ['bash bindings/wasm/build.sh build/wasm/package']);
  assert.equal(process.env.TDZ_PACKAGE, join(root, 'build/wasm/package'));
});
