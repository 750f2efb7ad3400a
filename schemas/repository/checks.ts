/** The setting with the checks of a repository, and the phase that takes them. */
export const CHECKS = 'verify';
/** The phase that takes them in a template without such a phase. */
const FINISH = 'finish';

/** The phase that takes the checks of the repository, and those of `--verify`, by the keys of phases; undefined: none. */
export function checksKey(keys: readonly string[]): string | undefined {
  return [CHECKS, FINISH].find((key) => keys.includes(key));
}

/** True if checks from this source are those of a run. A guess adds none to a template that the person chose. */
export function addsChecks(from: string | undefined, isTemplateChosen: boolean): boolean {
  return !isTemplateChosen || from !== 'guess';
}
