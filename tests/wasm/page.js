// SPDX-License-Identifier: Apache-2.0
// The script of page.html: a reader of Zarr version 3 in a few lines, with the codec found in a registry as zarrita
// does. Sends its result to serve.mjs.
import {decode, register, TdzError} from './package/index.js';

const registry = new Map();
register(registry);

async function bytesFrom(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} for ${url}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function openArray(url) {
  const about = await (await fetch(`${url}/zarr.json`)).json();
  const chunk = about.chunk_grid.configuration.chunk_shape;
  const entry = about.codecs.find((codec) => codec.name !== 'bytes');
  const Codec = await registry.get(entry.name)();
  const codec = Codec.fromConfig(entry.configuration, {dataType: about.data_type, shape: chunk, codecs: []});
  return {url, shape: about.shape, chunk, codec};
}

// The array, row by row; of int16 alone.
async function readAll({url, shape: [rows, columns], chunk: [high, wide], codec}) {
  const all = new Int16Array(rows * columns), chunks = [];
  for (let y = 0; y < rows; y += high)
    for (let x = 0; x < columns; x += wide) chunks.push([y, x]);
  await Promise.all(chunks.map(async ([y, x]) => {
    const part = new Int16Array((await codec.decode(await bytesFrom(`${url}/c/${y / high}/${x / wide}`))).buffer);
    for (let r = 0; r < high && y + r < rows; ++r)
      all.set(part.subarray(r * wide, r * wide + Math.min(wide, columns - x)), (y + r) * columns + x);
  }));
  return all;
}

// Land green to white, sea blue.
function colour(height) {
  if (height < 0) return [20, 60 + 120 * Math.exp(height / 2500), 120 + 110 * Math.exp(height / 3500)];
  const up = Math.min(1, height / 5500);
  return [60 + 195 * up, 140 + 115 * up * up, 60 + 195 * up * up];
}

function draw(canvas, [rows, columns], heights) {
  canvas.width = columns;
  canvas.height = rows;
  canvas.style = `width:1280px;height:${Math.round(1280 * 6 * rows / columns)}px;image-rendering:pixelated`;
  const pixels = new ImageData(columns, rows);
  heights.forEach((height, i) => pixels.data.set([...colour(height), 255], 4 * i));
  canvas.getContext('2d').putImageData(pixels, 0, 0);
}

async function kindOfDamage(url) {
  const block = await bytesFrom(`${url}/c/0/0`);
  block[block.length - 100] ^= 4;
  return decode(block).then(() => 'none', (error) => error instanceof TdzError ? error.kind : String(error));
}

async function run() {
  const array = await openArray('array'), heights = await readAll(array);
  draw(document.getElementById('map'), array.shape, heights);
  const original = new Int16Array((await bytesFrom('original')).buffer);
  const same = heights.length === original.length && heights.every((height, i) => height === original[i]);
  const kind = await kindOfDamage('array');
  document.getElementById('text').textContent =
    `${array.shape.join(' x ')} heights, ${same ? 'all as they were' : 'WRONG'}; a damaged chunk is ${kind}`;
  return same && kind === 'corrupt' ? `PASSED ${heights.length}` : `FAILED same ${same}, ${kind}`;
}

run().catch((error) => `FAILED ${error.stack}`).then((result) => fetch('result', {method: 'POST', body: result}));
