import { counted } from '../../text/phrases.ts';
import type { MovedBranch } from './movedBranch.ts';

type Moved = Pick<MovedBranch, 'approved' | 'source' | 'hasApproved' | 'commitCount'>;

const NAMES: Readonly<Record<MovedBranch['source'], string>> = {
  gate: 'the approved commit',
  devflow: "devflow's last commit",
  start: "the run's starting commit",
};

/** Where the branch of an ended run should be: `the approved commit 1a2b3c4d5e6f`. */
export function acceptedName({ approved, source }: Pick<Moved, 'approved' | 'source'>): string {
  return `${NAMES[source]} ${approved.slice(0, 12)}`;
}

/** Says how the branch of an ended run differs from what is approved. */
export function movedNote(moved: Moved): string {
  if (!moved.hasApproved) return `The branch no longer has ${acceptedName(moved)}.`;
  return `${counted(moved.commitCount, 'commit')} of the branch came after ${acceptedName(moved)}.`;
}

/** Asks a person about applying a branch that moved. */
export function movedQuestion({ source, hasApproved, commitCount }: Moved): string {
  if (!hasApproved) return `Apply the branch without ${NAMES[source]}?`;
  return `Apply also the ${counted(commitCount, 'commit')} after ${NAMES[source]}?`;
}
