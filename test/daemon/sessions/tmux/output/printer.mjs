import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync, writeSync } from 'node:fs';

// Prints so many bytes of all kinds (text, escape sequences, broken UTF-8, NUL) and then leaves what they were.
const [bytes, report, pauseMs] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])];
const hash = createHash('sha256');
const line = Buffer.from('\x1b[32m✻ Crunching…\x1b[0m and an ordinary line of words, number after number: 123456\r\n');
let printed = 0;

function print(part) {
  hash.update(part);
  for (let done = 0; done < part.length; ) {
    try {
      done += writeSync(1, part, done);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
  printed += part.length;
}

while (printed < bytes) {
  const lines = Buffer.concat(Array.from({ length: 1 + (printed % 97) }, () => line));
  print(lines.subarray(0, Math.min(lines.length, bytes - printed)));
  // Without a slash it has no address, so nothing in it is taken for a password.
  print(Buffer.from(randomBytes(Math.min(997, bytes - printed)).map((byte) => (byte === 0x2f ? 0xff : byte))));
  if (pauseMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}
writeFileSync(report, JSON.stringify({ bytes: printed, sha256: hash.digest('hex') }));
