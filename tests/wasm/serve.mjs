// SPDX-License-Identifier: Apache-2.0
// Makes a Zarr array of tdz blocks from a sample and serves it with page.html: serve.mjs PROGRAM PACKAGE FOLDER. Prints the
// address when it is ready, and then each result that the page sends.
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {dirname, extname, join, normalize} from 'node:path';
import {fileURLToPath} from 'node:url';

import {compressed} from './blocks.mjs';

const [program, packed, folder] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const SHAPE = [60, 4320], CHUNK = [25, 1440];  // of samples/relief_i16x1.bin; the last chunks are not full

function writeArray(original) {
  const heights = new Int16Array(original.buffer, original.byteOffset, SHAPE[0] * SHAPE[1]);
  for (let y = 0; y < SHAPE[0]; y += CHUNK[0]) {
    for (let x = 0; x < SHAPE[1]; x += CHUNK[1]) {
      const chunk = new Int16Array(CHUNK[0] * CHUNK[1]);  // zeros where the array has ended
      for (let r = 0; r < CHUNK[0] && y + r < SHAPE[0]; ++r)
        chunk.set(heights.subarray((y + r) * SHAPE[1] + x, (y + r) * SHAPE[1] + x + CHUNK[1]), r * CHUNK[1]);
      writeFileSync(join(folder, 'chunk'), new Uint8Array(chunk.buffer));
      const [block] = compressed(program, join(folder, 'chunk'), join(folder, 'chunk.tdz'), ['--type', 'i16', '--row', '1440']);
      mkdirSync(join(folder, 'array/c', String(y / CHUNK[0])), {recursive: true});
      writeFileSync(join(folder, 'array/c', String(y / CHUNK[0]), String(x / CHUNK[1])), block);
    }
  }
  writeFileSync(join(folder, 'array/zarr.json'), JSON.stringify({
    zarr_format: 3, node_type: 'array', shape: SHAPE, data_type: 'int16', fill_value: 0,
    chunk_grid: {name: 'regular', configuration: {chunk_shape: CHUNK}},
    chunk_key_encoding: {name: 'default', configuration: {separator: '/'}},
    codecs: [{name: 'bytes', configuration: {endian: 'little'}}, {name: 'tdz', configuration: {}}],
  }));
}

const original = new Uint8Array(readFileSync(join(here, '../../samples/relief_i16x1.bin')));
writeArray(original);
writeFileSync(join(folder, 'original'), original);

const TYPES = {'.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.json': 'application/json'};

function fileOf(path) {
  if (path.startsWith('/package/')) return join(packed, path.slice('/package'.length));
  if (path === '/page.html' || path === '/page.js') return join(here, path);
  return join(folder, path);
}

const server = createServer((request, response) => {
  const path = normalize(new URL(request.url, 'http://localhost').pathname);
  if (request.method === 'POST') {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      console.log(Buffer.concat(parts).toString());
      response.writeHead(204).end();
    });
    return;
  }
  try {
    const bytes = readFileSync(fileOf(path));
    response.writeHead(200, {'content-type': TYPES[extname(path)] ?? 'application/octet-stream'}).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/page.html`));
