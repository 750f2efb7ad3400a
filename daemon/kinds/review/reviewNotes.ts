import { quotesRemovedLines } from '../../core/run/behaviour.ts';
import { phasesOf } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import { MANY_LINES } from './nextStep.ts';
import type { ReviewPhase } from './reviewOf.ts';
import { rolesOf } from './reviewRoles.ts';
import type { Look } from './state.ts';

export interface ReviewNote {
  code: 'one_backend' | 'low_signal' | 'unconfirmed';
  sentence: string;
}

/** Notes about the reviews of a run, as sentences, for a person who is to trust them. */
export function reviewNotes(run: Run): string[] {
  return reviewAlarms(run).map(({ sentence }) => sentence);
}

export function reviewAlarms(run: Run): ReviewNote[] {
  return phasesOf('review', run)
    .filter(({ review }) => review !== null)
    .flatMap((phase) => notesOf(run, phase));
}

function notesOf(run: Run, phase: ReviewPhase): ReviewNote[] {
  const { reviewers, verifiers } = rolesOf(run, phase);
  const all = [...reviewers, ...verifiers];
  // What `fake` says confirms nothing, unless the whole review is a rehearsal.
  const real = all.filter((binding) => binding.backend !== 'fake');
  const judges = real.length > 0 ? real : all;
  const [backend, ...others] = new Set(judges.map((binding) => binding.backend));
  const looks = phase.review?.rounds.flatMap(({ look }) => look ?? []) ?? [];
  const findings = phase.review?.findings ?? [];
  const lines = Math.max(0, ...looks.map(({ changedLines }) => changedLines));
  const accepted = findings.filter(({ state }) => state === 'accepted').length;
  const note = (code: ReviewNote['code'], holds: boolean, sentence: string) => (holds ? [{ code, sentence }] : []);
  return [
    ...note(
      'one_backend',
      others.length === 0,
      `All reviewers run on one backend (${backend}), so their agreement proves little.`,
    ),
    ...note('one_backend', judges.length <= 2, 'Only one agent can judge a finding.'),
    ...note(
      'low_signal',
      findings.length === 0 && lines > MANY_LINES,
      `Low signal: nobody found anything in ${lines} changed lines.`,
    ),
    ...note(
      'low_signal',
      quotesRemovedLines(run) && looks.length > 0 && looks.every(isUnproven),
      'Nobody had to quote anything: the change has no lines that an agent can read (binary, renamed or very long).',
    ),
    ...note('unconfirmed', accepted > 0, `A person accepted the change with open findings (${accepted}).`),
  ];
}

/** True if no reviewer had to quote a line. A commit that was reviewed before has no seats. */
function isUnproven({ seats }: Look): boolean {
  return seats.every(({ witnesses }) => witnesses.length === 0);
}
