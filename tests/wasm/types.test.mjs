// SPDX-License-Identifier: Apache-2.0
// Is index.d.ts true? Both ways: index.js exports what it declares and nothing else; and consumer.ts, which uses all of it,
// passes tsc and runs. TDZ_PACKAGE: the folder of the package; TDZ_PROGRAM: tdz; run by run.sh.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'node:test';
import {fileURLToPath, pathToFileURL} from 'node:url';

import {compressed} from './blocks.mjs';

const {TDZ_PACKAGE: folder, TDZ_PROGRAM: program} = process.env;
const here = fileURLToPath(new URL('.', import.meta.url));
const declared = readFileSync(join(folder, 'index.d.ts'), 'utf8').replace(/\/\*.*?\*\//gs, '');
const work = mkdtempSync(join(tmpdir(), 'tdz-types-'));
test.after(() => rmSync(work, {recursive: true}));

test('index.js exports the values that index.d.ts declares, and no others', async () => {
  const values = [...declared.matchAll(/^export (?:declare )?(?:class|function|const|let|var|enum) (\w+)/gm)];
  const types = [...declared.matchAll(/^export (?:type|interface) /gm)];
  assert.equal(values.length + types.length, declared.match(/\bexport\b/g).length, 'an export of a form that is not known here');
  const module = await import(pathToFileURL(join(folder, 'index.js')));
  assert.deepEqual([...new Set(values.map(([, name]) => name))].sort(), Object.keys(module).sort());
});

test('consumer.ts uses every name of index.d.ts', () => {
  const consumer = readFileSync(join(here, 'consumer.ts'), 'utf8');
  const names = [...declared.matchAll(/^export \w+ (\w+)|^  (?:readonly |static )*(\w+)\??[(:]/gm)];
  assert.ok(names.length > 15);
  for (const [, outer, member] of names)
    if (member !== 'constructor') assert.match(consumer, new RegExp(`\\b${outer ?? member}\\b`));
});

const missing = spawnSync('tsc', ['--version']).error !== undefined && 'no tsc here (Debian: node-typescript)';

test('consumer.ts passes tsc, and runs', {skip: missing}, async () => {
  mkdirSync(join(work, 'node_modules'));
  symlinkSync(folder, join(work, 'node_modules/tdz-decoder'));
  writeFileSync(join(work, 'package.json'), '{"type": "module"}');
  cpSync(join(here, 'consumer.ts'), join(work, 'consumer.ts'));
  const flags = ['--strict', '--noUnusedLocals', '--noImplicitReturns', '--exactOptionalPropertyTypes', '--target', 'es2022',
    '--lib', 'es2022,dom', '--module', 'node16', '--moduleResolution', 'node16'];
  const tsc = spawnSync('tsc', [...flags, 'consumer.ts'], {cwd: work, encoding: 'utf8'});
  assert.equal(tsc.status, 0, tsc.stdout);
  const sample = join(here, '../../samples/relief_i16x1.bin');
  const [block] = compressed(program, sample, join(work, 'sample.tdz'), ['--type', 'i16']);
  const {use} = await import(pathToFileURL(join(work, 'consumer.js')));
  assert.equal(await use(block, pathToFileURL(join(folder, 'tdz.wasm'))), readFileSync(sample).length);
});
