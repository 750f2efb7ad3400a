import { join } from 'node:path';
import { type ChangeBrief, MOST_BRIEF } from '../../../../schemas/kinds/review/events.ts';
import { RANKS } from '../../../../schemas/repoFacts.ts';
import { cannotFail } from '../../../discovery/cannotFail/cannotFail.ts';
import { listFacts } from '../../../discovery/discover.ts';
import { removeLeftovers } from '../../../discovery/removeLeftovers.ts';

/**
 * The commands that the repository names for checks, as text for reviewers. devflow runs none of them. Read at the base: the
 * change must not choose. Best effort, because nothing depends on it.
 */
export async function knownCommands(repoDir: string, base: string, dir: string): Promise<ChangeBrief['known']> {
  const facts = await readFacts(repoDir, base, join(dir, 'scratch')).catch(() => []);
  return facts
    .filter(({ rank, kind, argv }) => rank < RANKS.doc && CHECKS.includes(kind) && cannotFail(argv) === undefined)
    .slice(0, MOST_BRIEF.known)
    .map(({ argv, from }) => ({ argv, from: `${from.path}:${from.line}` }));
}

async function readFacts(repoDir: string, commit: string, scratchDir: string) {
  // A daemon that was killed during this look left them.
  await removeLeftovers(scratchDir);
  return listFacts({ repoDir, commit, scratchDir });
}

const CHECKS: readonly string[] = ['lint', 'typecheck', 'build', 'test'];
