import { DevflowError } from '../../schemas/errors.ts';
import { lookInside, writeInside } from '../../schemas/files/insideRoot.ts';

/** Writes a file of a repository whole: a reader sees the old text or the new one. It follows no link. */
export function writeWhole(repo: string, path: string, text: string | Uint8Array): void {
  const found = lookInside(repo, path);
  const mode = found.ok && found.facts.isFile() ? found.facts.mode & 0o777 : 0o644;
  const written = writeInside(repo, path, text, mode, 0o755);
  if (!written.ok) throw new DevflowError('path_unsafe', `devflow cannot write ${path}: ${written.fault}.`);
}
