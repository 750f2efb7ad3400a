import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** When to stop. All sizes of one question share it. */
export interface SizeLimit {
  signal: AbortSignal;
}

export interface TreeSize {
  bytes: number;
  /** Not everything was counted. */
  atLeast: boolean;
}

/** The bytes of the files below a directory. Follows no link. */
export async function treeSize(path: string, { signal }: SizeLimit): Promise<TreeSize> {
  const size = { bytes: 0, atLeast: false };
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const directory = await opendir(next).catch(() => undefined);
    if (directory === undefined) continue;
    try {
      for await (const entry of directory) {
        if (signal.aborted) return { ...size, atLeast: true };
        const inside = join(next, entry.name);
        if (entry.isDirectory()) waiting.push(inside);
        else if (entry.isFile()) size.bytes += (await lstat(inside).catch(() => undefined))?.size ?? 0;
      }
    } catch {
      // It went while it was read.
      size.atLeast = true;
    }
  }
  return size;
}
