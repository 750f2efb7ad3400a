import type { ApprovalDecisionAction } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { decidable } from '../../schemas/gates/decidable.ts';
import { gateName } from '../../schemas/gates/gateWords.ts';
import { isTerminal } from '../../schemas/names.ts';
import type { ApprovalSummary } from '../../schemas/rpc/views/approval.ts';
import type { RunDetail } from '../../schemas/rpc/views/run.ts';
import { runState } from '../../schemas/states/run.ts';
import { age } from '../../schemas/time/duration.ts';
import type { Client } from '../client/connect.ts';
import type { Io } from '../io/io.ts';
import { shortId } from '../print/text.ts';

/** A command without an id takes the one thing that fits. More than this many are not listed. */
const MOST_LISTED = 10;
const ALL = { limit: 0 };

/** The gates that take this decision now, the newest first; without one, all that wait. */
export async function gatesFor(client: Client, action?: ApprovalDecisionAction): Promise<ApprovalSummary[]> {
  const waiting = await client.call('approval.list', ALL);
  if (action === undefined || waiting.length === 0) return waiting;
  // A gate may belong to an ended run: it asks about its worktree.
  const runs = await client.call('run.list', ALL);
  const stateOf = new Map(runs.map(({ runId, state }) => [runId, state]));
  return waiting.filter((gate) => {
    const state = stateOf.get(gate.runId);
    return state !== undefined && decidable(gate, state).includes(action);
  });
}

/** The id of the only gate that fits. Throws usage for none and for several, which it lists. */
export async function onlyGate(client: Client, action?: ApprovalDecisionAction): Promise<string> {
  const fits = await gatesFor(client, action);
  return only(fits, {
    idOf: ({ id }) => id,
    line: (gate) => `${gateName(gate)} of run ${shortId(gate.runId)}${titled(gate.runTitle)}`,
    none: action === undefined ? 'no gate waits for a decision' : `no gate waits that takes ${spoken(action)}`,
    several: action === undefined ? 'gates wait for a decision' : `gates take ${spoken(action)}`,
    hint: 'See the gates with devflow approval list.',
  });
}

/**
 * The id of the only open run of the repository of this directory, or of its only ended one if none is open; `ended`: of the
 * completed ones alone that may have work to apply. Throws usage for none and for several, which it lists.
 */
export async function onlyRun(io: Io, client: Client, which: 'any' | 'ended'): Promise<string> {
  const here = io.cwd;
  const runs = await client.call('run.list', { ...ALL, repo: here });
  const ended = runs.filter(({ state, onlyReviews }) =>
    which === 'any' ? isTerminal(state) : state === 'completed' && !onlyReviews,
  );
  const open = runs.filter(({ state }) => !isTerminal(state));
  return only(which === 'any' && open.length > 0 ? open : ended, {
    idOf: ({ runId }) => runId,
    line: (run) => `${runState(run).word}, ${age(run.createdAt)} ago${titled(run.title)}`,
    none:
      which === 'ended'
        ? `no run of ${here} is completed, with work to apply`
        : `${here} is in no repository with a run`,
    several: `runs of ${here} fit`,
    hint: 'See the runs with devflow ls.',
  });
}

/** The id of the only run of the repository of this directory whose agent the person leads. */
export async function onlyLedRun(io: Io, client: Client): Promise<string> {
  const runs = await client.call('run.list', { ...ALL, repo: io.cwd });
  const open = runs.filter(({ state }) => !isTerminal(state));
  const details = await Promise.all(open.map(({ runId }) => client.call('run.get', { runId })));
  return only(details.filter(isLed), {
    idOf: ({ runId }) => runId,
    line: (run) => `${runState(run).word}, ${age(run.createdAt)} ago${titled(run.title)}`,
    none: `you lead no agent in ${io.cwd}`,
    several: `agents of ${io.cwd} are led by you`,
    hint: 'See the runs with devflow ls.',
  });
}

function isLed({ phases, currentPhase }: RunDetail): boolean {
  return phases.some(({ key, kind }) => key === currentPhase && kind === 'direct');
}

interface Words<T> {
  idOf(fitting: T): string;
  line(fitting: T): string;
  none: string;
  several: string;
  hint: string;
}

function only<T>(fits: readonly T[], { idOf, line, none, several, hint }: Words<T>): string {
  const [first, ...more] = fits;
  if (first !== undefined && more.length === 0) return idOf(first);
  const listed = fits.slice(0, MOST_LISTED).map((each) => `${shortId(idOf(each))} (${line(each)})`);
  const rest = fits.length - listed.length;
  const message = `${fits.length} ${several}: ${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  throw new DevflowError('usage', first === undefined ? none : message, {
    recoveryHint: first === undefined ? hint : 'Name one by its id.',
    data: { ids: fits.map(idOf) },
  });
}

/** An older daemon has no titles. */
function titled(title: string | undefined): string {
  return title ? `: ${title}` : '';
}

function spoken(action: ApprovalDecisionAction): string {
  return { approve: 'an approval', request_changes: 'a request for changes', reject: 'a rejection', abort: 'an abort' }[
    action
  ];
}
