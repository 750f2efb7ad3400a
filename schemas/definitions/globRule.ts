import { repositoryPathFault } from '../files/repositoryPath.ts';

/** Longer patterns are generated lists. They belong into several globs. */
const MOST_CHARACTERS = 500;

/**
 * A glob of an agent as devflow uses it, or why it is none, as the end of a sentence. `src/` becomes `src/**` and `./x`
 * becomes `x`. A glob names files of the repository, so it has the rules of a path in it.
 */
export function normaliseGlob(text: string): { glob: string } | { fault: string } {
  const glob = tidied(text);
  // Both, because `./!x` is a negation only without its beginning.
  const fault = globFault(text) ?? globFault(glob);
  return fault === undefined ? { glob } : { fault };
}

function tidied(text: string): string {
  const parts = text.split('/').filter((part) => part !== '.' && part !== '');
  const isDirectory = /\/\.?$/.test(text) && parts.at(-1) !== '**';
  return (isDirectory ? [...parts, '**'] : parts).join('/');
}

function globFault(text: string): string | undefined {
  if (text.trim() === '') return 'is empty';
  if (text.length > MOST_CHARACTERS) return `is longer than ${MOST_CHARACTERS} characters`;
  if (/^!(?!\()/.test(text)) return 'must not be a negation: name the files that the task writes';
  if (/^[A-Za-z]:[\\/]/.test(text)) return 'must be relative to the root of the repository';
  return repositoryPathFault(text) ?? alternativesFault(text);
}

/** Braces and groups can hide a path that leads out: `{src,..}/x`. */
function alternativesFault(text: string): string | undefined {
  if (/^(?:\.\/)*[{(@+?*!]*[{(]/.test(text) && /[{(,|]\//.test(text)) {
    return 'must be relative to the root of the repository';
  }
  return repositoryPathFault(`x/${text.replaceAll(/[{}(),|\\]+/g, '/')}`);
}
