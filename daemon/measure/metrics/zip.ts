import { inflateRawSync } from 'node:zlib';
import { Unreadable } from './reading.ts';

const LOCAL = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
const STORED = 0;
const DEFLATED = 8;
const MOST_ENTRIES = 1_000;

/** True if the bytes are a zip. */
export function isZip(bytes: Buffer): boolean {
  return bytes.length > END_BYTES && bytes.readUInt32LE(0) === LOCAL;
}

/**
 * The content of the first file of a zip whose name matches; undefined if there is none. Of nothing it believes what the
 * archive says of its size: at most `most` bytes are unpacked. Throws `Unreadable`.
 */
export function readZip(bytes: Buffer, wanted: RegExp, most: number): Buffer | undefined {
  try {
    const found = entriesOf(bytes).find(({ name }) => wanted.test(name));
    return found && contentOf(bytes, found, most);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`is no zip that devflow can read: ${(error as Error).message.slice(0, 200)}`);
  }
}

interface Entry {
  name: string;
  method: number;
  packed: number;
  at: number;
}

function entriesOf(bytes: Buffer): Entry[] {
  let end = bytes.length - END_BYTES;
  // A comment may follow, of 64 KB at most.
  const first = Math.max(0, end - 0xffff);
  while (end >= first && bytes.readUInt32LE(end) !== END) end -= 1;
  if (end < first) throw new Unreadable('is a zip without its directory');
  const entries: Entry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  while (entries.length < MOST_ENTRIES && at + 46 <= bytes.length && bytes.readUInt32LE(at) === ENTRY) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const name = bytes.toString('utf8', at + 46, at + 46 + (nameBytes ?? 0));
    const [method, packed, start] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 42),
    ];
    entries.push({ name, method, packed, at: start });
    at += 46 + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0);
  }
  return entries;
}

function contentOf(bytes: Buffer, { method, packed, at }: Entry, most: number): Buffer {
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  const content = bytes.subarray(start, start + packed);
  if (method === STORED) return content;
  if (method !== DEFLATED) throw new Unreadable('is packed in a way that devflow does not read');
  return inflateRawSync(content, { maxOutputLength: most });
}
