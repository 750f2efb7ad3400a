import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { damageInLog } from '../../../schemas/errors/databaseDamage.ts';
import { DevflowError } from '../../../schemas/errors.ts';

/**
 * One error from the output of initdb or postgres, or from a failed system call. `pid` is of the server that was started:
 * processes of a killed one may still write to the same log.
 */
export function serverFailure(doing: string, output: string, cause?: unknown, pid?: number): DevflowError {
  if (cause instanceof DevflowError) return cause;
  const text = `${output}\n${cause instanceof Error ? cause.message : ''}`;
  const line = lastComplaint(text, pid);
  if (/No space left on device|Check free disk space|ENOSPC|Disk quota exceeded|EDQUOT/i.test(text)) {
    return new DevflowError('disk_full', `${doing} failed: the disk is full (${line}).`, { cause });
  }
  if (/Permission denied|EACCES|EROFS|Read-only file system|Operation not permitted|EPERM/i.test(text)) {
    return new DevflowError('workspace_permissions', `${doing} failed: ${line}.`, { cause });
  }
  const damage = damageInLog(output);
  if (damage !== undefined) {
    return new DevflowError('db_damaged', `${doing} failed: the database is damaged (${damage}).`, { cause });
  }
  return new DevflowError('db_unreachable', `${doing} failed: ${line}.`, { cause });
}

/** The server's own comes first. Its start-up process complains under a pid that devflow does not know. */
function lastComplaint(text: string, pid?: number): string {
  const lines = text.split('\n').map((line) => line.trim());
  const loud = lines.filter((line) => /FATAL|PANIC|ERROR|error:|denied|No space/i.test(line));
  const line =
    loud.findLast((line) => line.includes(` [${pid}] `)) ??
    loud.at(-1) ??
    lines.filter(Boolean).at(-1) ??
    'no error message';
  return line.replace(/^.*?\b(FATAL|PANIC|ERROR):\s*/, '').replace(/\.$/, '');
}

/** The text appended to a file after `from` bytes, or since it was replaced; at most the last 16 KiB. */
export function readSince(path: string, from: number): string {
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    const length = Math.min(size < from ? size : size - from, 16_384);
    const bytes = Buffer.alloc(length);
    readSync(fd, bytes, 0, length, size - length);
    return bytes.toString('utf8');
  } finally {
    closeSync(fd);
  }
}
