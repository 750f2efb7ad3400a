import { DevflowError } from '../../../schemas/errors.ts';
import { readValidated } from '../../artifacts/storedArtifact.ts';
import { shownArtifacts } from '../../core/edits/editable.ts';
import type { RuleFacts } from '../../core/run/approval.ts';
import { worktreeWith } from '../../core/run/lanes.ts';
import type { Approval, Run } from '../../core/run/state.ts';
import { boundWorktree, describeChange, isSameWorktree, type WorktreeState } from '../../core/run/worktreeState.ts';
import { worktreeOf } from '../../repository/git/worktreePlace.ts';
import { countLines } from '../../repository/worktree/countLines.ts';
import { readWorktree } from '../../repository/worktree/readWorktree.ts';
import { registerWorktree } from '../../repository/worktree/restoreWorktree.ts';
import { countUncommitted } from '../../repository/worktree/worktreeStatus.ts';
import { alarmsOf } from '../../sheet/alarms.ts';
import { checksAt, reviewAt } from '../../sheet/rulePart.ts';
import { NO_FACTS } from '../../sheet/sheetFacts.ts';
import { sleepUntil } from '../../system/clock.ts';
import type { Performer, PerformerPorts } from './performer.ts';

/** Nobody is called while a rule is checked, so a person must not wait for git on a slow disk. */
const LONGEST_MS = 2 * 60_000;

/** Reads what the rules of a gate ask about. It decides nothing, and changes nothing. */
export const checkRule: Performer<'checkRule'> = async ({ key, runId, approvalRequestId }, ports, signal) => {
  const run = ports.openRuns().find(({ id }) => id === runId);
  const approval = run?.approvals.find(({ id }) => id === approvalRequestId);
  if (!run || !approval) return undefined;
  const { facts, worktree } = await soonEnough(() => readFacts(run, approval, ports), ports, signal);
  ports.faults.at('checkRule.before_outcome');
  const observed = { commits: [], lostArtifacts: [], ...(worktree ? { worktree } : {}) };
  return { type: 'ruleChecked', key, approvalRequestId, facts, observed };
};

interface Read {
  facts: RuleFacts;
  worktree?: WorktreeState | undefined;
}

async function readFacts(run: Run, approval: Approval, ports: PerformerPorts): Promise<Read> {
  const worktree = await worktreeAt(run, approval, ports);
  const { lost, questions } = await readDocuments(run, approval);
  const facts = {
    alarms: [...lost, ...(await alarmsAt(run, approval, worktree, ports))],
    questions,
    checks: checksAt(run, approval),
    review: reviewAt(run, approval),
    change: await changeAt(run, approval),
  };
  return { facts, worktree };
}

/** A reader that takes too long only reads, so it may go on unheard. */
async function soonEnough(read: () => Promise<Read>, { clock }: PerformerPorts, signal: AbortSignal): Promise<Read> {
  const over = new AbortController();
  const end = new Date(clock.now().getTime() + LONGEST_MS);
  const late = sleepUntil(end, clock, AbortSignal.any([signal, over.signal])).then(() => TOO_LATE);
  late.catch(() => {});
  try {
    return await Promise.race([read(), late]);
  } finally {
    over.abort();
  }
}

const TOO_LATE: Read = {
  facts: {
    alarms: [`The check of your rule took longer than ${LONGEST_MS / 60_000} minutes.`],
    questions: null,
    checks: { green: 0, red: 0, elsewhere: 0 },
    review: null,
    change: { lines: 0, binaries: 0 },
  },
};

async function worktreeAt(
  run: Run,
  { subject }: Approval,
  { config }: PerformerPorts,
): Promise<WorktreeState | undefined> {
  const bound = boundWorktree(subject);
  if (!bound || run.branch === null) return undefined;
  const place = worktreeOf(run);
  await registerWorktree({ ...place, startCommit: bound.head, filters: config.git.filters });
  return readWorktree({ ...place, lastKnown: bound.head, except: run.exchangePaths });
}

/** Everything but the cost that the page of the gate warns of. What nobody can read is a warning, too. */
async function alarmsAt(
  run: Run,
  approval: Approval,
  worktree: WorktreeState | undefined,
  { refusedAt }: PerformerPorts,
): Promise<string[]> {
  const bound = boundWorktree(approval.subject);
  const hasMoved = bound && worktree && !isSameWorktree(bound, worktree);
  const moved = hasMoved ? `${describeChange(run, bound, worktree)} since this gate opened.` : undefined;
  const uncommitted = await countUncommitted(worktreeOf(run));
  const unreadable = uncommitted === undefined ? ['The worktree cannot be read.'] : [];
  const read = { unreadable, uncommittedFiles: uncommitted ?? null, moved, refused: refusedAt(approval.id) };
  const alarms = alarmsOf(run, approval, { ...NO_FACTS, ...read });
  return alarms.filter(({ code }) => code !== 'cost').map(({ sentence }) => sentence);
}

async function readDocuments(run: Run, approval: Approval): Promise<{ lost: string[]; questions: number | null }> {
  const lost: string[] = [];
  let questions: number | null = null;
  for (const artifact of shownArtifacts(approval)) {
    const bytes = await readValidated(artifact, worktreeWith(run, artifact.path));
    if (!bytes) lost.push(`The validated bytes of ${artifact.path} are lost.`);
    const open = bytes && openQuestions(bytes);
    if (open !== undefined) questions = (questions ?? 0) + open;
  }
  return { lost, questions };
}

/** Undefined for a document without such a list. */
function openQuestions(bytes: Buffer): number | undefined {
  try {
    const read = JSON.parse(bytes.toString('utf8')) as { openQuestions?: unknown } | null;
    return Array.isArray(read?.openQuestions) ? read.openQuestions.length : undefined;
  } catch {
    return undefined;
  }
}

async function changeAt(run: Run, { subject, gateKey }: Approval): Promise<RuleFacts['change']> {
  const { from, to = null } = (subject.diff ?? {}) as { from?: string; to?: string | null };
  if (from === undefined) {
    throw new DevflowError('internal', `The gate ${gateKey} of run ${run.id} names no commit to compare with.`);
  }
  return to === null ? { lines: 0, binaries: 0 } : countLines(worktreeOf(run), { from, to });
}
