import { readFileSync } from 'node:fs';

/** `gone`: no such process, or a hidden one. `denied`: another user's. `failed`: too many open files, for example. */
export type ProcFault = 'gone' | 'denied' | 'failed';

const FAULTS: Readonly<Record<string, ProcFault>> = {
  ENOENT: 'gone',
  ESRCH: 'gone',
  EACCES: 'denied',
  EPERM: 'denied',
};

/**
 * A file of `/proc`, such as `12/stat`, or why there is none. It is read as UTF-8: for any other encoding Node needs
 * two buffers of 64 KB for each such file.
 */
export function tryReadProc(path: string): { text: string } | { fault: ProcFault } {
  try {
    return { text: readFileSync(`/proc/${path}`, 'utf8') };
  } catch (error) {
    return { fault: FAULTS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'failed' };
  }
}

/** A file of `/proc`; empty if the process has ended or belongs to another user. */
export function readProc(path: string): string {
  const read = tryReadProc(path);
  return 'text' in read ? read.text : '';
}
