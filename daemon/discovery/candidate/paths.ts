/** Paths of a commit: relative, with `/`. */

export function directoryOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at < 0 ? '.' : path.slice(0, at);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function inDirectory(directory: string, name: string): string {
  return directory === '.' ? name : `${directory}/${name}`;
}

/** A directory and those above it, up to the root. */
export function upwards(directory: string): string[] {
  const found: string[] = [];
  for (let at = directory; at !== '.'; at = directoryOf(at)) found.push(at);
  return [...found, '.'];
}

/** The directory that `step` leads to; undefined if that is outside of the repository. */
export function stepInto(directory: string, step: string): string | undefined {
  if (step.startsWith('/') || /[\p{Cc}\\]/u.test(step)) return undefined;
  const parts = directory === '.' ? [] : directory.split('/');
  for (const part of step.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.length === 0 ? '.' : parts.join('/');
}
