import { isUtf8 } from 'node:buffer';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Below this size, compression saves less than its frame and column cost. */
const WORTH_PACKING = 512;
/** Measured on terminal output: 3 takes 0.3 ms for 64 KB; 9 takes three times that and saves a tenth. */
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 3 };

/** The columns for a chunk: short text unchanged (Postgres refuses NUL in text), else zstd. */
export function pack(bytes: Buffer): { content: string; data: Buffer | null } {
  const isText = isUtf8(bytes) && !bytes.includes(0);
  if (isText && bytes.length < WORTH_PACKING) return { content: bytes.toString('utf8'), data: null };
  return { content: '', data: zstdCompressSync(bytes, { params: PARAMS }) };
}

export function unpack({ content, data }: { content: string; data: Buffer | null }): Buffer {
  return data === null ? Buffer.from(content) : zstdDecompressSync(data);
}
