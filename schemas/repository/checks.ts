/** The phase that takes the commands of `--verify`, and the setting with those of a repository. */
export const CHECKS = 'verify';

/** True if checks from this source are those of a run. A guess adds none to a template that the person chose. */
export function addsChecks(from: string | undefined, isTemplateChosen: boolean): boolean {
  return !isTemplateChosen || from !== 'guess';
}
