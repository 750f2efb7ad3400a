import type { SettingsFile } from '../../../schemas/config/settingsFiles.ts';
import { defined } from '../../../schemas/defined.ts';
import type { SessionState, StallCause } from '../../../schemas/enums.ts';
import { BUILD } from '../../../schemas/files/release.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { DefinitionProblem } from '../../../schemas/rpc/views/definition.ts';
import type { EndsCount } from '../../../schemas/rpc/views/ends.ts';
import type { AdoptionCounts } from '../../../schemas/rpc/views/session.ts';
import { skewText } from '../../../schemas/time/duration.ts';
import { openSessionsOf } from '../../core/run/lanes.ts';
import type { Here } from '../../core/run/place.ts';
import type { Run } from '../../core/run/state.ts';
import type { Database } from '../../db/database.ts';
import type { AgentSlots } from '../../engine/local/agentSlots.ts';
import type { RunPlaces } from '../../engine/local/runPlaces.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import type { HostRow } from '../../store/hosts.ts';
import type { Lists } from '../../store/lists.ts';
import { type Schedule, scheduleTitle } from '../../store/schedules.ts';
import { listOpenSessions } from '../../store/sessions.ts';

/** After this time the database counts as unreachable, and the status reports only the open runs. */
const PATIENCE_MS = 1_500;

export interface StatusParts {
  version: string;
  socketPath: string;
  startedAt: Date;
  database: Database;
  lists: Lists;
  problems(): DefinitionProblem[];
  adoptionCounts(): AdoptionCounts;
  openRuns(): Run[];
  agentSlots: Pick<AgentSlots, 'counts'>;
  runPlaces: Pick<RunPlaces, 'counts'>;
  here: Here;
  server: RunEngine['server'];
  listHosts(): Promise<HostRow[]>;
  /** Those of this host. */
  listSchedules(): Promise<Schedule[]>;
  settings: SettingsFile[];
  countEnds(): Promise<EndsCount>;
  /** Undefined without a webhook. */
  webhookStatus(): Promise<NonNullable<RpcResult<'daemon.status'>['webhook']>> | undefined;
}

/** The daemon's status. */
export async function readStatus(parts: StatusParts, asked: { ended: boolean }): Promise<RpcResult<'daemon.status'>> {
  const { version, socketPath, startedAt, database, lists, problems, adoptionCounts, openRuns, agentSlots } = parts;
  const { here, listHosts } = parts;
  const temporal = parts.server();
  const stored = await within(PATIENCE_MS, [
    lists.countRuns(),
    lists.countPendingApprovals(),
    listOpenSessions(database.drizzle),
    listHosts(),
    parts.listSchedules(),
  ]);
  const ended = asked.ended && stored ? await parts.countEnds().catch(() => undefined) : undefined;
  const webhook = stored && (await parts.webhookStatus()?.catch(() => undefined));
  const open = openRuns();
  const [runs, pending, sessions, hosts, schedules] = stored ?? [
    count(open),
    open.flatMap(({ approvals }) => approvals).filter(({ state }) => state === 'pending').length,
    open.flatMap(openSessionsOf),
    [],
    [],
  ];
  return {
    daemon: {
      pid: process.pid,
      version,
      ...(BUILD && { build: BUILD }),
      socket: socketPath,
      startedAt: startedAt.toISOString(),
    },
    database: { mode: database.mode, ok: stored !== undefined },
    ...defined({ temporal }),
    runs,
    approvals: { pending },
    sessions: count(sessions as { state: SessionState }[]),
    stalls: countStalls(open),
    agents: adoptionCounts(),
    agentSlots: agentSlots.counts(),
    places: parts.runPlaces.counts(),
    ...(here.shared &&
      hosts.length > 1 && { hosts: hosts.map(({ id, state }) => ({ id, state, here: id === here.id })) }),
    ...wrongClocks(hosts.filter(({ id }) => here.shared || id === here.id)),
    settings: parts.settings,
    ...defined({ schedules: scheduleFacts(schedules), webhook, ended }),
    problems: problems(),
  };
}

function scheduleFacts(schedules: readonly Schedule[]): RpcResult<'daemon.status'>['schedules'] {
  if (schedules.length === 0) return undefined;
  const planned = schedules.flatMap((each) => (each.nextAt ? [{ each, at: each.nextAt.toISOString() }] : []));
  const [first] = planned.sort((a, b) => a.at.localeCompare(b.at));
  return {
    count: schedules.length,
    paused: schedules.filter(({ paused }) => paused).length,
    next: first ? { scheduleId: first.each.id, title: scheduleTitle(first.each), at: first.at } : null,
  };
}

function wrongClocks(hosts: HostRow[]): Pick<RpcResult<'daemon.status'>, 'clocks'> {
  const clocks = hosts.flatMap(({ id: host, state, clockSkewMs: skewMs }) =>
    state === 'ready' && skewMs !== null && skewText(skewMs) !== undefined ? [{ host, skewMs }] : [],
  );
  return clocks.length > 0 ? { clocks } : {};
}

function countStalls(runs: readonly Run[]): Partial<Record<StallCause, number>> {
  const counts: Partial<Record<StallCause, number>> = {};
  for (const { stall } of runs.flatMap(openSessionsOf)) {
    if (stall) counts[stall.cause] = (counts[stall.cause] ?? 0) + 1;
  }
  return counts;
}

function count<S extends string>(things: readonly { state: S }[]): Partial<Record<S, number>> {
  const counts: Partial<Record<S, number>> = {};
  for (const { state } of things) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** All answers, or undefined if one failed or was too slow. */
async function within<T extends unknown[]>(
  ms: number,
  answers: { [K in keyof T]: Promise<T[K]> | T[K] },
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  const all = Promise.all(answers).catch(() => undefined) as Promise<T | undefined>;
  try {
    return await Promise.race([all, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
