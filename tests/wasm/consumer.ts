// SPDX-License-Identifier: Apache-2.0
// A program in TypeScript that uses every declaration of bindings/wasm/index.d.ts, as strictly as tsc checks. types.test.mjs
// compiles it and runs what comes out, so a declaration that index.js does not keep is an error too.
import {
  createDecoder, decode, load, register, TdzCodec, TdzError,
  type DecodeOptions, type Decoder, type TdzErrorKind,
} from 'tdz-decoder';

// What zarrita 0.5 asks of a codec and of its registry, word by word.
interface BytesToBytes {
  kind: 'bytes_to_bytes';
  encode(data: Uint8Array): Promise<Uint8Array>;
  decode(data: Uint8Array): Promise<Uint8Array>;
}
interface CodecEntry {
  fromConfig(config: unknown, meta: {dataType: string; shape: number[]; codecs: unknown[]}): BytesToBytes;
}

function same(found: unknown, wanted: unknown, what: string): void {
  if (found !== wanted) throw new Error(`${what}: ${String(found)}, not ${String(wanted)}`);
}

// tsc fails where a kind has no case.
function advice(kind: TdzErrorKind): string {
  switch (kind) {
    case 'truncated': return 'read more';
    case 'corrupt': return 'fetch it again';
    case 'unsupported': return 'take a later version';
    case 'limit': return 'raise the limit';
    case 'usage': return 'mend the program';
  }
}

function kindOf(error: unknown): TdzErrorKind {
  if (!(error instanceof TdzError)) throw error;
  const name: 'TdzError' = error.name, kind: TdzErrorKind = error.kind, text: string = error.message;
  same(error instanceof Error && text.length > 5, true, `${name}: a message`);
  same(advice(kind).length > 5, true, 'advice');
  return kind;
}

function withDecoder(decoder: Decoder, block: Uint8Array): number {
  const length: number = decoder.originalBytes(block);
  const whole = new ArrayBuffer(block.length);
  new Uint8Array(whole).set(block);
  const room = new Int16Array(length / 2);
  const targets: NonNullable<DecodeOptions['into']>[] = [room, room.buffer, new Uint8Array(length)];
  for (const into of targets) {
    const original: Uint8Array = decoder.decode(new DataView(whole), {into, limit: length});
    same(original.length, length, 'bytes of the original');
  }
  try {
    decoder.decode(whole, {limit: length - 1});
    throw new Error('a limit was passed');
  } catch (error) {
    same(kindOf(error), 'limit', 'the kind');
  }
  const ended: boolean = decoder.ended, bytes: number = decoder.memoryBytes;
  same(ended, false, 'ended');
  same(bytes > length, true, 'memoryBytes');
  return length;
}

// `block` holds numbers of 16 bits; `wasm` is tdz.wasm.
export async function use(block: Uint8Array, wasm: URL): Promise<number> {
  const module: WebAssembly.Module = await load(wasm);
  same(await load(module), module, 'a module that is compiled already');
  await load(wasm.href);
  same(await load() instanceof WebAssembly.Module, true, 'load()');

  const length = withDecoder(await createDecoder(), block);
  withDecoder(await createDecoder({limit: length}), block);
  const options: DecodeOptions = {limit: length};
  same((await decode(block, options)).length, length, 'decode()');
  same(kindOf(await decode(block.subarray(0, 100)).catch((error: unknown) => error)), 'truncated', 'the kind');
  same(kindOf(new TdzError('corrupt', 'a bad block')), 'corrupt', 'an error of one\'s own');

  const registry = new Map<string, () => Promise<CodecEntry>>();
  register(registry);
  const entry = await registry.get('tdz')?.();
  same(entry, TdzCodec, 'the entry');
  const codec: BytesToBytes = TdzCodec.fromConfig({}, {dataType: 'int16', shape: [length / 2], codecs: []});
  const kind: 'bytes_to_bytes' = codec.kind;
  same(kind, 'bytes_to_bytes', 'the kind of codec');
  same((await codec.decode(block)).length, length, 'decode() of the codec');
  same(kindOf(await codec.encode(block).catch((error: unknown) => error)), 'unsupported', 'the kind');
  return length;
}

// Never called: each line must be an error to tsc.
export async function mistakes(decoder: Decoder, error: TdzError): Promise<void> {
  // @ts-expect-error: a block is bytes, not text
  decoder.decode('heights.zarr/c/0/0');
  // @ts-expect-error: a limit counts bytes
  await decode(new Uint8Array(1), {limit: '4 MiB'});
  // @ts-expect-error: there is no such kind
  same(error.kind === 'io', false, 'kind');
  // @ts-expect-error: a decoder decides when it has ended
  decoder.ended = true;
  // @ts-expect-error: decode() gives a promise
  same((await createDecoder()).length, (decode(new Uint8Array(1))).length, 'lengths');
}
