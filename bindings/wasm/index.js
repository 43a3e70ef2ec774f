// SPDX-License-Identifier: Apache-2.0
// Decodes lone blocks of tdz, such as the chunks of Zarr arrays, in browsers and in Node. index.d.ts says what each
// function takes, gives and throws.

const KINDS = ['usage', 'corrupt', 'truncated', 'unsupported', 'io', 'limit', 'cancelled'];  // tdz::ErrorKind
const MOST_BYTES = 2 ** 30;  // of the original of a block, by the format
const MOST_OF_A_BLOCK = 2 ** 31;  // more than any block has; the module counts in 32 bits

export class TdzError extends Error {
  constructor(kind, message) {
    super(message);
    this.name = 'TdzError';
    this.kind = kind;
  }
}

// ---- The module: loaded and compiled once

let compiled = null;

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source === undefined) source = new URL('./tdz.wasm', import.meta.url);
  if (typeof source === 'string' || source instanceof URL) {
    if (new URL(source, import.meta.url).protocol === 'file:') {  // Node's fetch reads no files
      const {readFile} = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises');
      return WebAssembly.compile(await readFile(new URL(source, import.meta.url)));
    }
    source = await fetch(source);
  }
  if (typeof Response !== 'undefined' && source instanceof Response) {
    if (!source.ok) throw new Error(`tdz.wasm could not be loaded: ${source.status} for ${source.url}`);
    return WebAssembly.compile(await source.arrayBuffer());  // whatever media type the server gives it
  }
  return WebAssembly.compile(source);
}

export function load(source) {
  if (compiled === null || source !== undefined) {
    const loading = compile(source);
    compiled = loading;
    loading.catch(() => { if (compiled === loading) compiled = null; });  // the next call tries again
  }
  return compiled;
}

// ---- One decoder: one instance of the module

// The module ended itself: in C++ an exception was thrown, and the only one there is says that memory is missing.
class ModuleEnded extends Error {}

// What the module may ask for: to know that its memory grew, and to end.
const IMPORTS = {
  env: {emscripten_notify_memory_growth() {}},
  wasi_snapshot_preview1: {proc_exit() { throw new ModuleEnded(); }},
};

function bytesOf(data, name) {
  if (data instanceof Uint8Array) return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw new TypeError(`${name} must be a Uint8Array, another view of bytes, or an ArrayBuffer`);
}

function checkedLimit(limit) {
  if (!Number.isInteger(limit) || limit < 0) throw new RangeError(`limit is ${limit}; it counts bytes`);
  return Math.min(limit, MOST_BYTES);
}

class Decoder {
  #wasm;
  #limit;
  #length;  // where the module writes the length of an original

  constructor(instance, limit) {
    this.#wasm = instance.exports;
    this.#limit = limit;
    this.#wasm._initialize();
    this.#length = this.#wasm.tdz_begin();
  }

  get ended() {
    return this.#wasm === null;
  }

  // Bytes of memory that the instance holds; it never gives them back before it is collected.
  get memoryBytes() {
    return this.#wasm === null ? 0 : this.#wasm.memory.buffer.byteLength;
  }

  originalBytes(block) {
    return this.#run((wasm) => {
      const data = bytesOf(block, 'the block');
      this.#check(wasm.tdz_original_bytes(this.#put(data)));
      return this.#told();
    });
  }

  decode(block, {limit = this.#limit, into = null} = {}) {
    const data = bytesOf(block, 'the block');
    const most = Math.min(checkedLimit(limit), this.#limit);
    const target = into === null ? null : bytesOf(into, 'into');
    return this.#run((wasm) => {
      const length = this.#put(data);
      this.#check(wasm.tdz_decode(length, target === null ? most : Math.min(most, target.length)));
      const at = wasm.tdz_original() >>> 0;
      const original = new Uint8Array(wasm.memory.buffer, at, this.#told());
      if (target === null) return original.slice();
      target.set(original);
      return target.subarray(0, original.length);
    });
  }

  // Returns the length that was copied: a view of shared memory may grow meanwhile.
  #put(data) {
    const length = data.length;
    if (length > MOST_OF_A_BLOCK) throw new TdzError('usage', `${length} bytes are more than a block has`);
    const at = this.#wasm.tdz_block(length) >>> 0;
    new Uint8Array(this.#wasm.memory.buffer, at, length).set(data.subarray(0, length));
    return length;
  }

  #told() {
    return new DataView(this.#wasm.memory.buffer).getUint32(this.#length, true);
  }

  #check(error) {
    if (error === 0) return;
    const message = new Uint8Array(this.#wasm.memory.buffer, this.#wasm.tdz_message() >>> 0);
    throw new TdzError(KINDS[error - 1], new TextDecoder().decode(message.subarray(0, message.indexOf(0))));
  }

  // A trap, and an exception in C++, leave the instance in no known state, so they are the end of this decoder.
  #run(work) {
    if (this.#wasm === null) throw new TdzError('usage', 'this decoder has ended; make another one');
    const wasm = this.#wasm;
    try {
      return work(wasm);
    } catch (error) {
      const thrown = error instanceof ModuleEnded;
      if (!thrown && !(error instanceof WebAssembly.RuntimeError)) throw error;
      this.#wasm = null;
      if (!thrown && wasm.tdz_out_of_memory() === 0) throw error;
      throw new TdzError('limit', 'out of memory; give a smaller limit, or store smaller chunks');
    }
  }
}

export async function createDecoder({limit = MOST_BYTES} = {}) {
  const most = checkedLimit(limit);
  return new Decoder(await WebAssembly.instantiate(await load(), IMPORTS), most);
}

// ---- A decoder for all who need no own one

let shared = null;

async function sharedDecoder() {
  if (shared === null) {
    const making = createDecoder();
    shared = making;
    making.catch(() => { if (shared === making) shared = null; });
  }
  const awaited = shared;
  const decoder = await awaited;
  if (decoder.ended && shared === awaited) shared = null;
  return decoder;
}

export async function decode(block, options) {
  let decoder = await sharedDecoder();
  while (decoder.ended) decoder = await sharedDecoder();  // a call beside this one may have ended it
  return decoder.decode(block, options);
}

// ---- Zarr: a codec for zarrita's registry

const TYPE_BYTES = /^(?:(?:u?int|float)(8|16|32|64)|complex(64|128)|bool|r(\d+)|v2:[US](\d+))$/;

// null: a chunk of this type has no length that is known before.
function typeBytes(type) {
  const found = TYPE_BYTES.exec(typeof type === 'string' ? type : '');
  if (found === null) return null;
  if (type === 'bool') return 1;
  if (type.startsWith('v2:')) return Number(found[4]) * (type[3] === 'U' ? 4 : 1);
  return Number(found[1] ?? found[2] ?? found[3]) / 8;
}

function chunkBytes(meta) {
  const size = typeBytes(meta?.dataType ?? meta?.data_type);
  const shape = meta?.shape ?? meta?.chunk_shape;
  return size === null || !Array.isArray(shape) ? null : shape.reduce((bytes, length) => bytes * length, size);
}

export class TdzCodec {
  kind = 'bytes_to_bytes';
  #bytes;
  #pad;

  constructor(bytes = null, pad = false) {
    this.#bytes = bytes;
    this.#pad = pad;
  }

  static fromConfig(configuration, meta) {
    return new TdzCodec(chunkBytes(meta), Boolean(configuration?.pad));
  }

  async encode() {
    throw new TdzError('unsupported', 'this package only decodes; write the array with tdz for Python');
  }

  async decode(block) {
    if (this.#bytes === null) return decode(block);
    if (this.#bytes === 0 && block.length === 0) return block;
    const original = await decode(block, {limit: this.#bytes});
    if (original.length === this.#bytes) return original;
    if (!this.#pad)
      throw new TdzError('corrupt', `the block holds ${original.length} bytes, but the chunk has ${this.#bytes}`);
    const whole = new Uint8Array(this.#bytes);  // what Zarr does not show of the last chunk of a file is zero
    whole.set(original);
    return whole;
  }
}

export function register(registry) {
  registry.set('tdz', async () => TdzCodec);
}
