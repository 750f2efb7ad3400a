import { readFileSync } from 'node:fs';

/**
 * A file of `/proc`, such as `12/stat`; empty if the process has ended or belongs to another user. As UTF-8: in any other
 * encoding, Node takes two buffers of 64 KB for each file whose size it does not know.
 */
export function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
