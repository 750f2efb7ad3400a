import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The path itself, or its nearest ancestor that exists. */
export async function nearestExisting(path: string): Promise<string> {
  const exists = await stat(path).catch((error: NodeJS.ErrnoException) => error.code !== 'ENOENT');
  return exists || dirname(path) === path ? path : nearestExisting(dirname(path));
}
