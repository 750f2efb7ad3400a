/** A path without empty parts and `.`, so that one file has one path. */
export function normalPath(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** The reason why an agent's path is refused, as the end of a sentence; undefined for a good path. */
export function repositoryPathFault(path: string): string | undefined {
  const parts = path.split('/');
  if (/\p{Cc}|[\u2028\u2029]/u.test(path)) return 'has control characters';
  if (path.startsWith('/')) return 'must be relative to the root of the repository';
  if (parts.includes('..')) return 'must not lead out of a directory with ..';
  if (parts.some((part) => part.toLowerCase() === '.git')) return "lies in git's own directory";
  if (parts.every((part) => part === '' || part === '.')) return 'names no file';
  return undefined;
}

/** The longest path that Linux takes, without its last NUL. */
const MOST_BYTES = 4095;
export const NO_PATH = 'is no path: leave out NUL and halves of characters, and give fewer than 4096 bytes';

/** True if a text can be a path at all. With half of a character it would name another file than the caller means. */
export function canBePath(text: string): boolean {
  return text !== '' && text.isWellFormed() && !text.includes('\0') && Buffer.byteLength(text) <= MOST_BYTES;
}
