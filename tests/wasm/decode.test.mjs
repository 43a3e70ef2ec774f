// SPDX-License-Identifier: Apache-2.0
// Does the package decode what tdz writes, and nothing else? TDZ_PACKAGE: its folder; TDZ_PROGRAM: tdz; run by run.sh.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'node:test';
import {fileURLToPath, pathToFileURL} from 'node:url';

import {blocksOf, compressed, restored} from './blocks.mjs';

const {TDZ_PACKAGE: folder, TDZ_PROGRAM: program} = process.env;
const full = Boolean(process.env.TDZ_TEST_FULL);
const tdz = await import(pathToFileURL(join(folder, 'index.js')));
const root = fileURLToPath(new URL('../..', import.meta.url));
const golden = join(root, 'tests/golden/v1');
const work = mkdtempSync(join(tmpdir(), 'tdz-wasm-'));
test.after(() => rmSync(work, {recursive: true}));

const decoder = await tdz.createDecoder({limit: 2 ** 24});

// The error that a call throws; fails if it throws none, or another one.
function errorOf(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof tdz.TdzError, String(error.stack));
    assert.ok(error instanceof Error && error.message.length > 5, error.message);
    return error;
  }
  assert.fail('no error');
}

function joined(parts) {
  return new Uint8Array(Buffer.concat(parts));
}

function firstBlock(name) {
  return blocksOf(join(golden, `${name}.tdz`))[0];
}

for (const place of ['tests/golden/v1', 'tests/compat/0.1.0', 'tests/compat/0.2.0']) {
  test(`every block of ${place} gives the bytes that the program restores`, () => {
    const files = readdirSync(join(root, place)).filter((name) => name.endsWith('.tdz'));
    assert.ok(files.length > 15);
    for (const name of files) {
      const path = join(root, place, name), original = restored(program, path);
      const found = joined(blocksOf(path).map((block) => decoder.decode(block)));
      assert.equal(Buffer.compare(found, original), 0, name);
    }
  });
}

// Numbers of 32 bits that are alike, but no multiples of anything; the same in each run.
function wave(count) {
  const numbers = new Uint32Array(count);
  let noise = 1;
  for (let i = 0; i < count; ++i) {
    noise = Math.imul(noise, 1664525) + 1013904223 >>> 0;
    numbers[i] = 40000 + 30000 * Math.sin(i / 300) + (noise >>> 26);
  }
  return numbers;
}

const PLANS = [
  ['--type', 'i16'], ['--type', 'i16x2', '--order', '2'], ['--type', 'i24', '--fast'], ['--type', 'f32', '--best'],
  ['--type', 'u64'], ['--type', 'i32', '--fastest'], ['--type', 'i16x2', '--fastest'], ['--type', 'f64x3', '--gpu'],
  ['--best'], ['--type', 'u8x3', '--best'], ['--type', 'i16', '--best'], ['--row', '500', '--type', 'i16', '--best'],
];

function comesBack(original, options) {
  writeFileSync(join(work, 'numbers'), original);
  const blocks = compressed(program, join(work, 'numbers'), join(work, 'numbers.tdz'), options);
  const found = joined(blocks.map((block) => decoder.decode(block)));
  assert.equal(Buffer.compare(found, original), 0, options.join(' '));
}

test('what the program writes comes back, with every effort', () => {
  const original = new Uint8Array(wave(full ? 300000 : 50000).buffer);
  for (const options of PLANS) comesBack(original, options);
});

test('words of all widths come back, in tuples and orders of all sorts', () => {
  const original = new Uint8Array(wave(7000).buffer).subarray(0, 26003);
  const layouts = full ? ['interleaved', 'planes', 'tuple-planes', 'bit-planes'] : ['tuple-planes'];
  for (const bits of [8, 16, 24, 32, 40, 64]) {
    for (const tuple of full ? [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 65, 70, 300, 3000] : [1, 2, 3, 5, 17, 70]) {
      for (const order of full ? [0, 1, 2, 3, 4, 5, 6, 7, 8] : [1, 2, 8]) {
        for (const layout of layouts)
          comesBack(original, ['--type', `u${bits}x${tuple}`, '--order', String(order), '--layout', layout]);
      }
    }
  }
});

// Sounds, decimals and pictures, for the steps that only a search chooses.
function* signals() {
  const noise = wave(30000).map((word) => word % 7);
  const sound = (i) => 9000 * Math.sin(i / 9) + 5000 * Math.sin(i / 31 + 1) + 700 * Math.sin(i / 2.5) + noise[i];
  const height = (i) => 2000 * Math.sin((i % 300) / 40) * Math.cos(Math.floor(i / 300) / 30) + noise[i];
  const of = (Type, number) => new Uint8Array(Type.from({length: 30000}, (_, i) => number(i)).buffer);
  for (const [name, Type, factor] of [['i8', Int8Array, 0.007], ['i16', Int16Array, 1], ['i32', Int32Array, 90000]]) {
    yield [name, of(Type, (i) => factor * sound(i))];
    yield [`${name}x2`, of(Type, (i) => factor * sound(i >> 1) + i % 2)];
    yield [name, of(Type, (i) => factor * height(i)), '--row', '300'];
  }
  yield ['i64', of(BigInt64Array, (i) => BigInt(Math.round(1e6 * sound(i))))];
  yield ['f32', of(Float32Array, (i) => Math.round(sound(i)) / 100)];
  yield ['f64x3', of(Float64Array, (i) => Math.round(sound(i)) / 8 * (i % 3 + 1))];
  yield ['f64', of(Float64Array, (i) => i % 911 === 0 ? NaN : Math.round(height(i)) / 1000), '--row', '300'];
  yield ['u16', of(Uint16Array, (i) => 40 * Math.round(height(i) / 9 + 500)), '--row', '300'];
  yield ['u8x3', of(Uint8Array, (i) => 128 + height(Math.floor(i / 3)) / 20 + i % 3)];
}

test('sounds, decimals and pictures come back', () => {
  for (const [type, original, ...options] of signals()) {
    for (const effort of full ? ['--best', '--fast', '--fastest', '--gpu'] : ['--best'])
      comesBack(original, ['--type', type, ...options, effort]);
  }
});

test('samples come back', () => {
  for (const name of readdirSync(join(root, 'samples')).filter((file) => file.endsWith('.bin'))) {
    const path = join(root, 'samples', name), original = readFileSync(path);
    const blocks = compressed(program, path, join(work, 'sample.tdz'), full ? ['--best'] : ['--fast']);
    assert.equal(Buffer.compare(joined(blocks.map((block) => decoder.decode(block))), original), 0, name);
  }
});

// ---- Damage

const SMALL = ['i16x2', 'predict_i16', 'grid_u24', 'packed_i16', 'scale_f32_holes', 'uniform_u16', 'tokens_u32', 'lanes'];

test('every shorter block is truncated', () => {
  for (const name of SMALL) {
    const block = firstBlock(name), step = full ? 1 : Math.ceil(block.length / 500);
    for (let length = 0; length < block.length; length += step)
      assert.equal(errorOf(() => decoder.decode(block.subarray(0, length))).kind, 'truncated', `${name}: ${length}`);
    const longer = joined([block, new Uint8Array(1)]);
    assert.equal(errorOf(() => decoder.decode(longer)).kind, 'corrupt', name);
  }
});

test('a flipped bit is an error, or changes no byte', () => {
  const kinds = new Set();
  let harmless = 0, flips = 0;
  for (const name of SMALL) {
    const block = firstBlock(name), original = decoder.decode(block);
    const step = full ? 1 : Math.ceil(8 * block.length / 2500);
    for (let bit = 0; bit < 8 * block.length; bit += step, ++flips) {
      block[bit >> 3] ^= 1 << (bit & 7);
      try {
        assert.equal(Buffer.compare(decoder.decode(block), original), 0, `${name}: bit ${bit} gives other bytes`);
        harmless += 1;
      } catch (error) {
        assert.ok(error instanceof tdz.TdzError, `${name}: bit ${bit}: ${error.stack}`);
        kinds.add(error.kind);
      }
      block[bit >> 3] ^= 1 << (bit & 7);
    }
    assert.equal(Buffer.compare(decoder.decode(block), original), 0, `${name} after its damage`);
  }
  assert.deepEqual([...kinds], ['corrupt']);
  assert.ok(harmless < flips / 50, `${harmless} of ${flips} change nothing`);  // checksums that zstd has too
});

// The block with another first step, and the check that a writer of it would have written.
function withStep(block, number) {
  const changed = block.slice(), view = new DataView(changed.buffer), record = 8 + view.getUint32(4, true);
  assert.equal(changed[96], 1, 'one column, so its first step is at 104');
  view.setUint16(104, number, true);
  writeFileSync(join(work, 'record'), changed.subarray(0, record - 8));
  const [check] = /[0-9a-f]{16}/.exec(execFileSync('xxhsum', ['-H3', join(work, 'record')], {encoding: 'latin1'}));
  view.setBigUint64(record - 8, BigInt(`0x${check}`), true);
  return changed;
}

test('a block of a later version is unsupported', () => {
  const block = firstBlock('i16x2');
  const step = new DataView(block.buffer).getUint16(104, true);
  assert.equal(Buffer.compare(withStep(block, step), block), 0, 'the check is computed as tdz does');
  assert.equal(errorOf(() => decoder.decode(withStep(block, 200))).kind, 'unsupported');
});

test('no bytes and other bytes are errors', () => {
  assert.equal(errorOf(() => decoder.decode(new Uint8Array(0))).kind, 'truncated');
  assert.equal(errorOf(() => decoder.decode(new Uint8Array(500).fill(7))).kind, 'corrupt');
  assert.throws(() => decoder.decode('text'), TypeError);
  assert.throws(() => decoder.decode(new Uint8Array(9), {limit: -1}), RangeError);
});

// ---- Bounds

test('an original that is longer than the limit is never made', async () => {
  const zeros = join(work, 'zeros');
  writeFileSync(zeros, new Uint8Array(2 ** 26));
  const [block] = compressed(program, zeros, `${zeros}.tdz`, ['--chunk', '64MiB', '--type', 'u8', '--fast']);
  assert.ok(block.length < 2 ** 20);
  const own = await tdz.createDecoder({limit: 2 ** 26 - 1});
  assert.equal(own.originalBytes(block), 2 ** 26);
  const before = own.memoryBytes;
  assert.equal(errorOf(() => own.decode(block)).kind, 'limit');
  assert.equal(errorOf(() => own.decode(block, {limit: 2 ** 30})).kind, 'limit', 'a call only lowers the limit');
  assert.equal(own.memoryBytes, before);
  assert.ok(before < 2 ** 24 + 2 ** 20);
  assert.equal((await tdz.decode(block, {limit: 2 ** 26})).length, 2 ** 26);
});

test('the original goes into memory of the caller', () => {
  const block = firstBlock('i16x2'), original = decoder.decode(block);
  const room = new Uint8Array(original.length + 10).fill(9);
  const found = decoder.decode(block, {into: room});
  assert.equal(found.buffer, room.buffer);
  assert.equal(Buffer.compare(found, original), 0);
  assert.ok(room.subarray(original.length).every((byte) => byte === 9));
  const words = new Int16Array(original.length);
  assert.equal(Buffer.compare(decoder.decode(block, {into: words}), original), 0);
  assert.equal(errorOf(() => decoder.decode(block, {into: new Uint8Array(original.length - 1)})).kind, 'limit');
});

// ---- Zarr

test('the codec checks the length of a chunk', async () => {
  const registry = new Map();
  tdz.register(registry);
  const Codec = await registry.get('tdz')();
  const block = firstBlock('i16x2'), original = decoder.decode(block);
  const codec = (count, configuration = {}) =>
    Codec.fromConfig(configuration, {dataType: 'uint8', shape: [count], codecs: []});
  assert.equal(codec(1).kind, 'bytes_to_bytes');
  assert.equal(Buffer.compare(await codec(original.length).decode(block), original), 0);
  await assert.rejects(codec(original.length - 1).decode(block), {kind: 'limit'});
  await assert.rejects(codec(original.length + 1).decode(block), {kind: 'corrupt'});
  const padded = await codec(original.length + 5, {pad: true}).decode(block);
  assert.equal(Buffer.compare(padded, joined([original, new Uint8Array(5)])), 0);
  await assert.rejects(codec(5).encode(original), {kind: 'unsupported'});
});

test('the codec knows the bytes of types', async () => {
  const block = firstBlock('i16x2'), bytes = decoder.originalBytes(block);
  const of = (meta) => tdz.TdzCodec.fromConfig({}, meta).decode(block);
  for (const [dataType, size] of [['int16', 2], ['float16', 2], ['uint32', 4], ['float64', 8], ['complex64', 8],
    ['bool', 1], ['r24', 3], ['v2:U3', 12], ['v2:S5', 5]]) {
    const most = Math.floor(bytes / size);
    await assert.rejects(of({dataType, shape: [most - 1, 1]}), {kind: 'limit'}, dataType);
    await assert.rejects(of({data_type: dataType, shape: [1, most + 1]}), {kind: 'corrupt'}, dataType);
  }
  assert.equal((await of({dataType: 'string', shape: [3]})).length, bytes);
});

test('many decoders and many blocks do not grow memory', async () => {
  const block = firstBlock('predict_i16'), own = await tdz.createDecoder();
  own.decode(block);
  const memory = own.memoryBytes;
  for (let i = 0; i < 300; ++i) own.decode(block);
  assert.equal(own.memoryBytes, memory);
});
