import { join } from 'node:path';
import { listSchemaIds } from '../../schemas/definitions/schemaIds.ts';
import { byLastUse } from '../../schemas/definitions/shippedTemplates.ts';
import type { ApprovalDecisionAction } from '../../schemas/enums.ts';
import { packageRoot, resolvePaths } from '../../schemas/files/paths.ts';
import { agentName } from '../../schemas/mainLane.ts';
import { isTerminal } from '../../schemas/names.ts';
import type { ApprovalSummary } from '../../schemas/rpc/views/approval.ts';
import type { RunSummary } from '../../schemas/rpc/views/run.ts';
import { gateState } from '../../schemas/states/gate.ts';
import { hostState } from '../../schemas/states/host.ts';
import { runState } from '../../schemas/states/run.ts';
import { sessionState } from '../../schemas/states/session.ts';
import { counted } from '../../schemas/text/phrases.ts';
import { age } from '../../schemas/time/duration.ts';
import type { Client } from '../client/connect.ts';
import { listBranches } from '../client/listBranches.ts';
import { askDaemon } from '../daemon/withDaemon.ts';
import { pathOfVerb } from '../define/verbs.ts';
import { gatesFor } from '../input/onlyOne.ts';
import type { Io } from '../io/io.ts';
import { shortId, tildePath } from '../print/text.ts';
import { attachTargets } from './attachTargets.ts';
import { type Candidate, type Cursor, described } from './cursor.ts';

const ALL = { limit: 0 };

/** Candidates from this machine or from a running daemon. Empty if no daemon answers. */
export async function knownFor(kind: string, cursor: Cursor, io: Io): Promise<Candidate[]> {
  if (kind === 'branch') return branches(cursor, io);
  if (kind === 'schema') return schemas(io);
  const source = kind === 'id' ? ABOUT[cursor.given.get('--screen')?.at(-1) ?? ''] : kind;
  const read = source === undefined ? undefined : SOURCES[source];
  return read ? askDaemon(io, (client) => read(client, cursor, io)) : [];
}

/** The screens whose `--about` is an id. */
const ABOUT: Record<string, string> = { run: 'run', approval: 'approval', session: 'session' };

type Source = (client: Client, cursor: Cursor, io: Io) => Promise<Candidate[]>;

const SOURCES: Record<string, Source> = {
  async run(client, cursor, io) {
    const fits = RUNS_FOR[pathOfVerb(cursor.path)] ?? (() => true);
    const all = await client.call('run.list', ALL);
    const fitting = all.filter(fits).map((run): Candidate => [run.runId, describeRun(run, io)]);
    return named(fitting, cursor.word);
  },
  async approval(client, { path, word }) {
    const action = /^\/approval\/(approve|reject|request-changes|abort)$/
      .exec(pathOfVerb(path))?.[1]
      ?.replace('-', '_');
    if (action === undefined) return named((await client.call('approval.list', { ...ALL, all: true })).map(gate), word);
    const fitting = await gatesFor(client, action as ApprovalDecisionAction);
    return named(fitting.map(gate), word);
  },
  async session(client, { path, word }) {
    const all = await client.call('session.list', ALL);
    const fitting = path === '/session/probe' ? all.filter(({ paneId }) => paneId !== null) : all;
    return named(
      fitting.map((session): Candidate => {
        const { sessionId, state, backend, runId, runTitle } = session;
        const who = `${agentName(session)} (${backend}) of run ${shortId(runId)}`;
        return [sessionId, described(sessionState(state).word, who, runTitle)];
      }),
      word,
    );
  },
  schedule: async (client, { word }) =>
    named(
      (await client.call('schedule.list')).map(({ scheduleId, expression, paused, title }): Candidate => {
        return [scheduleId, described(paused ? 'paused' : expression, title)];
      }),
      word,
    ),
  target: attachTargets,
  host: async (client) =>
    (await client.call('host.list')).map((host): Candidate => {
      return [host.id, `${hostState(host).word}  ${counted(host.runs, 'open run')}`];
    }),
  template: async (client) =>
    byLastUse(await client.call('template.list')).map(({ name, version, about, phases }): Candidate => {
      return [`${name}@${version}`, about ?? phases.join(' → ')];
    }),
  persona: async (client) =>
    (await client.call('persona.list')).map(({ name, version, backend, allowedRoles }): Candidate => {
      return [`${name}@${version}`, `${backend}  ${allowedRoles?.join(', ') ?? ''}`.trimEnd()];
    }),
  async method(client) {
    const { methods } = (await client.call('rpc.discover')) as { methods: { name: string; summary: string }[] };
    return methods.map(({ name, summary }): Candidate => [name, summary]);
  },
};

const isOver = ({ state }: RunSummary) => isTerminal(state);

/** Commands that accept only runs in some states. */
const RUNS_FOR: Record<string, (run: RunSummary) => boolean> = {
  '/run/pause': ({ state }) => ['planning', 'executing', 'awaiting_approval'].includes(state),
  '/run/resume': ({ state }) => state === 'paused',
  '/run/abort': (run) => !isOver(run),
  '/run/apply': isOver,
  '/cleanup': isOver,
};

export function describeRun(run: RunSummary, io: Io): string {
  const { title, template, repoPath, createdAt } = run;
  return described(runState(run).word, title, template, tildePath(repoPath, io.env), `${age(createdAt)} ago`);
}

function gate(approval: ApprovalSummary): Candidate {
  const { id, gateKey, runId, runTitle, createdAt } = approval;
  const what = `${gateKey} of run ${shortId(runId)}`;
  return [id, described(gateState(approval).word, what, runTitle, `${age(createdAt)} ago`)];
}

/** Short ids. A whole id if the short one is ambiguous, or if the person typed more than the short one. */
export function named(found: readonly Candidate[], word: string): Candidate[] {
  const counts = new Map<string, number>();
  for (const [id] of found) counts.set(shortId(id), (counts.get(shortId(id)) ?? 0) + 1);
  return found.map(([id, description]): Candidate => {
    const short = shortId(id);
    return [counts.get(short) === 1 && word.length <= short.length ? short : id, description];
  });
}

async function branches({ given }: Cursor, io: Io): Promise<Candidate[]> {
  const names = await listBranches(given.get('--repo')?.at(-1) ?? '.', io.cwd);
  return names.map((name): Candidate => [name, 'branch']);
}

function schemas(io: Io): Candidate[] {
  const directories = [join(packageRoot(), 'schemas', 'artifacts'), resolvePaths(io.env).userArtifacts];
  return listSchemaIds(directories).map((id): Candidate => [id, 'schema']);
}
