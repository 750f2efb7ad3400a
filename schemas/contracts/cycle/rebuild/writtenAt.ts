import type { TreeSnapshot } from '../../report/tree.ts';
import { cycleTime } from '../state/cycleTime.ts';

/** When a file was last written. */
export function writtenAt({ entries, now }: TreeSnapshot, path: string): string {
  return cycleTime(Math.min(entries.get(path)?.mtime ?? now, now));
}
