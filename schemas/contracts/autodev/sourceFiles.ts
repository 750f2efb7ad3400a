import lists from './sourceFiles@1.json' with { type: 'json' };

const EXTENSIONS = new Set(lists.extensions);
const SKIPPED = new Set(lists.skippedDirectories);

/** True if a file is source code, by its place and name. Below `src` every file is. */
export function isSourceFile(path: string): boolean {
  const steps = path.split('/');
  const name = steps.at(-1) as string;
  if (name.startsWith('.')) return false;
  if (steps.length > 1 && steps[0] === lists.sourceDirectory) return true;
  const at = name.lastIndexOf('.');
  return at > 0 && EXTENSIONS.has(name.slice(at + 1).toLowerCase());
}

/** True if a directory may contain source code: not if it is hidden, or made by tools. */
export function mayHaveSource(name: string): boolean {
  return !name.startsWith('.') && !SKIPPED.has(name);
}

export const SOURCE_DIRECTORY = lists.sourceDirectory;
