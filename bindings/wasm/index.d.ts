// SPDX-License-Identifier: Apache-2.0

/** Why a block could not be decoded. `truncated`: more bytes may repair it. `corrupt`: nothing does. `unsupported`: a
 *  later version reads it. `limit`: the original has more bytes than are accepted, or memory is missing. `usage`: the
 *  call itself makes no sense. */
export type TdzErrorKind = 'truncated' | 'corrupt' | 'unsupported' | 'limit' | 'usage';

export class TdzError extends Error {
  readonly name: 'TdzError';
  readonly kind: TdzErrorKind;
  constructor(kind: TdzErrorKind, message: string);
}

export interface DecodeOptions {
  /** The most bytes that the original may have; no memory is taken for a longer one. At most 2^30, the default. */
  limit?: number;
  /** Where the original goes; a longer one is an error of kind `limit`. Then the result is a view of it. After an error
   *  its bytes are as before. Without it the result is new. */
  into?: Uint8Array | ArrayBuffer | ArrayBufferView;
}

/** One instance of the module, which keeps its memory for the next block. Each worker needs its own. */
export interface Decoder {
  /** Restores the numbers of one block: their bytes, little-endian unless the writer said otherwise. Throws TdzError. */
  decode(block: Uint8Array | ArrayBuffer | ArrayBufferView, options?: DecodeOptions): Uint8Array;
  /** The length of the original in bytes, from the front of the block. Throws TdzError. */
  originalBytes(block: Uint8Array | ArrayBuffer | ArrayBufferView): number;
  /** Whether memory ran out in a call. Then every further call throws: make another decoder. */
  readonly ended: boolean;
  /** The memory of the instance, in bytes. It grows with the longest block, and is free when the decoder is collected. */
  readonly memoryBytes: number;
}

/** `limit`: as in DecodeOptions, for all blocks of this decoder. */
export function createDecoder(options?: {limit?: number}): Promise<Decoder>;

/** Decodes with a decoder that all callers share. Rejects with TdzError. */
export function decode(block: Uint8Array | ArrayBuffer | ArrayBufferView, options?: DecodeOptions): Promise<Uint8Array>;

/** Loads tdz.wasm, once. Only needed to load it early, or from another place than beside index.js. */
export function load(source?: URL | string | Response | BufferSource | WebAssembly.Module): Promise<WebAssembly.Module>;

/** The codec "tdz" of Zarr version 3, for zarrita's registry. A block that is longer than its chunk is an error of kind
 *  `limit`; a shorter one is `corrupt`, unless the configuration has `pad`. */
export class TdzCodec {
  readonly kind: 'bytes_to_bytes';
  static fromConfig(configuration: unknown, meta: unknown): TdzCodec;
  /** Always rejects: kind `unsupported`. */
  encode(data: Uint8Array): Promise<never>;
  decode(block: Uint8Array): Promise<Uint8Array>;
}

/** Adds the codec to zarrita's registry: register(zarrita.registry). */
export function register(registry: {set(name: string, codec: () => Promise<unknown>): unknown}): void;
