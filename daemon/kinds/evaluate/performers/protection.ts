import { compileGlob } from '../../../core/glob/compileGlob.ts';
import { matchesCompiled } from '../../../core/glob/matchesGlob.ts';
import type { LanePlace } from '../../../core/run/lanes.ts';
import { filesOfCommand, hashProtected, startOfGlob } from '../../../measure/objective/protectedFiles.ts';
import { ignoresCase } from '../../../repository/change/changedPaths.ts';
import type { EvaluationPlace, ProtectedFiles } from '../effect.ts';

export interface Protection {
  /** Why an agent must not change the path, as the end of a sentence; undefined if it may. */
  faultOf(path: string): string | undefined;
  /** One hash of all protected files as they are now. */
  hash(): Promise<string>;
}

/**
 * The files of a worktree that no agent may change. A path of both lists is protected. `apart`: where their hash is taken,
 * if not where the agents work.
 */
export async function protectionOf(
  lane: LanePlace,
  files: ProtectedFiles,
  apart?: EvaluationPlace,
): Promise<Protection> {
  const { editable, globs, argv, hashesLarge = false } = files;
  const path = apart?.worktree ?? lane.path;
  const ignoreCase = await ignoresCase(lane);
  const compiled = (given: readonly string[]) => given.map((glob) => compileGlob(glob, { ignoreCase }));
  const [mayChange, mustStay] = [compiled(editable), compiled(globs)];
  const isEditable = (path: string) => matchesCompiled(path, mayChange) !== 'no';
  const commands = filesOfCommand(path, argv).filter((path) => !isEditable(path));
  // A glob that cannot be decided protects.
  const isProtected = (path: string) => matchesCompiled(path, mustStay) !== 'no' || commands.includes(path);
  const starts = globs.map(startOfGlob);
  return {
    faultOf(path) {
      if (commands.includes(path)) return 'is part of the command that measures';
      if (isProtected(path)) return 'is protected';
      return editable.length > 0 && !isEditable(path) ? 'is not among the files that may be changed' : undefined;
    },
    hash: () =>
      hashProtected(
        path,
        isProtected,
        starts.includes(undefined) ? [] : [...commands, ...starts.filter((each) => each !== undefined)],
        // Each evaluation writes these files anew, so their times say nothing.
        { hashesLarge, comparesTimes: apart === undefined },
      ),
  };
}
