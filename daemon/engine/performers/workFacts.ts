import { normaliseGlob } from '../../../schemas/definitions/globRule.ts';
import { createMatcher } from '../../contracts/match.ts';
import type { EffectOf } from '../../core/effect/effect.ts';
import { auditManifests, readPaths } from '../../core/exchange/auditManifests.ts';
import { compileGlob } from '../../core/glob/compileGlob.ts';
import { matchesCompiled } from '../../core/glob/matchesGlob.ts';
import { changedFiles, ignoresCase } from '../../repository/change/changedPaths.ts';
import { committedFacts } from '../../repository/change/committedFacts.ts';
import type { CommitStep } from '../../repository/worktree/commitMessage.ts';
import type { CommittedWork } from '../../repository/worktree/commitWork.ts';
import { counts } from '../../repository/worktree/worktreeStatus.ts';

/** Events have room for so many. */
const MOST_CHANGES = 1_000;

type CommitWork = Pick<EffectOf<'commitWork'>, 'lane' | 'since' | 'except' | 'wantsChanges' | 'manifests' | 'eachStep'>;

/**
 * A contract's facts about the work of a phase, by git alone. The files that devflow writes for the contract do not
 * count.
 */
export async function workFacts(effect: CommitWork, { commit }: Pick<CommittedWork, 'commit'>) {
  const { since, wantsChanges, manifests } = effect;
  const to = commit ?? since;
  return {
    ...(wantsChanges ? { changes: (await changesOf(effect, since, to)).slice(0, MOST_CHANGES) } : {}),
    ...(manifests ? { audits: await auditsOf(effect, manifests, to) } : {}),
  };
}

/** Cuts the files into commits of steps, by the paths that their manifests expect. */
export async function cutBySteps({ lane, eachStep, except }: CommitWork): Promise<{ steps?: CommitStep[] }> {
  if (!eachStep) return {};
  const ignoreCase = await ignoresCase(lane);
  const steps = eachStep.map(({ step, title, paths }): CommitStep => {
    const globs = paths.flatMap((path) => {
      const read = normaliseGlob(path);
      return 'glob' in read ? [compileGlob(read.glob, { ignoreCase })] : [];
    });
    const takes = (path: string) => counts(path, except) && matchesCompiled(path, globs) === 'yes';
    return { step, subject: `devflow: Step ${step}: ${title}`, takes };
  });
  return { steps };
}

async function changesOf({ lane, except }: CommitWork, from: string, to: string) {
  if (from === to) return [];
  return (await changedFiles(lane, from, to)).filter(({ path }) => counts(path, except));
}

async function auditsOf(effect: CommitWork, { since, steps }: NonNullable<CommitWork['manifests']>, to: string) {
  const { lane } = effect;
  const changed = await changesOf(effect, since, to);
  const facts = await committedFacts(lane, { from: since, to }, readPaths(steps));
  return auditManifests(steps, { ...facts, changed, ignoreCase: await ignoresCase(lane) }, createMatcher());
}
