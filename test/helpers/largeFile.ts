import { closeSync, openSync, truncateSync, utimesSync, writeSync } from 'node:fs';

const WRITTEN_AT = 1_000_000_000;

/** Makes a file of this size that takes no space, with a fixed time of its last write. */
export function makeLarge(path: string, bytes: number): void {
  closeSync(openSync(path, 'w'));
  truncateSync(path, bytes);
  utimesSync(path, WRITTEN_AT, WRITTEN_AT);
}

/** Changes one byte of such a file and puts its time back. */
export function changeUnseen(path: string, byte: string): void {
  const fd = openSync(path, 'r+');
  writeSync(fd, byte, 1000);
  closeSync(fd);
  utimesSync(path, WRITTEN_AT, WRITTEN_AT);
}
